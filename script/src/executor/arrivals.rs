//! Iterations of an open model, as the virtual users of all workers share them.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use tokio::sync::Semaphore;

use super::schedule::Schedule;
use crate::options::Executor;

/// How late an iteration may start because its virtual user came back late. A timer is only good
/// to about a millisecond; what is later than this had no virtual user and is dropped.
const LATE: Duration = Duration::from_millis(2);

/// Hands out iterations in the order in which they are due.
#[derive(Debug)]
pub(super) struct Arrivals {
    schedule: Schedule,
    next: AtomicU64,
    /// One permit for each virtual user that is wanted beyond the planned ones.
    wanted: Semaphore,
    spare: AtomicU64,
    /// Planned virtual users that have not asked for anything yet; they count as free.
    expected: AtomicU64,
}

/// What a free virtual user gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    /// When to start, from the scenario's begin; `None` when there is nothing left.
    pub(super) due: Option<Duration>,
    /// Iterations found dropped on the way.
    pub(super) dropped: u64,
}

impl Arrivals {
    pub(super) fn new(executor: &Executor) -> Option<Self> {
        Some(Self {
            schedule: Schedule::new(executor)?,
            next: AtomicU64::new(0),
            wanted: Semaphore::new(0),
            spare: AtomicU64::new(executor.max_vus() - executor.planned_vus()),
            expected: AtomicU64::new(executor.planned_vus()),
        })
    }

    /// Takes the first iteration of a planned virtual user, which has been free all the time: even
    /// one that is overdue because the user itself was slow to begin.
    pub(super) fn first_claim(&self) -> Claim {
        self.expected.fetch_sub(1, Relaxed);
        self.take(0)
    }

    /// Takes the next iteration that is not too late already.
    pub(super) fn claim(&self, elapsed: Duration) -> Claim {
        let dropped = self.drop_overdue(elapsed);
        self.take(dropped)
    }

    fn take(&self, dropped: u64) -> Claim {
        let number = self.next.fetch_add(1, Relaxed);
        Claim {
            due: self.schedule.due(number),
            dropped,
        }
    }

    /// Drops the iterations for which no virtual user came in time, and asks for another user for
    /// each of them.
    pub(super) fn drop_overdue(&self, elapsed: Duration) -> u64 {
        let mut dropped = 0;
        while self.expected.load(Relaxed) == 0 {
            let number = self.next.load(Relaxed);
            let is_overdue = |due: Duration| due + LATE < elapsed;
            if !self.schedule.due(number).is_some_and(is_overdue) {
                break;
            }
            let exchanged = self
                .next
                .compare_exchange(number, number + 1, Relaxed, Relaxed);
            if exchanged.is_ok() {
                dropped += 1;
                self.want_one();
            }
        }
        dropped
    }

    fn want_one(&self) {
        let taken = self
            .spare
            .fetch_update(Relaxed, Relaxed, |spare| spare.checked_sub(1));
        if taken.is_ok() {
            self.wanted.add_permits(1);
        }
    }

    /// Returns when a virtual user beyond the planned ones is wanted.
    pub(super) async fn until_wanted(&self) {
        if let Ok(permit) = self.wanted.acquire().await {
            permit.forget();
        }
    }

    /// Iterations that nobody took.
    pub(super) fn unclaimed(&self) -> u64 {
        self.schedule
            .count()
            .saturating_sub(self.next.load(Relaxed))
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn arrivals() -> Arrivals {
        Arrivals::new(&Executor::ConstantArrivalRate {
            rate: 10,
            time_unit: Duration::from_secs(1),
            duration: Duration::from_secs(1),
            pre_allocated_vus: 1,
            max_vus: 2,
        })
        .unwrap()
    }

    #[test]
    fn what_is_overdue_is_dropped_and_the_next_is_taken() {
        let arrivals = arrivals();
        assert_eq!(arrivals.drop_overdue(Duration::from_millis(50)), 0);
        let first = arrivals.first_claim();
        assert_eq!((first.due, first.dropped), (Some(Duration::ZERO), 0));
        // Due at 100 and 200 ms, a millisecond late at 301 ms is still good.
        let second = arrivals.claim(Duration::from_millis(301));
        assert_eq!(
            (second.due, second.dropped),
            (Some(Duration::from_millis(300)), 2)
        );
        assert_eq!(arrivals.unclaimed(), 6);
        let end = arrivals.claim(Duration::from_secs(2));
        assert_eq!((end.due, end.dropped), (None, 6));
    }

    #[tokio::test]
    async fn dropped_iterations_ask_for_spare_users_only() {
        let arrivals = arrivals();
        arrivals.first_claim();
        arrivals.drop_overdue(Duration::from_millis(450));
        arrivals.until_wanted().await;
        assert_eq!(arrivals.wanted.available_permits(), 0);
    }
}
