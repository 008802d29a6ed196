//! Deadlines of calls, which hardly ever come.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use tokio::time::{Instant, Sleep, sleep_until};

/// The timers of a connection. To set one for every call and to take it back costs a good part of
/// the call, so a timer stays set for the calls to come: it goes off too early for them, and is
/// set anew then.
#[derive(Debug, Default)]
pub(super) struct Alarms {
    idle: RefCell<Vec<Alarm>>,
}

#[derive(Debug)]
struct Alarm {
    timer: Pin<Box<Sleep>>,
    /// Whom it wakes.
    waker: Option<Waker>,
}

impl Alarms {
    /// The output of a future; `None` when the deadline comes first.
    pub(super) async fn before<F: Future>(
        &self,
        deadline: Instant,
        future: F,
    ) -> Option<F::Output> {
        let mut future = pin!(future);
        let mut alarm = self.take(deadline);
        let output = poll_fn(|cx| match future.as_mut().poll(cx) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending => alarm.poll(deadline, cx).map(|()| None),
        })
        .await;
        self.idle.borrow_mut().push(alarm);
        output
    }

    /// An alarm that goes off at the deadline or before.
    fn take(&self, deadline: Instant) -> Alarm {
        let idle = self.idle.borrow_mut().pop();
        match idle {
            Some(alarm) if alarm.timer.deadline() <= deadline => alarm,
            _ => Alarm {
                timer: Box::pin(sleep_until(deadline)),
                waker: None,
            },
        }
    }
}

impl Alarm {
    fn poll(&mut self, deadline: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let is_set = (self.waker.as_ref()).is_some_and(|waker| waker.will_wake(cx.waker()));
        if is_set && !self.timer.is_elapsed() {
            return Poll::Pending;
        }
        self.waker = Some(cx.waker().clone());
        while self.timer.as_mut().poll(cx).is_ready() {
            if self.timer.deadline() >= deadline {
                return Poll::Ready(());
            }
            self.timer.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, time::Duration};

    use tokio::time::sleep;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(600);

    #[tokio::test]
    async fn a_timer_that_is_set_serves_later_calls() {
        let alarms = Alarms::default();
        let first = Instant::now() + LONG;
        assert_eq!(alarms.before(first, async { 1 }).await, Some(1));
        let later = Instant::now() + LONG;
        assert_eq!(alarms.before(later, async { 2 }).await, Some(2));
        let idle = alarms.idle.borrow();
        assert_eq!(idle.len(), 1);
        assert_eq!(idle[0].timer.deadline(), first);
    }

    #[tokio::test]
    async fn a_deadline_comes_whatever_the_timer_was_set_to() {
        let alarms = Alarms::default();
        // Too late for the next call, which takes one of its own.
        alarms.before(Instant::now() + LONG, async {}).await;
        let deadline = Instant::now() + SHORT;
        assert_eq!(alarms.before(deadline, pending::<()>()).await, None);
        assert!(Instant::now() >= deadline);
        // Elapsed by now, and set anew.
        let deadline = Instant::now() + SHORT;
        assert_eq!(alarms.before(deadline, pending::<()>()).await, None);
        assert!(Instant::now() >= deadline);
    }

    #[tokio::test]
    async fn an_early_timer_does_not_end_a_call() {
        let alarms = Alarms::default();
        alarms
            .before(Instant::now() + SHORT, sleep(SHORT / 2))
            .await;
        let slow = sleep(3 * SHORT);
        let output = alarms.before(Instant::now() + LONG, slow).await;
        assert_eq!(output, Some(()));
    }
}
