//! The kernel's own TCP byte counters.

/// Payload bytes of one connection as the kernel counted them, each byte once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KernelBytes {
    /// Bytes transmitted, retransmissions excluded.
    pub sent: u64,
    /// Bytes received in order.
    pub received: u64,
}

#[cfg(target_os = "linux")]
pub(crate) use linux::tcp_bytes;

#[cfg(target_os = "linux")]
mod linux {
    use std::{
        mem::{MaybeUninit, offset_of, size_of},
        os::fd::{AsRawFd, BorrowedFd},
        ptr::from_mut,
    };

    use super::KernelBytes;

    /// States in which the peer's FIN has arrived (`include/net/tcp_states.h`).
    const TIME_WAIT: u8 = 6;
    const CLOSE_WAIT: u8 = 8;
    const LAST_ACK: u8 = 9;
    const CLOSING: u8 = 11;

    /// Reads `TCP_INFO`; `None` when the kernel does not have these counters (before Linux 4.19).
    ///
    /// Sent is `tcpi_bytes_sent − tcpi_bytes_retrans`. Both count payload alone, so neither SYN
    /// nor FIN is in it; `tcpi_bytes_acked`, the older counter, has one more for the SYN that we
    /// sent and another for our FIN once it is acknowledged, and it lags behind what was sent.
    ///
    /// Received is `tcpi_bytes_received`, which advances with the sequence number and so has one
    /// more when the peer's FIN has arrived. The state tells that, except in CLOSE, which a reset
    /// leads to as well: there `read_end` decides, whether our side read the end of the stream.
    pub(crate) fn tcp_bytes(socket: BorrowedFd<'_>, read_end: bool) -> Option<KernelBytes> {
        let info = tcp_info(socket)?;
        let fin_received =
            read_end || [TIME_WAIT, CLOSE_WAIT, LAST_ACK, CLOSING].contains(&info.tcpi_state);
        Some(KernelBytes {
            sent: info.tcpi_bytes_sent.saturating_sub(info.tcpi_bytes_retrans),
            received: info
                .tcpi_bytes_received
                .saturating_sub(u64::from(fin_received)),
        })
    }

    fn tcp_info(socket: BorrowedFd<'_>) -> Option<libc::tcp_info> {
        let needed = offset_of!(libc::tcp_info, tcpi_bytes_retrans) + size_of::<u64>();
        let mut info = MaybeUninit::<libc::tcp_info>::zeroed();
        let mut length = libc::socklen_t::try_from(size_of::<libc::tcp_info>()).ok()?;
        // SAFETY: the descriptor is borrowed and thus open, `info` and `length` are valid for
        // writes, and `length` holds the size of `info`.
        let result = unsafe {
            libc::getsockopt(
                socket.as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_INFO,
                info.as_mut_ptr().cast(),
                from_mut(&mut length),
            )
        };
        if result != 0 || (length as usize) < needed {
            return None;
        }
        // SAFETY: the struct consists of integers, for which every bit pattern is valid, and all
        // of its bytes were zeroed before the kernel wrote a part of them.
        Some(unsafe { info.assume_init() })
    }
}
