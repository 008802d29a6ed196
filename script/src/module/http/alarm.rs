//! Time-outs of requests.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::Poll,
};

use tokio::time::{Instant, Sleep, sleep_until};

/// The alarms of one virtual user. To set a timer and to take it back costs more than to write a
/// request, and nearly no request times out; so an alarm stays set from one request to the next, and
/// is moved when it goes off too early: once in the time of a time-out.
#[derive(Debug, Default)]
pub(super) struct Alarms {
    idle: RefCell<Vec<Pin<Box<Sleep>>>>,
}

impl Alarms {
    /// The output of a future, unless the deadline passes before.
    pub(super) async fn before<F: Future>(
        &self,
        deadline: Instant,
        future: F,
    ) -> Option<F::Output> {
        let mut future = pin!(future);
        let mut alarm = self.take(deadline);
        let output = poll_fn(|cx| {
            if let Poll::Ready(output) = future.as_mut().poll(cx) {
                return Poll::Ready(Some(output));
            }
            while alarm.as_mut().poll(cx).is_ready() {
                if alarm.deadline() >= deadline {
                    return Poll::Ready(None);
                }
                alarm.as_mut().reset(deadline);
            }
            Poll::Pending
        })
        .await;
        self.idle.borrow_mut().push(alarm);
        output
    }

    /// One that goes off at the deadline or before.
    fn take(&self, deadline: Instant) -> Pin<Box<Sleep>> {
        match self.idle.borrow_mut().pop() {
            Some(mut alarm) => {
                if alarm.deadline() > deadline {
                    alarm.as_mut().reset(deadline);
                }
                alarm
            }
            None => Box::pin(sleep_until(deadline)),
        }
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
}
