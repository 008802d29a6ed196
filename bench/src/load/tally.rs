//! What the virtual users of one worker have done.

use std::{
    cell::{Cell, RefCell},
    time::{Duration, Instant},
};

use measure::{TrafficTotals, Trend};

use super::failure::{Failures, OperationError};
use crate::record::{Samples, Sequence};

/// Counters that the virtual users of one thread share; complete at any moment, so that a stopped
/// run has its figures too.
#[derive(Debug)]
pub(super) struct Tally {
    requests: Cell<u64>,
    sent_body_bytes: Cell<u64>,
    received_body_bytes: Cell<u64>,
    operations: Cell<u64>,
    failed: Cell<u64>,
    late_starts: Cell<u64>,
    first_start: Cell<Option<Instant>>,
    last_end: Cell<Option<Instant>>,
    latency: RefCell<Trend>,
    first_event: RefCell<Trend>,
    failures: RefCell<Failures>,
    samples: Option<RefCell<SampleLog>>,
}

/// The times of each operation of a sequence.
#[derive(Debug, Default)]
struct SampleLog {
    /// How many of the first operations have no latency.
    drop: u32,
    full_ms: Vec<f64>,
    ttfb_ms: Vec<f64>,
    /// Of the operation that is under way.
    waited: Duration,
}

impl Tally {
    /// Keeps the times of each operation when the model is a `sequence`.
    pub(super) fn new(sequence: Option<Sequence>) -> Self {
        let log = |sequence: Sequence| SampleLog {
            drop: sequence.drop,
            ..SampleLog::default()
        };
        Self {
            samples: sequence.map(|sequence| RefCell::new(log(sequence))),
            requests: Cell::default(),
            sent_body_bytes: Cell::default(),
            received_body_bytes: Cell::default(),
            operations: Cell::default(),
            failed: Cell::default(),
            late_starts: Cell::default(),
            first_start: Cell::default(),
            last_end: Cell::default(),
            latency: RefCell::new(Trend::new()),
            first_event: RefCell::new(Trend::new()),
            failures: RefCell::default(),
        }
    }

    /// A request with this body is on its way.
    pub(super) fn request(&self, body_bytes: usize) {
        add(&self.requests, 1);
        add(&self.sent_body_bytes, body_bytes as u64);
    }

    /// A part of an answer's body has arrived.
    pub(super) fn body_received(&self, bytes: usize) {
        add(&self.received_body_bytes, bytes as u64);
    }

    /// The first event of a stream was there after this time, and the stream was as it should be.
    pub(super) fn first_event(&self, after: Duration) {
        self.first_event.borrow_mut().record(nanoseconds(after));
    }

    /// The moment, where times to the first byte are kept: take it when a request is sent.
    pub(super) fn clock(&self) -> Option<Instant> {
        self.samples.as_ref().map(|_| Instant::now())
    }

    /// The first byte of the answer is here to the request that was sent at this moment.
    pub(super) fn answered(&self, sent: Option<Instant>) {
        if let (Some(samples), Some(sent)) = (&self.samples, sent) {
            samples.borrow_mut().waited += sent.elapsed();
        }
    }

    /// An operation begins.
    pub(super) fn started(&self, at: Instant, late: bool) {
        if self.first_start.get().is_none() {
            self.first_start.set(Some(at));
        }
        add(&self.late_starts, u64::from(late));
    }

    /// An operation has ended; `latency` counts if it succeeded.
    pub(super) fn ended(
        &self,
        at: Instant,
        latency: Duration,
        outcome: &Result<(), OperationError>,
    ) {
        self.last_end.set(Some(at));
        let counts = self.keep_sample(latency);
        match outcome {
            Ok(()) => {
                add(&self.operations, 1);
                if counts {
                    self.latency.borrow_mut().record(nanoseconds(latency));
                }
            }
            Err(error) => {
                add(&self.failed, 1);
                self.failures.borrow_mut().add(error);
            }
        }
    }

    /// Keeps the times of an operation, where they are kept; whether its latency counts.
    fn keep_sample(&self, latency: Duration) -> bool {
        let Some(samples) = &self.samples else {
            return true;
        };
        let mut samples = samples.borrow_mut();
        let waited = std::mem::take(&mut samples.waited);
        samples.full_ms.push(milliseconds(latency));
        samples.ttfb_ms.push(milliseconds(waited));
        samples.full_ms.len() > samples.drop as usize
    }

    /// Everything so far, to be sent to another thread.
    pub(super) fn take(&self, traffic: TrafficTotals, dropped_iterations: u64) -> Counts {
        Counts {
            requests: self.requests.take(),
            sent_body_bytes: self.sent_body_bytes.take(),
            received_body_bytes: self.received_body_bytes.take(),
            operations: self.operations.take(),
            failed: self.failed.take(),
            late_starts: self.late_starts.take(),
            dropped_iterations,
            span: self.first_start.take().zip(self.last_end.take()),
            latency: self.latency.take(),
            first_event: self.first_event.take(),
            failures: self.failures.take(),
            samples: self.samples.as_ref().map(|samples| {
                let samples = samples.take();
                Samples {
                    dropped: samples.drop,
                    full_ms: samples.full_ms,
                    ttfb_ms: samples.ttfb_ms,
                }
            }),
            traffic,
        }
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// To a tenth of a microsecond, so that records stay short.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 1e4
}

fn add(counter: &Cell<u64>, more: u64) {
    counter.set(counter.get() + more);
}

/// The counts of one worker, or of several together.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub requests: u64,
    pub sent_body_bytes: u64,
    pub received_body_bytes: u64,
    pub operations: u64,
    pub failed: u64,
    pub late_starts: u64,
    pub dropped_iterations: u64,
    /// The first operation's start and the last one's end.
    pub span: Option<(Instant, Instant)>,
    pub latency: Trend,
    /// Times to the first event of each stream.
    pub first_event: Trend,
    pub failures: Failures,
    /// Of a sequence, which has one worker.
    pub samples: Option<Samples>,
    pub traffic: TrafficTotals,
}

impl Counts {
    /// Adds those of another worker.
    pub(super) fn merge(&mut self, other: Self) {
        self.requests += other.requests;
        self.sent_body_bytes += other.sent_body_bytes;
        self.received_body_bytes += other.received_body_bytes;
        self.operations += other.operations;
        self.failed += other.failed;
        self.late_starts += other.late_starts;
        self.dropped_iterations += other.dropped_iterations;
        self.span = match (self.span, other.span) {
            (Some((start, end)), Some((other_start, other_end))) => {
                Some((start.min(other_start), end.max(other_end)))
            }
            (one, other) => one.or(other),
        };
        self.latency.merge(other.latency);
        self.first_event.merge(other.first_event);
        self.failures.merge(other.failures);
        self.samples = self.samples.take().or(other.samples);
        self.traffic += other.traffic;
    }

    /// Wall time from the first operation's start to the last one's end.
    pub(super) fn elapsed(&self) -> Duration {
        self.span
            .map_or(Duration::ZERO, |(start, end)| end.duration_since(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_span_of_merged_counts_covers_both() {
        let zero = Instant::now();
        let at = |ms| zero + Duration::from_millis(ms);
        let counts = |start, end| Counts {
            span: Some((at(start), at(end))),
            ..Counts::default()
        };
        let mut merged = Counts::default();
        assert_eq!(merged.elapsed(), Duration::ZERO);
        merged.merge(counts(5, 20));
        merged.merge(counts(3, 10));
        merged.merge(Counts::default());
        assert_eq!(merged.elapsed(), Duration::from_millis(17));
    }

    #[test]
    fn a_sequence_keeps_each_operation_and_drops_the_first() {
        let tally = Tally::new(Some(Sequence {
            repetitions: 3,
            drop: 1,
            pause_ms: 0.0,
        }));
        let now = Instant::now();
        for ms in 1..=3 {
            tally.started(now, false);
            let latency = Duration::from_millis(ms);
            let sent = tally.clock().and_then(|sent| sent.checked_sub(latency));
            tally.answered(sent);
            tally.ended(now + latency, latency, &Ok(()));
        }
        let counts = tally.take(TrafficTotals::default(), 0);
        assert_eq!((counts.operations, counts.latency.len()), (3, 2));
        let samples = counts.samples.expect("a sequence has samples");
        assert_eq!((samples.dropped, samples.full_ms), (1, vec![1.0, 2.0, 3.0]));
        let waited = samples.ttfb_ms.iter().zip([1.0, 2.0, 3.0]);
        assert!({ waited }.all(|(found, least)| *found >= least));
        assert_eq!(Tally::new(None).clock(), None);
    }

    #[test]
    fn only_successful_operations_have_a_latency() {
        let tally = Tally::new(None);
        let now = Instant::now();
        let late = Duration::from_millis(3);
        tally.started(now, false);
        tally.ended(now + late, late, &Ok(()));
        tally.started(now, true);
        tally.ended(now, late, &Err(OperationError::Silent(late)));
        let counts = tally.take(TrafficTotals::default(), 4);
        assert_eq!((counts.operations, counts.failed), (1, 1));
        assert_eq!((counts.late_starts, counts.dropped_iterations), (1, 4));
        assert_eq!(counts.latency.len(), 1);
        assert_eq!(counts.elapsed(), Duration::ZERO);
    }
}
