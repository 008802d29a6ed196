//! Cores.

use std::{num::NonZero, thread};

/// Logical cores that this process may use; affinity and a cgroup's quota are respected. 1 when the
/// system does not say.
#[must_use]
pub fn logical_cores() -> u32 {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    u32::try_from(cores).unwrap_or(u32::MAX)
}
