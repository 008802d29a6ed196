//! Executors of scenarios, and what they are told.

use std::time::Duration;

/// How iterations are started; the names are k6's
/// (<https://grafana.com/docs/k6/latest/using-k6/scenarios/executors/>).
#[derive(Clone, Debug, PartialEq)]
pub enum Executor {
    /// A number of iterations that the users share.
    SharedIterations {
        /// Virtual users.
        vus: u64,
        /// Iterations of all together.
        iterations: u64,
        /// When to end at the latest.
        max_duration: Duration,
    },
    /// A number of iterations for each user.
    PerVuIterations {
        /// Virtual users.
        vus: u64,
        /// Iterations of each.
        iterations: u64,
        /// When to end at the latest.
        max_duration: Duration,
    },
    /// Users that iterate for some time: a closed loop.
    ConstantVus {
        /// Virtual users.
        vus: u64,
        /// How long.
        duration: Duration,
    },
    /// A number of users that changes.
    RampingVus {
        /// Virtual users at the beginning.
        start_vus: u64,
        /// What the number becomes.
        stages: Vec<Stage>,
        /// How long the iteration of a user that is taken away may go on.
        graceful_ramp_down: Duration,
    },
    /// Iterations at a fixed rate: an open model.
    ConstantArrivalRate {
        /// Iterations per `time_unit`.
        rate: u64,
        /// See `rate`.
        time_unit: Duration,
        /// How long.
        duration: Duration,
        /// Virtual users at the beginning.
        pre_allocated_vus: u64,
        /// Virtual users at most.
        max_vus: u64,
    },
    /// Iterations at a rate that changes.
    RampingArrivalRate {
        /// Iterations per `time_unit` at the beginning.
        start_rate: u64,
        /// See `start_rate`.
        time_unit: Duration,
        /// What the rate becomes.
        stages: Vec<Stage>,
        /// Virtual users at the beginning.
        pre_allocated_vus: u64,
        /// Virtual users at most.
        max_vus: u64,
    },
}

/// A part of a ramp: from where it is to the target, in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// How long.
    pub duration: Duration,
    /// Virtual users, or iterations per time unit, at its end.
    pub target: u64,
}

impl Executor {
    /// As k6 writes it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::SharedIterations { .. } => "shared-iterations",
            Self::PerVuIterations { .. } => "per-vu-iterations",
            Self::ConstantVus { .. } => "constant-vus",
            Self::RampingVus { .. } => "ramping-vus",
            Self::ConstantArrivalRate { .. } => "constant-arrival-rate",
            Self::RampingArrivalRate { .. } => "ramping-arrival-rate",
        }
    }

    /// When no more iterations are started, after the scenario's begin.
    #[must_use]
    pub fn duration(&self) -> Duration {
        match self {
            Self::SharedIterations { max_duration, .. }
            | Self::PerVuIterations { max_duration, .. } => *max_duration,
            Self::ConstantVus { duration, .. } | Self::ConstantArrivalRate { duration, .. } => {
                *duration
            }
            Self::RampingVus { stages, .. } | Self::RampingArrivalRate { stages, .. } => {
                stages.iter().map(|stage| stage.duration).sum()
            }
        }
    }

    /// Virtual users that are made before the run.
    #[must_use]
    pub fn planned_vus(&self) -> u64 {
        match self {
            Self::SharedIterations { vus, .. }
            | Self::PerVuIterations { vus, .. }
            | Self::ConstantVus { vus, .. } => *vus,
            Self::RampingVus {
                start_vus, stages, ..
            } => {
                let targets = stages.iter().map(|stage| stage.target);
                targets.chain([*start_vus]).max().unwrap_or(*start_vus)
            }
            Self::ConstantArrivalRate {
                pre_allocated_vus, ..
            }
            | Self::RampingArrivalRate {
                pre_allocated_vus, ..
            } => *pre_allocated_vus,
        }
    }

    /// Virtual users at most.
    #[must_use]
    pub fn max_vus(&self) -> u64 {
        match self {
            Self::ConstantArrivalRate { max_vus, .. }
            | Self::RampingArrivalRate { max_vus, .. } => *max_vus,
            other => other.planned_vus(),
        }
    }
}
