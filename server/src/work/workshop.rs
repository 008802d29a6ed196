//! The work itself, whoever asks for it: half a millisecond of CPU in every 5 ms, waiting for the rest.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use tokio::time::{Instant, sleep_until};

use super::{account::Account, error::WorkError};
use crate::clock;

/// How often work burns CPU. Between two of these moments it waits, and can be dropped.
const SLICE: Duration = Duration::from_millis(5);
/// What it burns then: a tenth of the time, so that a few calls at once do not slow each other.
const CPU_OF_SLICE: Duration = Duration::from_micros(500);
/// The longest work that is done.
const LONGEST_MS: i32 = 1_000;

/// Where work is done. Clones share the account.
#[derive(Clone, Debug, Default)]
pub struct Workshop {
    account: Arc<Account>,
}

/// Work that is under way, until it is done or dropped.
struct UnderWay<'a> {
    account: &'a Account,
    gives_up_at: Option<SystemTime>,
}

impl Workshop {
    /// Works for `duration_ms`, and says how much CPU that took. `gives_up_at` is when the caller gives
    /// up; it changes nothing but the account.
    ///
    /// # Errors
    /// [`WorkError::Duration`].
    pub async fn work(
        &self,
        duration_ms: i32,
        gives_up_at: Option<SystemTime>,
    ) -> Result<Duration, WorkError> {
        let duration = duration(duration_ms)?;
        let under_way = UnderWay::begin(&self.account, gives_up_at);
        let end = Instant::now() + duration;
        let mut next = Instant::now();
        let mut cpu = Duration::ZERO;
        while next < end {
            cpu += under_way.slice();
            next += SLICE;
            sleep_until(next.min(end)).await;
        }
        Ok(cpu)
    }

    /// What was done.
    pub fn account(&self) -> &Account {
        &self.account
    }
}

/// The duration, if work may take so long.
///
/// # Errors
/// [`WorkError::Duration`].
pub fn duration(duration_ms: i32) -> Result<Duration, WorkError> {
    match u64::try_from(duration_ms) {
        Ok(ms) if (1..=LONGEST_MS).contains(&duration_ms) => Ok(Duration::from_millis(ms)),
        _ => Err(WorkError::Duration {
            duration_ms,
            longest_ms: LONGEST_MS,
        }),
    }
}

impl<'a> UnderWay<'a> {
    fn begin(account: &'a Account, gives_up_at: Option<SystemTime>) -> Self {
        account.begin();
        Self {
            account,
            gives_up_at,
        }
    }

    /// Burns what belongs to one slice.
    fn slice(&self) -> Duration {
        let late = !self.lateness().is_zero();
        let cpu = clock::burn(CPU_OF_SLICE);
        self.account.spend(cpu, late);
        cpu
    }

    /// How long ago the caller gave up; zero when it has not.
    fn lateness(&self) -> Duration {
        self.gives_up_at
            .and_then(|at| at.elapsed().ok())
            .unwrap_or_default()
    }
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.account.end(self.lateness());
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn line(workshop: &Workshop, name: &str) -> f64 {
        let text = workshop.account().exposition();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn work_burns_a_tenth_of_its_time() {
        let workshop = Workshop::default();
        let cpu = workshop.work(200, None).await.unwrap();
        assert!(cpu >= 40 * CPU_OF_SLICE, "{cpu:?}");
        assert!(line(&workshop, "work_begun_total ") > 0.5);
        assert!(line(&workshop, "work_running ") < 0.5);
        assert!(line(&workshop, "work_after_caller_seconds_total ") <= 0.0);
        assert!(line(&workshop, "work_cpu_seconds_total ") >= 0.02);
    }

    #[tokio::test(start_paused = true)]
    async fn work_after_its_caller_gave_up_is_counted_apart() {
        let workshop = Workshop::default();
        let an_hour_ago = SystemTime::now() - Duration::from_hours(1);
        workshop.work(5, Some(an_hour_ago)).await.unwrap();
        let late = line(&workshop, "work_after_caller_seconds_max ");
        assert!((3_600.0..7_200.0).contains(&late), "{late}");
        let cpu = line(&workshop, "work_cpu_after_caller_seconds_total ");
        assert!(cpu >= 0.000_5, "{cpu}");
    }

    #[tokio::test]
    async fn work_that_is_dropped_is_over() {
        let workshop = Workshop::default();
        let mut work = Box::pin(workshop.work(1_000, None));
        assert!(futures_util::poll!(work.as_mut()).is_pending());
        assert!(line(&workshop, "work_running ") > 0.5);
        drop(work);
        assert!(line(&workshop, "work_running ") < 0.5);
    }

    #[tokio::test]
    async fn a_duration_that_no_work_has_is_named() {
        for ms in [0, -1, 1_001] {
            let error = Workshop::default().work(ms, None).await.unwrap_err();
            assert!(error.to_string().contains(&ms.to_string()), "{error}");
        }
    }
}
