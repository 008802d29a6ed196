//! What the standard library does not offer for child processes: what they used, and signals.

use std::{
    io, mem::MaybeUninit, os::unix::process::ExitStatusExt, process::ExitStatus, time::Duration,
};

/// What a process has used in its whole life.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// User and system time.
    pub cpu: Duration,
    /// The most memory that it had at once: RSS.
    pub peak_bytes: u64,
}

/// Waits for a child and tells what it has used.
pub fn wait(pid: u32) -> io::Result<(ExitStatus, Usage)> {
    let pid = signed(pid)?;
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    loop {
        // SAFETY: both pointers are valid places to write to for the length of the call.
        let waited = unsafe { libc::wait4(pid, &raw mut status, 0, usage.as_mut_ptr()) };
        if waited == pid {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    // SAFETY: all-zero is a valid `rusage`, and a successful `wait4` has filled it.
    let usage = unsafe { usage.assume_init() };
    let usage = Usage {
        cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
        // Linux tells it in KiB.
        peak_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
    };
    Ok((ExitStatus::from_raw(status), usage))
}

/// Sends a signal to a child that has not been waited for.
pub fn signal(pid: u32, signal: libc::c_int) -> io::Result<()> {
    // SAFETY: `kill` touches no memory of ours.
    if unsafe { libc::kill(signed(pid)?, signal) } == 0 {
        return Ok(());
    }
    Err(io::Error::last_os_error())
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let micros = u64::try_from(time.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}

fn signed(pid: u32) -> io::Result<libc::pid_t> {
    libc::pid_t::try_from(pid).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::process::Command;

    use super::*;

    #[test]
    #[expect(
        clippy::zombie_processes,
        reason = "the call under test is what waits for it"
    )]
    fn a_waited_child_reports_its_status_and_what_it_used() {
        let child = Command::new("sh")
            .args([
                "-c",
                "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; exit 3",
            ])
            .spawn()
            .unwrap();
        let (status, usage) = wait(child.id()).unwrap();
        assert_eq!(status.code(), Some(3));
        assert!(usage.cpu > Duration::ZERO);
        assert!(usage.peak_bytes > 100_000, "{usage:?}");
    }
}
