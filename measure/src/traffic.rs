//! Counters that many sockets share.

use std::{
    ops::AddAssign,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use crate::KernelBytes;

/// What the sockets of one worker carried. Sockets add to it; anybody may read it meanwhile.
///
/// Give each worker thread its own: then no two cores write the same counter.
#[derive(Debug, Default)]
pub struct Traffic {
    sent: AtomicU64,
    received: AtomicU64,
    sent_bodies: AtomicU64,
    received_bodies: AtomicU64,
    opened: AtomicU64,
    kernel_sent: AtomicU64,
    kernel_received: AtomicU64,
    kernel_unread: AtomicU64,
}

impl Traffic {
    /// Everything counted so far.
    #[must_use]
    pub fn totals(&self) -> TrafficTotals {
        let kernel_read = self.kernel_unread.load(Relaxed) == 0;
        TrafficTotals {
            sent_bytes: self.sent.load(Relaxed),
            received_bytes: self.received.load(Relaxed),
            sent_body_bytes: self.sent_bodies.load(Relaxed),
            received_body_bytes: self.received_bodies.load(Relaxed),
            connections: self.opened.load(Relaxed),
            kernel: kernel_read.then(|| KernelBytes {
                sent: self.kernel_sent.load(Relaxed),
                received: self.kernel_received.load(Relaxed),
            }),
        }
    }

    /// Adds the body of a request, of which a socket knows nothing: what is left without head, chunk
    /// sizes and frame heads.
    #[inline]
    pub fn sent_body(&self, bytes: usize) {
        self.sent_bodies.fetch_add(bytes as u64, Relaxed);
    }

    /// Adds the body of an answer, or a piece of it.
    #[inline]
    pub fn received_body(&self, bytes: usize) {
        self.received_bodies.fetch_add(bytes as u64, Relaxed);
    }

    pub(crate) fn opened(&self) {
        self.opened.fetch_add(1, Relaxed);
    }

    #[inline]
    pub(crate) fn sent(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Relaxed);
    }

    #[inline]
    pub(crate) fn received(&self, bytes: usize) {
        self.received.fetch_add(bytes as u64, Relaxed);
    }

    pub(crate) fn closed(&self, kernel: Option<KernelBytes>) {
        match kernel {
            Some(KernelBytes { sent, received }) => {
                self.kernel_sent.fetch_add(sent, Relaxed);
                self.kernel_received.fetch_add(received, Relaxed);
            }
            None => {
                self.kernel_unread.fetch_add(1, Relaxed);
            }
        }
    }
}

/// Totals of a [`Traffic`]; add the workers' totals with `+=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrafficTotals {
    /// Bytes written to the sockets.
    pub sent_bytes: u64,
    /// Bytes read from the sockets.
    pub received_bytes: u64,
    /// Bytes of request bodies, by those who sent them.
    pub sent_body_bytes: u64,
    /// Bytes of answers' bodies, by those who read them.
    pub received_body_bytes: u64,
    /// Connections opened.
    pub connections: u64,
    /// The kernel's counts over the connections *closed* so far; `None` when those of one
    /// connection could not be read.
    pub kernel: Option<KernelBytes>,
}

impl Default for TrafficTotals {
    /// Nothing carried.
    fn default() -> Self {
        Traffic::default().totals()
    }
}

impl AddAssign for TrafficTotals {
    fn add_assign(&mut self, other: Self) {
        self.sent_bytes += other.sent_bytes;
        self.received_bytes += other.received_bytes;
        self.sent_body_bytes += other.sent_body_bytes;
        self.received_body_bytes += other.received_body_bytes;
        self.connections += other.connections;
        self.kernel = match (self.kernel, other.kernel) {
            (Some(one), Some(two)) => Some(KernelBytes {
                sent: one.sent + two.sent,
                received: one.received + two.received,
            }),
            _ => None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unread_connection_makes_the_kernel_total_unknown() {
        let (known, unknown) = (Traffic::default(), Traffic::default());
        known.closed(Some(KernelBytes {
            sent: 3,
            received: 4,
        }));
        unknown.closed(None);
        let mut totals = TrafficTotals::default();
        totals += known.totals();
        assert_eq!(
            totals.kernel,
            Some(KernelBytes {
                sent: 3,
                received: 4
            })
        );
        totals += unknown.totals();
        assert_eq!(totals.kernel, None);
    }
}
