//! A scenario of a run, as all its virtual users share it.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use crate::options::Scenario;

/// A scenario and how far it is. Every thread may use it.
#[derive(Debug)]
pub(crate) struct ScenarioRun {
    /// What was asked for.
    pub(crate) scenario: Scenario,
    /// Its place among the scenarios.
    pub(crate) index: usize,
    /// Iterations started by all its virtual users.
    started: AtomicU64,
    /// Iterations that were claimed and perhaps never started.
    claimed: AtomicU64,
}

impl ScenarioRun {
    pub(crate) fn new(index: usize, scenario: Scenario) -> Self {
        Self {
            scenario,
            index,
            started: AtomicU64::new(0),
            claimed: AtomicU64::new(0),
        }
    }

    /// The number of the iteration that starts now, from 0.
    pub(super) fn start_iteration(&self) -> u64 {
        self.started.fetch_add(1, Relaxed)
    }

    /// Takes one of a number of iterations; `false` when all are taken.
    pub(super) fn claim(&self, of: u64) -> bool {
        self.claimed
            .fetch_update(Relaxed, Relaxed, |claimed| {
                (claimed < of).then_some(claimed + 1)
            })
            .is_ok()
    }

    /// How many of a number of iterations nobody took.
    pub(crate) fn unclaimed(&self, of: u64) -> u64 {
        of.saturating_sub(self.claimed.load(Relaxed))
    }

    /// When no more iterations start, for a run that begins at `began`.
    pub(crate) fn end(&self, began: Instant) -> Instant {
        began + self.scenario.start_time + self.scenario.executor.duration()
    }

    /// When running iterations are interrupted.
    pub(crate) fn hard_end(&self, began: Instant) -> Instant {
        self.end(began) + self.scenario.graceful_stop.min(FOREVER)
    }
}

/// More than any run lasts, and still a valid instant from now.
const FOREVER: Duration = Duration::from_hours(10 * 365 * 24);
