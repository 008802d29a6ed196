//! What happens to the stock: small events, made one by one as somebody takes them.
//!
//! The events are the same in every process and every stream. Nothing is made ahead, so a reader that
//! is slow slows the source, and one that leaves ends it.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use super::{DomainError, Timestamp};

/// Events of a stream when nobody says how many.
pub const USUAL_EVENTS: i32 = 1_000;
/// Events of the longest stream.
const MOST_EVENTS: i32 = 1_000_000;
const BOOKS: i32 = 50;
/// 2026-01-01T00:00:00Z; the events follow each other by the second.
const FIRST_AT_S: i64 = 1_767_225_600;

/// A change of one book's stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StockEvent {
    /// Counts from 1.
    pub id: i32,
    /// The book.
    pub book_id: i32,
    /// What happened.
    pub kind: EventKind,
    /// Copies, 1 to 9.
    pub amount: i32,
    /// When.
    pub at: Timestamp,
}

/// What happened to copies of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// They were sold.
    Sold,
    /// They came back.
    Returned,
    /// They came from the printer.
    Delivered,
}

/// Where events come from, and a count of those who watch. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct EventFeed {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    open: AtomicU64,
    made: AtomicU64,
}

/// The events of one stream, in order.
#[derive(Debug)]
pub struct Events {
    last_id: i32,
    count: i32,
    counts: Arc<Counts>,
}

impl EventFeed {
    /// A stream of `count` events, counted as open until it is dropped.
    ///
    /// # Errors
    /// [`DomainError::InvalidEventCount`].
    pub fn watch(&self, count: i32) -> Result<Events, DomainError> {
        if !(1..=MOST_EVENTS).contains(&count) {
            return Err(DomainError::InvalidEventCount {
                count,
                most: MOST_EVENTS,
            });
        }
        self.counts.open.fetch_add(1, Ordering::Relaxed);
        Ok(Events {
            last_id: 0,
            count,
            counts: Arc::clone(&self.counts),
        })
    }

    /// Streams that are open now.
    #[must_use]
    pub fn open_streams(&self) -> u64 {
        self.counts.open.load(Ordering::Relaxed)
    }

    /// Events that were made for streams that have ended since.
    #[must_use]
    pub fn events_made(&self) -> u64 {
        self.counts.made.load(Ordering::Relaxed)
    }
}

impl Iterator for Events {
    type Item = StockEvent;

    fn next(&mut self) -> Option<StockEvent> {
        if self.last_id == self.count {
            return None;
        }
        self.last_id += 1;
        Some(event(self.last_id))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.count - self.last_id).unwrap_or(0);
        (left, Some(left))
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        let made = u64::try_from(self.last_id).unwrap_or(0);
        self.counts.made.fetch_add(made, Ordering::Relaxed);
        self.counts.open.fetch_sub(1, Ordering::Relaxed);
    }
}

fn event(id: i32) -> StockEvent {
    StockEvent {
        id,
        book_id: 1 + (id - 1) % BOOKS,
        kind: match id % 10 {
            0 => EventKind::Delivered,
            5 => EventKind::Returned,
            _ => EventKind::Sold,
        },
        amount: 1 + id % 9,
        at: Timestamp {
            seconds: FIRST_AT_S + i64::from(id),
        },
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_stream_has_the_events_that_were_asked_for_and_counts_as_open_until_it_is_dropped() {
        let feed = EventFeed::default();
        let mut events = feed.watch(3).unwrap();
        assert_eq!((feed.open_streams(), feed.events_made()), (1, 0));
        assert_eq!(events.next(), Some(event(1)));
        let other = feed.watch(1).unwrap();
        assert_eq!(feed.open_streams(), 2);
        assert_eq!(events.map(|event| event.id).collect::<Vec<_>>(), [2, 3]);
        assert_eq!((feed.open_streams(), feed.events_made()), (1, 3));
        drop(other);
        assert_eq!((feed.open_streams(), feed.events_made()), (0, 3));
    }

    #[test]
    fn a_number_that_no_stream_has_is_refused() {
        let feed = EventFeed::default();
        for count in [0, -1, MOST_EVENTS + 1] {
            let error = feed.watch(count).unwrap_err();
            assert!(error.to_string().contains(&count.to_string()), "{error}");
        }
        assert_eq!(feed.open_streams(), 0);
    }

    #[test]
    fn every_kind_and_book_occurs_among_the_usual_events() {
        let events: Vec<_> = EventFeed::default().watch(USUAL_EVENTS).unwrap().collect();
        for kind in [EventKind::Sold, EventKind::Returned, EventKind::Delivered] {
            assert!(events.iter().any(|event| event.kind == kind), "{kind:?}");
        }
        assert!((1..=BOOKS).all(|book| events.iter().any(|event| event.book_id == book)));
        assert!(events.iter().all(|event| (1..=9).contains(&event.amount)));
    }
}
