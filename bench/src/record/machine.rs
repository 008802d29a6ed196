//! The machine, as far as it bears on the figures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Facts about the machine that measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// `linux`, `macos`, …
    pub os: String,
    /// Kernel release.
    pub kernel: Option<String>,
    /// Processor model.
    pub cpu_model: Option<String>,
    /// Logical cores that this process may use.
    pub logical_cores: u32,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Hypervisor, when the machine is virtual.
    pub hypervisor: Option<String>,
    /// Frequency governor of the first core.
    pub governor: Option<String>,
    /// Whether the kernel takes interrupt time out of a process's CPU time; µs/op are not comparable
    /// between machines that differ in it.
    pub irq_time_accounting: Option<bool>,
    /// Load average over one minute before the session, times 100.
    pub load_average_x100: Option<u32>,
    /// TCP congestion control.
    pub tcp_congestion_control: Option<String>,
    /// How CPU time is read, or why it cannot be.
    pub cpu_meter: CpuMeter,
    /// Compiler that built the wrapper and the server.
    pub rustc: Option<String>,
    /// Advice on the machine's state, in words.
    pub advice: Vec<String>,
}

/// How CPU time is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "meter", rename_all = "snake_case")]
pub enum CpuMeter {
    /// The process CPU clock: nanoseconds, all threads, finished ones included.
    ProcessCpuClock,
    /// Not readable here; CPU columns are empty.
    Unavailable {
        /// Why, in words.
        reason: String,
    },
}
