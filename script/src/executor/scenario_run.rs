//! A scenario of a run, as all its virtual users share it.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

use super::arrivals::Arrivals;
use crate::{
    log::Log,
    options::{Executor, Scenario},
};

/// A scenario and how far it is. Every thread may use it.
#[derive(Debug)]
pub(crate) struct ScenarioRun {
    /// What was asked for.
    pub(crate) scenario: Scenario,
    /// Iterations started by all its virtual users.
    started: AtomicU64,
    /// Iterations that are shared and were taken.
    claimed: AtomicU64,
    /// Whether dropped iterations were warned of.
    warned: AtomicBool,
    /// Those of an open model.
    arrivals: Option<Arrivals>,
}

/// More than any run lasts, and still a valid instant from now.
const FOREVER: Duration = Duration::from_hours(10 * 365 * 24);

impl ScenarioRun {
    pub(crate) fn new(scenario: Scenario) -> Self {
        Self {
            started: AtomicU64::new(0),
            claimed: AtomicU64::new(0),
            warned: AtomicBool::new(false),
            arrivals: Arrivals::new(&scenario.executor),
            scenario,
        }
    }

    /// The number of the iteration that starts now, from 0.
    pub(super) fn start_iteration(&self) -> u64 {
        self.started.fetch_add(1, Relaxed)
    }

    /// Takes one of a number of iterations; `false` when all are taken.
    pub(super) fn claim(&self, of: u64) -> bool {
        let next = |claimed| (claimed < of).then_some(claimed + 1);
        self.claimed.fetch_update(Relaxed, Relaxed, next).is_ok()
    }

    pub(super) fn arrivals(&self) -> Option<&Arrivals> {
        self.arrivals.as_ref()
    }

    /// Iterations that were due at the end of the scenario and that nobody came to.
    pub(crate) fn left_over(&self) -> u64 {
        match (&self.scenario.executor, &self.arrivals) {
            (Executor::SharedIterations { iterations, .. }, _) => {
                iterations.saturating_sub(self.claimed.load(Relaxed))
            }
            (_, Some(arrivals)) => arrivals.unclaimed(),
            _ => 0,
        }
    }

    /// Drops what is overdue, for a run that began at `began`; how many that were.
    pub(crate) fn drop_overdue(&self, began: Instant) -> u64 {
        let elapsed = Instant::now().checked_duration_since(self.start(began));
        match (&self.arrivals, elapsed) {
            (Some(arrivals), Some(elapsed)) => arrivals.drop_overdue(elapsed),
            _ => 0,
        }
    }

    /// Warns once that there are too few virtual users.
    pub(crate) fn warn_of_drops(&self, log: &Log) {
        if self.warned.swap(true, Relaxed) {
            return;
        }
        let (name, executor) = (&self.scenario.name, &self.scenario.executor);
        log.warn(format!(
            "Insufficient VUs in scenario {name}: iterations are dropped; there are {} VUs, and up \
             to {} may be started (maxVUs)",
            executor.planned_vus(),
            executor.max_vus(),
        ));
    }

    /// Whether virtual users may be added while it runs.
    pub(crate) fn has_spare_users(&self) -> bool {
        self.scenario.executor.max_vus() > self.scenario.executor.planned_vus()
    }

    /// Returns when another virtual user than the planned ones is wanted.
    pub(crate) async fn until_wanted(&self) {
        match &self.arrivals {
            Some(arrivals) => arrivals.until_wanted().await,
            None => std::future::pending().await,
        }
    }

    /// How much of it is over, 0 to 1.
    pub(crate) fn progress(&self, began: Instant) -> f64 {
        let started = self.started.load(Relaxed) as f64;
        match self.scenario.executor {
            Executor::SharedIterations { iterations, .. } => started / iterations as f64,
            Executor::PerVuIterations {
                vus, iterations, ..
            } => started / (vus * iterations) as f64,
            _ => {
                let elapsed = Instant::now().saturating_duration_since(self.start(began));
                let whole = self.scenario.executor.duration().as_secs_f64();
                (elapsed.as_secs_f64() / whole.max(f64::MIN_POSITIVE)).min(1.0)
            }
        }
    }

    /// When it begins, in a run that begins at `began`.
    pub(crate) fn start(&self, began: Instant) -> Instant {
        began + self.scenario.start_time.min(FOREVER)
    }

    /// When no more iterations start.
    pub(crate) fn end(&self, began: Instant) -> Instant {
        self.start(began) + self.scenario.executor.duration().min(FOREVER)
    }

    /// When running iterations are interrupted.
    pub(crate) fn hard_end(&self, began: Instant) -> Instant {
        self.end(began) + self.scenario.graceful_stop.min(FOREVER)
    }
}
