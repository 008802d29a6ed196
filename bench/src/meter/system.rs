//! The seam between the wrapper and the system it runs on.

use super::{MachineSnapshot, MeterError, ProcessSnapshot};
use crate::record::CpuMeter;

/// Reads CPU and memory. Tests put their own in its place.
pub trait Meter: Send + Sync {
    /// How CPU time is read, or why it cannot be; found out by reading this very process.
    fn kind(&self) -> CpuMeter;

    /// Reads a process.
    ///
    /// # Errors
    ///
    /// Any [`MeterError`]; [`MeterError::Unavailable`] only where [`Meter::kind`] says so too.
    fn process(&self, pid: u32) -> Result<ProcessSnapshot, MeterError>;

    /// Reads the whole machine.
    ///
    /// # Errors
    ///
    /// Any [`MeterError`]; [`MeterError::Unavailable`] only where [`Meter::kind`] says so too.
    fn machine(&self) -> Result<MachineSnapshot, MeterError>;
}

/// The meter for the system that this executable was built for.
#[cfg(target_os = "linux")]
#[must_use]
pub fn system_meter() -> Box<dyn Meter> {
    Box::new(super::LinuxMeter::new())
}

/// The meter for the system that this executable was built for.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn system_meter() -> Box<dyn Meter> {
    Box::new(super::UnsupportedMeter::for_this_system())
}

/// CPU time of all threads of a process so far, in ns; also of one that ended and was not yet
/// waited for. `None` where there is no such clock.
#[cfg(target_os = "linux")]
pub(crate) fn process_cpu_ns(pid: u32) -> Option<u64> {
    super::linux::process_cpu_ns(pid).ok()
}

/// CPU time of a process; there is no such clock here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process_cpu_ns(_pid: u32) -> Option<u64> {
    None
}

/// Highest resident memory of the wrapper itself so far, in bytes; `None` where it cannot be read.
#[cfg(target_os = "linux")]
pub(crate) fn own_peak_rss_bytes() -> Option<u64> {
    super::linux::own_peak_rss_bytes()
}

/// Highest resident memory of the wrapper itself; not read here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn own_peak_rss_bytes() -> Option<u64> {
    None
}
