//! One direction of a link: how late, how slow.

use std::time::{Duration, Instant};

use super::BitRate;

/// What a wire without a rate counts as when its room is worked out.
const UNLIMITED_BIT_PER_S: f64 = 1e9;
/// A piece is never smaller than what one Ethernet frame carries of a TCP stream.
const SMALLEST_PIECE_BYTES: usize = 1_460;
/// The largest piece, and what is read at once.
pub(super) const LARGEST_PIECE_BYTES: usize = 64 << 10;
/// Time on the wire that a piece of a fast link stands for; with smaller ones the relay would wake up
/// for every frame.
const PIECE_TIME: Duration = Duration::from_micros(200);

/// One direction of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Link {
    /// From the last bit sent to the last bit received.
    pub delay: Duration,
    /// What the wire carries; as much as the machine can when `None`.
    pub rate: Option<BitRate>,
}

impl Link {
    /// Bytes that may be on the wire at once.
    #[must_use]
    pub fn bytes_in_flight(&self) -> usize {
        let rate = self.rate.unwrap_or(BitRate::new(UNLIMITED_BIT_PER_S));
        rate.bytes_in(self.delay)
    }

    /// Bytes that are delivered together.
    pub(super) fn piece_bytes(&self) -> usize {
        self.rate.map_or(LARGEST_PIECE_BYTES, |rate| {
            rate.bytes_in(PIECE_TIME)
                .clamp(SMALLEST_PIECE_BYTES, LARGEST_PIECE_BYTES)
        })
    }
}

/// Tells when each piece that enters a wire leaves it.
#[derive(Debug)]
pub(super) struct Wire {
    link: Link,
    /// When the wire has carried all that entered it.
    free_at: Instant,
}

impl Wire {
    /// A wire that nothing enters before `opened`.
    pub(super) fn new(link: Link, opened: Instant) -> Self {
        Self {
            link,
            free_at: opened,
        }
    }

    /// When `bytes` that enter at `now` have left the other end.
    pub(super) fn carry(&mut self, bytes: usize, now: Instant) -> Instant {
        self.free_at = self.free_at.max(now);
        if let Some(rate) = self.link.rate {
            self.free_at += rate.time_of(bytes);
        }
        self.free_at + self.link.delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn link(delay_ms: u32, bit_per_s: Option<f64>) -> Link {
        Link {
            delay: MS * delay_ms,
            rate: bit_per_s.map(BitRate::new),
        }
    }

    #[test]
    fn without_a_rate_everything_is_late_by_the_delay() {
        let start = Instant::now();
        let mut wire = Wire::new(link(20, None), start);
        for at in [0, 1, 1, 50] {
            let now = start + MS * at;
            assert_eq!(wire.carry(1 << 20, now), now + MS * 20);
        }
    }

    #[test]
    fn pieces_queue_behind_each_other_and_an_idle_wire_saves_nothing() {
        let start = Instant::now();
        let mut wire = Wire::new(link(5, Some(8e6)), start);
        // 1,000 bytes are one millisecond.
        assert_eq!(wire.carry(1_000, start), start + MS * 6);
        assert_eq!(wire.carry(2_000, start), start + MS * 8);
        assert_eq!(wire.carry(1_000, start + MS * 100), start + MS * 106);
    }

    #[test]
    fn nothing_enters_before_the_wire_is_open() {
        let start = Instant::now();
        let mut wire = Wire::new(link(5, None), start + MS * 40);
        assert_eq!(wire.carry(1, start), start + MS * 45);
    }

    #[test]
    fn room_and_pieces_follow_the_rate() {
        assert_eq!(link(20, Some(20e6)).bytes_in_flight(), 50_000);
        assert_eq!(link(0, Some(20e6)).bytes_in_flight(), 0);
        assert_eq!(link(200, None).bytes_in_flight(), 25_000_000);
        assert_eq!(link(0, Some(1e6)).piece_bytes(), SMALLEST_PIECE_BYTES);
        assert_eq!(link(0, Some(100e6)).piece_bytes(), 2_500);
        assert_eq!(link(0, None).piece_bytes(), LARGEST_PIECE_BYTES);
    }
}
