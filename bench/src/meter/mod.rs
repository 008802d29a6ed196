//! CPU and memory of processes and of the machine.
//!
//! A [`Meter`] takes snapshots; the difference of two snapshots is what the record keeps. One file
//! per system; where nothing can be read, [`Meter::kind`] says why and the rest of the wrapper goes
//! on without those columns.

mod error;
#[cfg(target_os = "linux")]
mod linux;
mod snapshot;
mod system;
mod unsupported;
mod window;

pub use error::MeterError;
#[cfg(target_os = "linux")]
pub use linux::LinuxMeter;
pub use snapshot::{MachineSnapshot, ProcessSnapshot};
pub use system::{Meter, system_meter};
pub(crate) use system::{own_peak_rss_bytes, process_cpu_ns};
pub use unsupported::UnsupportedMeter;
pub use window::Window;
