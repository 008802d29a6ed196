//! CPU time of the relay's thread.

use std::time::Duration;

/// Of the calling thread since its start; `None` where it cannot be read.
#[cfg(target_os = "linux")]
pub(super) fn of_this_thread() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
    Some(Duration::new(seconds, nanoseconds))
}

/// Of the calling thread since its start; `None` where it cannot be read.
#[cfg(not(target_os = "linux"))]
pub(super) fn of_this_thread() -> Option<Duration> {
    None
}
