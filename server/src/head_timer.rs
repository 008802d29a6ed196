//! The timer behind the limit on how long the head of a request may take.
//!
//! hyper asks for a new sleep before every request and drops it when the head is there. Made of
//! tokio's own sleeps, each would be entered into the runtime's timer wheel and taken out again.
//! Here the sleeps of a connection share one alarm that stays set while requests come and go; when
//! it rings too early for the request in hand, it is set again.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::{Duration, Instant},
};

use hyper::rt::{Sleep, Timer};
use tokio::time::{self, sleep_until};

/// The timer of one connection, whose sleeps are waited for one at a time.
#[derive(Clone, Debug, Default)]
pub struct HeadTimer {
    alarm: Arc<Mutex<Alarm>>,
}

/// Set from the first sleep on.
#[derive(Debug, Default)]
struct Alarm(Option<Pin<Box<time::Sleep>>>);

impl Timer for HeadTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(HeadSleep {
            alarm: Arc::clone(&self.alarm),
            deadline: deadline.into(),
        })
    }

    fn now(&self) -> Instant {
        // Follows the stopped clock of a test.
        time::Instant::now().into_std()
    }
}

/// Waits for a moment by way of the connection's alarm.
struct HeadSleep {
    alarm: Arc<Mutex<Alarm>>,
    deadline: time::Instant,
}

impl Sleep for HeadSleep {}

impl Future for HeadSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.alarm
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .poll_until(self.deadline, cx)
    }
}

impl fmt::Debug for HeadSleep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeadSleep")
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl Alarm {
    fn poll_until(&mut self, deadline: time::Instant, cx: &mut Context<'_>) -> Poll<()> {
        let alarm = self
            .0
            .get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if alarm.deadline() > deadline {
            alarm.as_mut().reset(deadline);
        }
        while alarm.as_mut().poll(cx).is_ready() {
            if alarm.deadline() == deadline {
                return Poll::Ready(());
            }
            alarm.as_mut().reset(deadline);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);

    #[tokio::test(start_paused = true)]
    async fn a_later_sleep_outlasts_the_alarm_of_an_earlier_one() {
        let timer = HeadTimer::default();
        let first = timer.sleep(LIMIT);
        assert!(time::timeout(LIMIT / 2, first).await.is_err(), "too early");
        let start = time::Instant::now();
        timer.sleep(LIMIT).await;
        let waited = start.elapsed();
        assert!(waited >= LIMIT && waited < LIMIT + Duration::from_millis(2));
    }

    #[tokio::test(start_paused = true)]
    async fn an_earlier_moment_brings_the_alarm_forward() {
        let timer = HeadTimer::default();
        let start = time::Instant::now();
        assert!(time::timeout(LIMIT / 10, timer.sleep(LIMIT)).await.is_err());
        timer.sleep(LIMIT / 10).await;
        assert!(start.elapsed() < LIMIT / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn an_alarm_that_rang_unheard_serves_again() {
        let timer = HeadTimer::default();
        assert!(time::timeout(LIMIT / 2, timer.sleep(LIMIT)).await.is_err());
        time::sleep(2 * LIMIT).await;
        let start = time::Instant::now();
        timer.sleep(LIMIT).await;
        assert!(start.elapsed() >= LIMIT);
    }
}
