//! CPU clocks of the operating system.

use std::{hint, time::Duration};

/// CPU time of this process so far, user and system, over all threads including finished ones;
/// `None` where the system has no such clock.
pub fn process_cpu() -> Option<Duration> {
    #[cfg(unix)]
    return read(libc::CLOCK_PROCESS_CPUTIME_ID);
    #[cfg(not(unix))]
    None
}

/// CPU time of the calling thread so far, user and system; `None` where there is no such clock.
pub fn thread_cpu() -> Option<Duration> {
    #[cfg(unix)]
    return read(libc::CLOCK_THREAD_CPUTIME_ID);
    #[cfg(not(unix))]
    None
}

/// Uses at least this much CPU time of the calling thread, and says how much it was. Thread time,
/// because a thread that waits for a core burns nothing.
pub fn burn(amount: Duration) -> Duration {
    let Some(start) = thread_cpu() else {
        return Duration::ZERO;
    };
    loop {
        let used = thread_cpu().map_or(amount, |now| now.saturating_sub(start));
        if used >= amount {
            return used;
        }
        for _ in 0..64 {
            hint::spin_loop();
        }
    }
}

#[cfg(unix)]
fn read(clock: libc::clockid_t) -> Option<Duration> {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place for one timespec and lives over the call.
    let status = unsafe { libc::clock_gettime(clock, &raw mut time) };
    let seconds = u64::try_from(time.tv_sec).ok()?;
    let nanoseconds = u32::try_from(time.tv_nsec).ok()?;
    (status == 0).then(|| Duration::new(seconds, nanoseconds))
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn burning_uses_what_was_asked_for() {
        let amount = Duration::from_millis(2);
        assert!(burn(amount) >= amount);
    }

    #[test]
    fn work_moves_both_clocks() {
        let work = Duration::from_millis(2);
        let process_target = process_cpu().unwrap() + work;
        let thread_target = thread_cpu().unwrap() + work;
        while thread_cpu().unwrap() < thread_target {}
        assert!(process_cpu().unwrap() >= process_target);
    }
}
