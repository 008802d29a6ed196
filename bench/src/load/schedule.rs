//! When the next operation of a worker starts.

use std::{
    cell::Cell,
    io,
    time::{Duration, Instant},
};

use tokio::sync::Mutex;

use crate::{record::Sequence, timer::Timer};

/// A start later than this after its due time is late.
const LATE: Duration = Duration::from_millis(1);

/// Hands out starts to the virtual users of one worker.
#[derive(Debug)]
pub(super) enum Schedule {
    /// At once, until the time is over.
    Closed { until: Instant },
    /// At once, so many times.
    Iterations { left: Cell<u64>, until: Instant },
    /// At equal distances.
    Open(Pacer),
    /// So many times, with a pause between.
    Sequence(Pauses),
}

/// One start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Start {
    /// When the operation should start; its duration counts from here.
    pub due: Instant,
    /// When it does start.
    pub at: Instant,
}

impl Start {
    /// Whether it comes more than 1 ms after its due time.
    pub(super) fn is_late(&self) -> bool {
        self.at.duration_since(self.due) > LATE
    }
}

impl Schedule {
    /// The next start, once it is there; `None` when there is none any more.
    pub(super) async fn next(&self) -> io::Result<Option<Start>> {
        let now = Instant::now();
        match self {
            Self::Closed { until } if now < *until => Ok(Some(Start { due: now, at: now })),
            Self::Iterations { left, until } if now < *until && left.get() > 0 => {
                left.set(left.get() - 1);
                Ok(Some(Start { due: now, at: now }))
            }
            Self::Closed { .. } | Self::Iterations { .. } => Ok(None),
            Self::Open(pacer) => pacer.next().await,
            Self::Sequence(pauses) => pauses.next().await,
        }
    }

    /// When no more operations start.
    pub(super) fn until(&self) -> Instant {
        match self {
            Self::Closed { until } | Self::Iterations { until, .. } => *until,
            Self::Open(pacer) => pacer.until,
            Self::Sequence(pauses) => pauses.until,
        }
    }

    /// Iterations that were due before `now`, or belong to a sequence, and never started.
    pub(super) fn dropped(&self, now: Instant) -> u64 {
        match self {
            Self::Closed { .. } | Self::Iterations { .. } => 0,
            Self::Open(pacer) => pacer.dropped(now),
            Self::Sequence(pauses) => pauses.left.get().into(),
        }
    }
}

/// The starts of one virtual user that pauses after each operation.
#[derive(Debug)]
pub(super) struct Pauses {
    timer: Timer,
    pause: Duration,
    begun: Cell<bool>,
    left: Cell<u32>,
    until: Instant,
}

impl Pauses {
    /// Needs a tokio runtime.
    pub(super) fn new(sequence: Sequence, until: Instant) -> io::Result<Self> {
        Ok(Self {
            timer: Timer::new()?,
            pause: sequence.pause(),
            begun: Cell::new(false),
            left: Cell::new(sequence.repetitions),
            until,
        })
    }

    async fn next(&self) -> io::Result<Option<Start>> {
        if self.begun.replace(true) && self.left.get() > 0 {
            self.timer.wait_until(Instant::now() + self.pause).await?;
        }
        let now = Instant::now();
        if now >= self.until || self.left.get() == 0 {
            return Ok(None);
        }
        self.left.set(self.left.get() - 1);
        Ok(Some(Start { due: now, at: now }))
    }
}

/// Every `of`-th iteration of the whole run, which starts iteration i at i / rate.
#[derive(Debug)]
pub(super) struct Pacer {
    /// Held by the one virtual user that waits for the next due time; the others queue up.
    turn: Mutex<Timer>,
    next: Cell<u64>,
    of: u64,
    rate: f64,
    start: Instant,
    until: Instant,
}

impl Pacer {
    /// Needs a tokio runtime. `worker` is this worker's place among `of`.
    pub(super) fn new(
        rate: f64,
        worker: u32,
        of: u32,
        start: Instant,
        until: Instant,
    ) -> io::Result<Self> {
        Ok(Self {
            turn: Mutex::new(Timer::new()?),
            next: Cell::new(worker.into()),
            of: of.into(),
            rate,
            start,
            until,
        })
    }

    async fn next(&self) -> io::Result<Option<Start>> {
        let timer = self.turn.lock().await;
        let Some(due) = self.due(self.next.get()) else {
            return Ok(None);
        };
        timer.wait_until(due).await?;
        let start = Start {
            due,
            at: Instant::now(),
        };
        // One that had to queue until the time was over is dropped; one that merely fell on the
        // last moment is not.
        if start.at >= self.until && start.is_late() {
            return Ok(None);
        }
        self.next.set(self.next.get() + self.of);
        Ok(Some(start))
    }

    /// Due time of an iteration, if it falls within the run.
    fn due(&self, iteration: u64) -> Option<Instant> {
        let offset = Duration::try_from_secs_f64(iteration as f64 / self.rate).ok()?;
        let due = self.start.checked_add(offset)?;
        (due < self.until).then_some(due)
    }

    fn dropped(&self, now: Instant) -> u64 {
        let mut dropped = 0;
        let mut iteration = self.next.get();
        while self.due(iteration).is_some_and(|due| due < now) {
            dropped += 1;
            iteration += self.of;
        }
        dropped
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn iterations_are_handed_out_exactly() {
        let schedule = Schedule::Iterations {
            left: Cell::new(3),
            until: Instant::now() + 60 * SECOND,
        };
        for _ in 0..3 {
            assert!(schedule.next().await.unwrap().is_some());
        }
        assert_eq!(schedule.next().await.unwrap(), None);
    }

    fn pauses(pause_ms: f64, until: Instant) -> Schedule {
        let sequence = Sequence {
            repetitions: 3,
            drop: 1,
            pause_ms,
        };
        Schedule::Sequence(Pauses::new(sequence, until).unwrap())
    }

    #[tokio::test]
    async fn a_sequence_pauses_between_its_operations() {
        let schedule = pauses(2.0, Instant::now() + 60 * SECOND);
        let mut starts = Vec::new();
        while let Some(start) = schedule.next().await.unwrap() {
            assert!(!start.is_late(), "a pause is no delay");
            starts.push(start.at);
        }
        assert_eq!(starts.len(), 3);
        let distances = starts.windows(2).map(|pair| pair[1] - pair[0]);
        assert!({ distances }.all(|distance| distance >= Duration::from_millis(2)));
        assert_eq!(schedule.dropped(Instant::now()), 0);
    }

    #[tokio::test]
    async fn what_a_sequence_had_no_time_for_is_dropped() {
        let schedule = pauses(0.0, Instant::now());
        assert_eq!(schedule.next().await.unwrap(), None);
        assert_eq!(schedule.dropped(Instant::now()), 3);
    }

    #[tokio::test]
    async fn nothing_starts_after_the_time_is_over() {
        let until = Instant::now();
        let left = Cell::new(9);
        assert_eq!(Schedule::Closed { until }.next().await.unwrap(), None);
        let schedule = Schedule::Iterations { left, until };
        assert_eq!(schedule.next().await.unwrap(), None);
        assert_eq!(schedule.dropped(until), 0);
    }

    #[tokio::test]
    async fn two_workers_share_the_due_times() {
        // A past start, so that every due time has come.
        let start = Instant::now().checked_sub(SECOND).unwrap();
        let until = start + 10 * SECOND;
        let even = Pacer::new(10.0, 0, 2, start, until).unwrap();
        let odd = Pacer::new(10.0, 1, 2, start, until).unwrap();
        for (pacer, tenth) in [(&even, 0), (&odd, 1), (&even, 2), (&odd, 3)] {
            let next = pacer.next().await.unwrap().unwrap();
            assert_eq!(next.due, start + tenth * SECOND / 10);
            assert!(next.is_late() && next.at > next.due);
        }
    }

    #[tokio::test]
    async fn what_was_due_and_never_started_is_dropped() {
        let start = Instant::now().checked_sub(10 * SECOND).unwrap();
        let until = start + SECOND;
        let pacer = Pacer::new(100.0, 0, 1, start, until).unwrap();
        // The time has been over for long: all hundred are dropped.
        assert_eq!(pacer.next().await.unwrap(), None);
        assert_eq!(pacer.dropped(Instant::now()), 100);
        // Stopped half-way: only what was due by then.
        assert_eq!(pacer.dropped(start + SECOND / 2), 50);
    }

    #[tokio::test]
    async fn a_start_waits_for_its_due_time() {
        let start = Instant::now();
        let pacer = Pacer::new(1000.0, 3, 8, start, start + SECOND).unwrap();
        let next = pacer.next().await.unwrap().unwrap();
        assert_eq!(next.due, start + 3 * Duration::from_millis(1));
        assert!(next.at >= next.due);
    }
}
