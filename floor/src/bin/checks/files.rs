//! How many files a process may have open: every connection is one.

use std::mem::MaybeUninit;

/// Files that a process has open beside its connections.
const OTHER_FILES: u64 = 100;

/// Raises the soft limit of this process, and so of its children, as far as the system allows.
/// Where that fails the limit stays, and [`too_few_for`] tells what it does not allow.
pub fn raise_limit() {
    if let Some(mut limit) = limit() {
        limit.rlim_cur = limit.rlim_max;
        // SAFETY: the pointer is valid for the length of the call, which only reads.
        let _ = unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) };
    }
}

/// Why a process cannot have as many connections, if that is so.
pub fn too_few_for(connections: u32) -> Option<String> {
    shortage(connections, limit()?.rlim_cur)
}

fn shortage(connections: u32, allowed: u64) -> Option<String> {
    let needed = u64::from(connections) + OTHER_FILES;
    (allowed < needed).then(|| {
        format!(
            "{connections} connections need {needed} open files, and `ulimit -n` allows {allowed}; \
             raise the hard limit (`ulimit -Hn`)"
        )
    })
}

/// Soft and hard limit; `None` when the system does not tell.
fn limit() -> Option<libc::rlimit> {
    let mut limit = MaybeUninit::<libc::rlimit>::zeroed();
    // SAFETY: the pointer is a valid place to write to for the length of the call.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, limit.as_mut_ptr()) };
    // SAFETY: all-zero is a valid `rlimit`, and a successful call has filled it.
    (result == 0).then(|| unsafe { limit.assume_init() })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_limit_that_is_too_low_is_named_with_its_remedy() {
        assert_eq!(shortage(1_000, 1_100), None);
        assert_eq!(shortage(10_000, libc::RLIM_INFINITY), None);
        let reason = shortage(10_000, 4_096).unwrap();
        for part in ["10000", "10100", "4096", "ulimit -Hn"] {
            assert!(reason.contains(part), "{reason} has no {part}");
        }
    }

    #[test]
    fn the_soft_limit_rises_to_the_hard_one() {
        raise_limit();
        let limit = limit().unwrap();
        assert_eq!(limit.rlim_cur, limit.rlim_max);
        assert_eq!(too_few_for(0), None);
    }
}
