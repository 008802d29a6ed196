//! Facts about the machine, as far as they bear on the figures, and advice on its state.

mod advice;
mod cores;
#[cfg(target_os = "linux")]
mod first_line;
#[cfg(target_os = "linux")]
mod hypervisor;
#[cfg(target_os = "linux")]
mod kernel_config;
#[cfg(target_os = "linux")]
mod linux;
mod state;

pub use advice::Advice;
pub use cores::logical_cores;
pub use state::{State, collect, has_netem};
