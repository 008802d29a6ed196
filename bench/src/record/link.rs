//! What the link between load and server did in a run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A link that a relay in user space played in the measured part of a run, both ports together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LinkUse {
    /// The delay in each direction, in ms.
    pub delay_ms: f64,
    /// What it carried in each direction, in bit/s; absent where it was not limited.
    pub bandwidth_bit_per_s: Option<f64>,
    /// Connections through it.
    pub connections: u64,
    /// Connections that the server refused or that broke before they were set up.
    pub failed_connections: u64,
    /// Bytes that reached the server.
    pub bytes_up: u64,
    /// Bytes that reached the load process.
    pub bytes_down: u64,
    /// Half of the pieces were handed on at most this late, in µs; absent when nothing was relayed.
    pub late_p50_us: Option<u64>,
    /// 95 % of the pieces were handed on at most this late, in µs; absent when nothing was relayed.
    pub late_p95_us: Option<u64>,
    /// Whether the system let the relay go before ordinary threads.
    pub goes_first: bool,
    /// CPU time of the relay, in µs, which is neither the server's nor the load process's; absent where
    /// it cannot be read.
    pub cpu_us: Option<f64>,
}
