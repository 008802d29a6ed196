//! What is found out about the machine.

use super::{Advice, logical_cores};
use crate::{build, meter::Meter, record::Machine};

/// The state of the machine, beyond what the record keeps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Kernel release.
    pub kernel: Option<String>,
    /// Processor model.
    pub cpu_model: Option<String>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
    /// Hypervisor, when the machine is virtual.
    pub hypervisor: Option<String>,
    /// Frequency governor of the first core.
    pub governor: Option<String>,
    /// Whether interrupt time is taken out of a process's CPU time.
    pub irq_time_accounting: Option<bool>,
    /// Load average over one minute.
    pub load_average: Option<f64>,
    /// TCP congestion control.
    pub tcp_congestion_control: Option<String>,
    /// Share of all CPU time since boot that the hypervisor gave to others.
    pub steal_share: Option<f64>,
    /// Whether it runs on battery.
    pub on_battery: bool,
}

impl State {
    /// Reads the state of this machine.
    #[cfg(target_os = "linux")]
    #[must_use]
    pub fn read() -> Self {
        super::linux::read(std::path::Path::new("/"))
    }

    /// Nothing is read on this system.
    #[cfg(not(target_os = "linux"))]
    #[must_use]
    pub fn read() -> Self {
        Self::default()
    }

    /// The facts for the record, with advice.
    #[must_use]
    pub fn into_machine(self, meter: &dyn Meter, logical_cores: u32) -> Machine {
        let cpu_meter = meter.kind();
        let advice = Advice::on(&self, &cpu_meter, logical_cores);
        Machine {
            os: std::env::consts::OS.to_owned(),
            kernel: self.kernel,
            cpu_model: self.cpu_model,
            logical_cores,
            memory_bytes: self.memory_bytes,
            hypervisor: self.hypervisor,
            governor: self.governor,
            irq_time_accounting: self.irq_time_accounting,
            load_average_x100: self.load_average.map(hundredths),
            tcp_congestion_control: self.tcp_congestion_control,
            cpu_meter,
            rustc: Some(build::RUSTC.to_owned()),
            advice: advice.iter().map(Advice::to_string).collect(),
        }
    }
}

/// Facts about this machine, with advice.
#[must_use]
pub fn collect(meter: &dyn Meter) -> Machine {
    State::read().into_machine(meter, logical_cores())
}

/// Whether this kernel offers `tc netem`; `None` when that cannot be told.
#[cfg(target_os = "linux")]
#[must_use]
pub fn has_netem() -> Option<bool> {
    super::linux::has_netem(std::path::Path::new("/"))
}

/// No other system has it.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn has_netem() -> Option<bool> {
    Some(false)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a float cast saturates, and a load average is neither negative nor that large"
)]
fn hundredths(load_average: f64) -> u32 {
    (load_average * 100.0).round() as u32
}
