//! Validity gates that runs have tripped.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A validity gate that a run tripped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "gate", rename_all = "snake_case")]
pub enum Gate {
    /// Failed or wrong operations: the whole round is out.
    FailedOperations {
        /// How many.
        failed: u64,
        /// Of how many.
        of: u64,
        /// The most frequent reason.
        reason: String,
    },
    /// No operation succeeded.
    NoOperations,
    /// An open model could not start every iteration.
    DroppedIterations {
        /// Iterations never started.
        dropped: u64,
    },
    /// An open model started iterations late.
    LateStarts {
        /// Share of iterations started more than 1 ms late.
        share: f64,
    },
    /// Throughput times mean duration is not the number of virtual users.
    LittlesLaw {
        /// Operations per second times mean duration in seconds.
        concurrency: f64,
        /// Virtual users.
        vus: u32,
    },
    /// The load process was the limit.
    ClientBound {
        /// Share of its cores that the load process used.
        client_share: f64,
        /// Share of its cores that the server used.
        server_share: f64,
    },
    /// Other processes used the machine.
    ForeignCpu {
        /// Share of the machine's capacity.
        share: f64,
    },
    /// The hypervisor gave CPU to others.
    Steal {
        /// Share of the machine's capacity.
        share: f64,
    },
    /// The load process's byte count and the kernel's differ.
    ByteCount {
        /// Bytes counted at the sockets, both directions.
        counted: u64,
        /// Bytes counted by the kernel, both directions.
        kernel: u64,
    },
    /// The link was later than it should be.
    LateLink {
        /// 95 % of the pieces were handed on at most this late, in µs.
        late_p95_us: u64,
        /// The link's delay in each direction, in ms.
        delay_ms: f64,
    },
}

/// How often a gate was tripped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GateCount {
    /// The gate with the worst value seen.
    pub worst: Gate,
    /// Runs that tripped it.
    pub runs: u32,
}

impl Gate {
    /// Which gate it is, whatever its value: its place in the list of gates.
    #[must_use]
    pub fn kind(&self) -> u8 {
        match self {
            Self::FailedOperations { .. } => 0,
            Self::NoOperations => 1,
            Self::DroppedIterations { .. } => 2,
            Self::LateStarts { .. } => 3,
            Self::LittlesLaw { .. } => 4,
            Self::ClientBound { .. } => 5,
            Self::ForeignCpu { .. } => 6,
            Self::Steal { .. } => 7,
            Self::ByteCount { .. } => 8,
            Self::LateLink { .. } => 9,
        }
    }

    /// How bad its value is; comparable within one kind only.
    #[must_use]
    pub fn severity(&self) -> f64 {
        match *self {
            Self::FailedOperations { failed, of, .. } => failed as f64 / of as f64,
            Self::NoOperations => 1.0,
            Self::DroppedIterations { dropped } => dropped as f64,
            Self::LateStarts { share } | Self::ForeignCpu { share } | Self::Steal { share } => {
                share
            }
            Self::LittlesLaw { concurrency, vus } => (concurrency / f64::from(vus) - 1.0).abs(),
            Self::ClientBound {
                client_share,
                server_share,
            } => client_share - server_share,
            Self::ByteCount { counted, kernel } => counted.abs_diff(kernel) as f64,
            Self::LateLink { late_p95_us, .. } => late_p95_us as f64,
        }
    }
}
