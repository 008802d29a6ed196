//! Deadlines of requests and calls, which hardly ever come.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::{Context, Poll, Waker},
};

use tokio::time::{Instant, Sleep, sleep_until};

/// The timers of a virtual user or a connection. To set one for every call and to take it back costs more
/// than to write a request, and nearly no call times out; so a timer stays set for the calls to come, and is
/// moved when it goes off too early for one: once in the time of a time-out.
#[derive(Debug, Default)]
pub(crate) struct Alarms {
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
    pub(crate) async fn before<F: Future>(
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
        match self.idle.borrow_mut().pop() {
            Some(mut alarm) => {
                if alarm.timer.deadline() > deadline {
                    alarm.timer.as_mut().reset(deadline);
                    alarm.waker = None;
                }
                alarm
            }
            None => Alarm {
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
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::{future, time::Duration};

    use tokio::time::sleep;

    use super::*;

    const LONG: Duration = Duration::from_hours(1);
    const SHORT: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn what_never_ends_is_given_up_at_its_own_deadline() {
        let alarms = Alarms::default();
        let now = Instant::now();
        // A later deadline before, an earlier one, and one that has passed.
        assert_eq!(alarms.before(now + LONG, async { 7 }).await, Some(7));
        for wait in [SHORT, SHORT * 2, Duration::ZERO, SHORT] {
            let deadline = Instant::now() + wait;
            let never = alarms.before(deadline, future::pending::<()>());
            assert_eq!(never.await, None);
            assert!(Instant::now() >= deadline);
        }
        assert_eq!(alarms.idle.borrow().len(), 1);
    }

    #[tokio::test]
    async fn an_alarm_that_is_set_too_early_is_moved() {
        let alarms = Alarms::default();
        let early = Instant::now() + SHORT;
        alarms.before(early, async {}).await.unwrap();
        let slept = alarms.before(early + LONG, sleep(SHORT * 3)).await;
        assert!(slept.is_some() && Instant::now() >= early);
    }

    #[tokio::test]
    async fn requests_at_once_have_alarms_of_their_own() {
        let alarms = Alarms::default();
        let now = Instant::now();
        let (short, long) = tokio::join!(
            alarms.before(now + SHORT, future::pending::<()>()),
            alarms.before(now + LONG, sleep(SHORT * 2)),
        );
        assert_eq!((short, long), (None, Some(())));
        assert_eq!(alarms.idle.borrow().len(), 2);
    }

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
}
