//! The contract between the wrapper and whatever drives the load.
//!
//! A load process is started as `EXE run SCRIPT --vus N --duration D -e KEY=VALUE …` (k6's command
//! line) and leaves this JSON in the file that the environment variable `BENCH_SUMMARY` names. Our
//! compiled `load`, the embedded script runner and the user's k6 (through the suite's
//! `handleSummary`) all write it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Samples;

/// Value of [`LoadSummary::contract`].
pub const LOAD_CONTRACT: &str = "bookstore-bench/load-summary/v1";

/// What one load process did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoadSummary {
    /// [`LOAD_CONTRACT`].
    pub contract: String,
    /// What drove the load.
    pub engine: Engine,
    /// File stem of the script, for example `a-rest`.
    pub script: String,
    /// Lines of an order; absent where the scenario has none.
    pub lines: Option<u32>,
    /// Virtual users.
    pub vus: u32,
    /// Wall time from the first operation's start to the last one's end, in seconds.
    pub elapsed_s: f64,
    /// Completed operations whose every check passed.
    pub operations: u64,
    /// Completed operations with a failed check or a failed request.
    pub failed_operations: u64,
    /// Up to five different reasons of failure, with how often each occurred.
    pub failures: Vec<Failure>,
    /// Iterations that an open model could not start at all; 0 in a closed loop.
    pub dropped_iterations: u64,
    /// Iterations that an open model started more than 1 ms after their due time; 0 in a closed loop.
    pub late_starts: u64,
    /// Requests sent.
    pub requests: u64,
    /// Duration of the successful operations; in an open model from the *intended* start.
    pub latency: Latency,
    /// Median time from the start of an operation to the first event of its stream, in ms; absent where
    /// operations are no streams.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_event_p50_ms: Option<f64>,
    /// Every operation of a sequential run; absent in other models. Dropped operations are in every
    /// count and in no time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
    /// Bytes written to the sockets, headers and framing included.
    pub sent_bytes: u64,
    /// Bytes read from the sockets, headers and framing included.
    pub received_bytes: u64,
    /// Bytes of request bodies (for gRPC and gRPC-Web: with the 5-byte message prefix).
    pub sent_body_bytes: Option<u64>,
    /// Bytes of response bodies (for gRPC and gRPC-Web: with prefixes and in-body trailers).
    pub received_body_bytes: Option<u64>,
    /// Bytes sent according to the kernel's TCP counters, where they can be read.
    pub kernel_sent_bytes: Option<u64>,
    /// Bytes received according to the kernel's TCP counters, where they can be read.
    pub kernel_received_bytes: Option<u64>,
    /// Connections opened.
    pub connections: Option<u64>,
}

/// What drove the load; figures of different engines are never mixed in one table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Engine {
    /// `load`, `script` or `k6`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Threads that drive virtual users; absent when the engine does not tell.
    pub workers: Option<u32>,
}

/// A reason why operations failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// What went wrong, with the offending value.
    pub reason: String,
    /// Operations that failed so.
    pub count: u64,
}

/// The distribution of operation durations in one run: exact order statistics with linear
/// interpolation between neighbours, as k6's trends have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Latency {
    /// Shortest, in ms.
    pub min_ms: f64,
    /// Arithmetic mean, in ms.
    pub mean_ms: f64,
    /// Median, in ms.
    pub p50_ms: f64,
    /// 95th percentile, in ms.
    pub p95_ms: f64,
    /// 99th percentile, in ms.
    pub p99_ms: f64,
    /// Longest, in ms.
    pub max_ms: f64,
}

impl fmt::Display for Engine {
    /// For example `load 0.1.0 with 2 workers`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} with ", self.name, self.version)?;
        match self.workers {
            Some(1) => write!(f, "1 worker"),
            Some(workers) => write!(f, "{workers} workers"),
            None => write!(f, "workers of its own"),
        }
    }
}

impl LoadSummary {
    /// Completed operations per second, failed ones excluded.
    #[must_use]
    pub fn ops_per_s(&self) -> f64 {
        if self.elapsed_s > 0.0 {
            self.operations as f64 / self.elapsed_s
        } else {
            0.0
        }
    }
}
