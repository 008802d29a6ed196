//! Waking up on time: by the system's timer, but for the last bit, which waking up would make late.

use std::{
    cell::Cell,
    hint, io,
    time::{Duration, Instant},
};

use crate::timer::Timer;

/// Before it is known how long waking up takes here.
const FIRST_GUESS: Duration = Duration::from_micros(50);
/// The most that the clock is watched for, so that a busy machine does not make it dear.
const LONGEST_WATCH: Duration = Duration::from_micros(200);
/// The guess grows by so much when waking up took longer, and shrinks by a ninth of it otherwise: it
/// settles where nine of ten times are in time.
const STEP: Duration = Duration::from_micros(9);
const STEPS_IN_TIME: u32 = 9;

/// A timer that is set early by what waking up usually takes on this machine. It learns that from its own
/// waits: microseconds where pieces follow each other closely, more after a sleep.
#[derive(Debug)]
pub(super) struct Alarm {
    timer: Timer,
    early: Cell<Duration>,
}

impl Alarm {
    /// Needs a tokio runtime.
    ///
    /// # Errors
    /// The system gives no timer.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            timer: Timer::new()?,
            early: Cell::new(FIRST_GUESS),
        })
    }

    /// Returns at the moment, or at once when it is past.
    ///
    /// # Errors
    /// The timer fails.
    pub(super) async fn wait_until(&self, due: Instant) -> io::Result<()> {
        let early = self.early.get();
        if let Some(set_to) = due.checked_sub(early)
            && set_to > Instant::now()
        {
            self.timer.wait_until(set_to).await?;
            self.early.set(next(early, set_to.elapsed()));
        }
        while Instant::now() < due {
            hint::spin_loop();
        }
        Ok(())
    }
}

/// The next guess, after waking up took `took` and was given `early`.
fn next(early: Duration, took: Duration) -> Duration {
    if took > early {
        (early + STEP).min(LONGEST_WATCH)
    } else {
        early.saturating_sub(STEP / STEPS_IN_TIME)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[tokio::test]
    async fn it_never_rings_early() {
        let alarm = Alarm::new().unwrap();
        let start = Instant::now();
        for step in 0..=5 {
            let due = start + step * Duration::from_micros(700);
            alarm.wait_until(due).await.unwrap();
            assert!(Instant::now() >= due);
        }
    }

    #[test]
    fn the_guess_settles_where_nine_of_ten_are_in_time() {
        // Waking up takes 10 to 100 µs, one as often as the other, in a fixed order.
        let took = |nth: u64| Duration::from_micros(10 * (1 + nth * 7 % 10));
        let guesses = |first: Duration| {
            let mut early = first;
            let mut last = Vec::new();
            for nth in 0..2_000 {
                early = next(early, took(nth));
                last.push(early);
            }
            last.split_off(1_000)
        };
        for first in [Duration::ZERO, LONGEST_WATCH] {
            for guess in guesses(first) {
                let us = guess.as_micros();
                assert!((80..=110).contains(&us), "{us} µs from {first:?}");
            }
        }
    }

    #[test]
    fn no_machine_makes_it_watch_the_clock_for_long() {
        let mut early = FIRST_GUESS;
        for _ in 0..1_000 {
            early = next(early, Duration::from_secs(1));
        }
        assert_eq!(early, LONGEST_WATCH);
    }
}
