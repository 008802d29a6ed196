//! What is on the wire of one direction, in order, within its bound.

use std::{collections::VecDeque, time::Instant};

/// Bytes with the time at which each run of them is due.
#[derive(Debug)]
pub(super) struct DelayQueue {
    bytes: VecDeque<u8>,
    runs: VecDeque<Run>,
    bound: usize,
}

#[derive(Debug)]
struct Run {
    due: Instant,
    bytes: usize,
}

impl DelayQueue {
    /// An empty queue for at most `bound` bytes.
    pub(super) fn new(bound: usize) -> Self {
        Self {
            bytes: VecDeque::new(),
            runs: VecDeque::new(),
            bound,
        }
    }

    /// Bytes that still fit.
    pub(super) fn room(&self) -> usize {
        self.bound - self.bytes.len()
    }

    /// Adds a run behind the others; a caller stays within [`DelayQueue::room`].
    pub(super) fn push(&mut self, bytes: &[u8], due: Instant) {
        debug_assert!(bytes.len() <= self.room(), "the queue is bounded");
        self.bytes.extend(bytes);
        self.runs.push_back(Run {
            due,
            bytes: bytes.len(),
        });
    }

    /// When the first run is due.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.runs.front().map(|run| run.due)
    }

    /// The first bytes, as far as they are due at `now` and lie together in memory.
    pub(super) fn due(&self, now: Instant) -> &[u8] {
        let due = self.runs.iter().take_while(|run| run.due <= now);
        let count: usize = due.map(|run| run.bytes).sum();
        let (first, _) = self.bytes.as_slices();
        &first[..count.min(first.len())]
    }

    /// Takes the first `count` bytes away.
    pub(super) fn pop(&mut self, count: usize) {
        self.bytes.drain(..count);
        let mut left = count;
        while let Some(run) = self.runs.front_mut() {
            if run.bytes > left {
                run.bytes -= left;
                return;
            }
            left -= run.bytes;
            self.runs.pop_front();
        }
    }

    /// Takes everything away.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.runs.clear();
    }

    /// Bytes in it.
    pub(super) fn held(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn only_what_is_due_comes_out_and_in_order() {
        let start = Instant::now();
        let mut queue = DelayQueue::new(10);
        queue.push(b"abc", start + MS);
        queue.push(b"de", start + MS * 2);
        assert_eq!(queue.next_due(), Some(start + MS));
        assert_eq!(queue.due(start), b"");
        assert_eq!(queue.due(start + MS), b"abc");
        assert_eq!(queue.due(start + MS * 2), b"abcde");
        queue.pop(2);
        assert_eq!(queue.due(start + MS), b"c");
        queue.pop(1);
        assert_eq!(queue.next_due(), Some(start + MS * 2));
        assert_eq!((queue.room(), queue.held()), (8, 2));
        queue.pop(2);
        assert_eq!(queue.next_due(), None);
    }

    #[test]
    fn bytes_that_wrap_around_come_out_in_two_parts() {
        let start = Instant::now();
        let mut queue = DelayQueue::new(1_000);
        let mut expected = 0_u8;
        let mut pushed = 0_u8;
        for round in 0..200 {
            for _ in 0..3 {
                let piece: Vec<u8> = (0..7).map(|n| pushed.wrapping_add(n)).collect();
                queue.push(&piece, start);
                pushed = pushed.wrapping_add(7);
            }
            let keep = if round % 2 == 0 { 5 } else { 0 };
            while queue.bytes.len() > keep {
                let out = queue.due(start);
                let count = out.len().min(queue.bytes.len() - keep);
                for byte in &out[..count] {
                    assert_eq!(*byte, expected);
                    expected = expected.wrapping_add(1);
                }
                queue.pop(count);
            }
        }
        assert_eq!(expected, pushed);
    }

    #[test]
    fn cleared_it_has_all_its_room_again() {
        let mut queue = DelayQueue::new(4);
        queue.push(b"abcd", Instant::now());
        assert_eq!(queue.room(), 0);
        queue.clear();
        assert_eq!((queue.room(), queue.next_due()), (4, None));
    }
}
