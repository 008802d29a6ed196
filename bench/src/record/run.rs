//! One run: a fresh server process, warmed up and measured once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LoadSummary;

/// One measured run of one row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The [`Row::id`](super::Row::id) that was measured.
    pub row: String,
    /// Round, from 1; a round holds every row once.
    pub round: u32,
    /// Position in the round, from 1.
    pub slot: u32,
    /// When the window opened (RFC 3339).
    #[schemars(with = "String")]
    pub started_at: jiff::Timestamp,
    /// What the load process did in the window.
    pub load: LoadSummary,
    /// CPU and memory over the window.
    pub usage: Usage,
    /// What the link between load and server did; absent where they met directly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<super::LinkUse>,
    /// What the server's database did; absent without one that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<super::SqlUse>,
    /// Gates that the run tripped; empty for a clean run.
    pub gates: Vec<super::Gate>,
}

/// Resources used in one window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Wall time of the window, in seconds: from the load process's start to its exit.
    pub window_s: f64,
    /// The server process.
    pub server: ProcessUsage,
    /// The load process.
    pub client: ProcessUsage,
    /// The whole machine; absent where it cannot be read.
    pub machine: Option<MachineUsage>,
}

/// Resources of one process in one window. Absent values could not be read here; the session's
/// [`Machine::cpu_meter`](super::Machine::cpu_meter) says why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProcessUsage {
    /// CPU time of all threads, finished ones included, in µs (from a nanosecond clock).
    pub cpu_us: Option<f64>,
    /// The part in user space, in µs; sampled by the kernel's tick, hence coarse.
    pub user_cpu_us_sampled: Option<f64>,
    /// The part in the kernel, in µs; sampled by the kernel's tick, hence coarse.
    pub system_cpu_us_sampled: Option<f64>,
    /// Time that runnable threads waited for a CPU, in µs; threads alive at the end only.
    pub run_queue_wait_us: Option<f64>,
    /// Highest resident memory in the life of the process, in bytes.
    pub peak_rss_bytes: Option<u64>,
}

/// CPU of the whole machine in one window, all cores together.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MachineUsage {
    /// Busy time of all processes and interrupts, in µs.
    pub busy_us: f64,
    /// Time that the hypervisor gave to others, in µs.
    pub steal_us: f64,
    /// Window times cores, in µs.
    pub capacity_us: f64,
}

impl Run {
    /// Server CPU per successful operation, in µs.
    #[must_use]
    pub fn server_cpu_us_per_op(&self) -> Option<f64> {
        per_op(self.usage.server.cpu_us?, self.load.operations)
    }

    /// Load process CPU per successful operation, in µs.
    #[must_use]
    pub fn client_cpu_us_per_op(&self) -> Option<f64> {
        per_op(self.usage.client.cpu_us?, self.load.operations)
    }

    /// CPU that neither server nor load process owns, per successful operation, in µs: foreign
    /// processes and kernel work nobody is billed for.
    #[must_use]
    pub fn other_cpu_us_per_op(&self) -> Option<f64> {
        let busy = self.usage.machine?.busy_us;
        let owned = self.usage.server.cpu_us? + self.usage.client.cpu_us?;
        per_op((busy - owned).max(0.0), self.load.operations)
    }

    /// Cores that the server kept busy over the window.
    #[must_use]
    pub fn server_cores_busy(&self) -> Option<f64> {
        self.cores(self.usage.server.cpu_us?)
    }

    /// Cores that the load process kept busy over the window.
    #[must_use]
    pub fn client_cores_busy(&self) -> Option<f64> {
        self.cores(self.usage.client.cpu_us?)
    }

    fn cores(&self, cpu_us: f64) -> Option<f64> {
        (self.usage.window_s > 0.0).then(|| cpu_us / (self.usage.window_s * 1e6))
    }

    /// Bytes sent per successful operation, headers and framing included.
    #[must_use]
    pub fn sent_bytes_per_op(&self) -> Option<f64> {
        per_op(self.load.sent_bytes as f64, self.load.operations)
    }

    /// Bytes received per successful operation, headers and framing included.
    #[must_use]
    pub fn received_bytes_per_op(&self) -> Option<f64> {
        per_op(self.load.received_bytes as f64, self.load.operations)
    }

    /// Bytes of request bodies per successful operation.
    #[must_use]
    pub fn sent_body_bytes_per_op(&self) -> Option<f64> {
        per_op(self.load.sent_body_bytes? as f64, self.load.operations)
    }

    /// Bytes of response bodies per successful operation.
    #[must_use]
    pub fn received_body_bytes_per_op(&self) -> Option<f64> {
        per_op(self.load.received_body_bytes? as f64, self.load.operations)
    }

    /// Statements to the database per successful operation.
    #[must_use]
    pub fn sql_statements_per_op(&self) -> Option<f64> {
        per_op(self.sql?.statements, self.load.operations)
    }

    /// Time that the server waited for its database per successful operation, in ms.
    #[must_use]
    pub fn sql_ms_per_op(&self) -> Option<f64> {
        per_op(self.sql?.seconds * 1e3, self.load.operations)
    }

    /// Requests per successful operation.
    #[must_use]
    pub fn requests_per_op(&self) -> Option<f64> {
        per_op(self.load.requests as f64, self.load.operations)
    }
}

fn per_op(amount: f64, operations: u64) -> Option<f64> {
    (operations > 0).then(|| amount / operations as f64)
}
