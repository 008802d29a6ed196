//! The end of a process: how it ended and what it used.

use std::{
    io, mem::MaybeUninit, os::unix::process::ExitStatusExt, process::ExitStatus, time::Duration,
};

use crate::{meter::process_cpu_ns, record::ProcessUsage};

/// How a process ended and what it used in its whole life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChildExit {
    /// Exit code or signal.
    pub status: ExitStatus,
    /// Wall time from just before its start to its end.
    pub ran_for: Duration,
    /// CPU time of all threads, in ns, by the process CPU clock; absent where there is none.
    pub cpu_ns: Option<u64>,
    /// CPU time in user space as `wait4` tells it, in steps of 1 µs; on Linux the split is sampled.
    pub user_cpu: Duration,
    /// CPU time in the kernel as `wait4` tells it, in steps of 1 µs; on Linux the split is sampled.
    pub system_cpu: Duration,
    /// Highest resident memory, in bytes; absent when it cannot be told from what the wrapper
    /// itself held at the fork, which the kernel counts in.
    pub peak_rss_bytes: Option<u64>,
}

impl ChildExit {
    /// The figures for the record. Run-queue wait ends with the threads, so it is unknown.
    #[must_use]
    pub fn usage(&self) -> ProcessUsage {
        let by_clock = self.cpu_ns.map(|ns| ns as f64 / 1000.0);
        let by_wait4 = microseconds(self.user_cpu + self.system_cpu);
        ProcessUsage {
            cpu_us: Some(by_clock.unwrap_or(by_wait4)),
            user_cpu_us_sampled: Some(microseconds(self.user_cpu)),
            system_cpu_us_sampled: Some(microseconds(self.system_cpu)),
            run_queue_wait_us: None,
            peak_rss_bytes: self.peak_rss_bytes,
        }
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Blocks until a child has ended, and leaves it unreaped: its id stays taken and its clock
/// readable.
pub(super) fn await_end(pid: libc::pid_t) -> io::Result<()> {
    let id = libc::id_t::try_from(pid).map_err(io::Error::other)?;
    let mut info = MaybeUninit::<libc::siginfo_t>::uninit();
    retry_interrupted(|| {
        // SAFETY: the call writes one `siginfo_t` to the address it is given, which is a live
        // local; nothing reads it.
        unsafe {
            libc::waitid(
                libc::P_PID,
                id,
                info.as_mut_ptr(),
                libc::WEXITED | libc::WNOWAIT,
            )
        }
    })
    .map(drop)
}

/// What a child that has ended used; reaps it. Between fork and exec a child holds a copy of the
/// wrapper's memory, which its `ru_maxrss` counts: a peak not above `rss_at_fork` may be that copy.
pub(super) fn reap(
    pid: libc::pid_t,
    ran_for: Duration,
    rss_at_fork: Option<u64>,
) -> io::Result<ChildExit> {
    // While the child is a zombie; once it is reaped the nanoseconds are gone.
    let cpu_ns = u32::try_from(pid).ok().and_then(process_cpu_ns);
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    retry_interrupted(|| {
        // SAFETY: the call writes an `int` and a `rusage` to the addresses it is given, both live
        // locals.
        unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) }
    })?;
    // SAFETY: a `rusage` holds integers only, for which zeroed memory is valid, and `wait4` has
    // filled it.
    let usage = unsafe { usage.assume_init() };
    let peak = rss_bytes(usage.ru_maxrss);
    Ok(ChildExit {
        status: ExitStatus::from_raw(status),
        ran_for,
        cpu_ns,
        user_cpu: duration(usage.ru_utime),
        system_cpu: duration(usage.ru_stime),
        peak_rss_bytes: peak.filter(|peak| rss_at_fork.is_none_or(|inherited| *peak > inherited)),
    })
}

/// `ru_maxrss` is in KiB, but for Apple's systems, where it is in bytes (getrusage(2) of each).
fn rss_bytes(max_rss: libc::c_long) -> Option<u64> {
    let unit = if cfg!(target_vendor = "apple") {
        1
    } else {
        1024
    };
    u64::try_from(max_rss).ok().map(|value| value * unit)
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let microseconds = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(microseconds)
}

/// Repeats a system call that a signal interrupted.
fn retry_interrupted(mut call: impl FnMut() -> libc::c_int) -> io::Result<libc::c_int> {
    loop {
        let answer = call();
        if answer >= 0 {
            return Ok(answer);
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}
