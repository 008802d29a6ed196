//! What the statements that read expenses take.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

/// Counts statements and the time in which the database works on them. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct SqlMeter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    statements: AtomicU64,
    nanoseconds: AtomicU64,
    running: AtomicU64,
    most_running: AtomicU64,
}

/// What was counted since the start of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqlUsage {
    /// Statements that were begun.
    pub statements: u64,
    /// From handing each statement to its connection until its last row was here, added up. Waiting for
    /// a connection is not part of it.
    pub time: Duration,
    /// The most that ran at the same time.
    pub most_at_once: u64,
}

impl SqlMeter {
    /// Runs one statement, on a connection that is at hand.
    pub(super) async fn measure<T>(&self, statement: impl Future<Output = T>) -> T {
        let _running = Running::start(&self.0);
        statement.await
    }

    /// What was counted up to now.
    #[must_use]
    pub fn usage(&self) -> SqlUsage {
        SqlUsage {
            statements: self.0.statements.load(Relaxed),
            time: Duration::from_nanos(self.0.nanoseconds.load(Relaxed)),
            most_at_once: self.0.most_running.load(Relaxed),
        }
    }
}

/// A statement that is under way; one that is given up counts until then.
struct Running<'m> {
    counts: &'m Counts,
    start: Instant,
}

impl<'m> Running<'m> {
    fn start(counts: &'m Counts) -> Self {
        counts.statements.fetch_add(1, Relaxed);
        let running = counts.running.fetch_add(1, Relaxed) + 1;
        counts.most_running.fetch_max(running, Relaxed);
        Self {
            counts,
            start: Instant::now(),
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let nanoseconds = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.counts.nanoseconds.fetch_add(nanoseconds, Relaxed);
        self.counts.running.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::{join, pending};
    use tokio::{select, task::yield_now};

    use super::*;

    #[tokio::test]
    async fn statements_are_counted_whether_they_end_or_are_given_up() {
        let meter = SqlMeter::default();
        join(meter.measure(yield_now()), meter.measure(yield_now())).await;
        select! {
            () = meter.measure(pending()) => {}
            () = yield_now() => {}
        }
        meter.measure(async {}).await;
        let usage = meter.usage();
        assert_eq!((usage.statements, usage.most_at_once), (4, 2));
        assert!(usage.time > Duration::ZERO);
    }
}
