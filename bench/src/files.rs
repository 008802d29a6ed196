//! How many files the process may have open: every connection is one.

#[cfg(unix)]
use std::mem::MaybeUninit;

/// What is tried when a system, as macOS does, names a hard limit that it does not grant.
#[cfg(unix)]
const FALLBACKS: [libc::rlim_t; 2] = [65_536, 10_240];

/// Raises the soft limit of this process, and so of its children, as far as the system allows; k6
/// does so too. Where it fails the limit stays.
pub fn raise_limit() {
    #[cfg(unix)]
    if let Some(limit) = limit() {
        let wanted = [limit.rlim_max].into_iter().chain(FALLBACKS);
        let _ = wanted
            .filter(|wanted| (limit.rlim_cur..=limit.rlim_max).contains(wanted))
            .any(|wanted| set_soft(limit, wanted));
    }
}

#[cfg(unix)]
fn set_soft(mut limit: libc::rlimit, soft: libc::rlim_t) -> bool {
    limit.rlim_cur = soft;
    // SAFETY: the pointer is valid for the length of the call, which only reads.
    unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &raw const limit) == 0 }
}

/// Soft and hard limit; `None` when the system does not tell.
#[cfg(unix)]
fn limit() -> Option<libc::rlimit> {
    let mut limit = MaybeUninit::<libc::rlimit>::zeroed();
    // SAFETY: the pointer is a valid place to write to for the length of the call.
    let result = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, limit.as_mut_ptr()) };
    // SAFETY: all-zero is a valid `rlimit`, and a successful call has filled it.
    (result == 0).then(|| unsafe { limit.assume_init() })
}

#[cfg(all(test, unix))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_rises_to_the_hard_one() {
        let before = limit().unwrap();
        // Not lower than what other tests of this process may need.
        assert!(set_soft(before, before.rlim_max - 1));
        raise_limit();
        assert_eq!(limit().unwrap().rlim_cur, before.rlim_max);
    }
}
