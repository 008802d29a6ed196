//! Being on time on a busy machine.

/// Puts the calling thread before all ordinary ones where the system allows it, which on Linux takes
/// root or `CAP_SYS_NICE`; tells whether it did.
#[cfg(target_os = "linux")]
pub(super) fn raise() -> bool {
    // The lowest priority of the real-time class: before ordinary threads, behind all others.
    let parameters = libc::sched_param { sched_priority: 1 };
    // SAFETY: 0 stands for the calling thread, and `parameters` lives over the call.
    unsafe { libc::sched_setscheduler(0, libc::SCHED_RR, &raw const parameters) == 0 }
}

/// Other systems have their own ways, none of which is taken.
#[cfg(not(target_os = "linux"))]
pub(super) fn raise() -> bool {
    false
}
