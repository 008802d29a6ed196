//! A virtual user: one operation after another, as the schedule says.

use std::{
    io,
    rc::Rc,
    time::{Duration, Instant},
};

use tokio::time::sleep;

use super::{client::Client, schedule::Schedule, tally::Tally, watchdog::Watchdog};

/// Wait after the first of several connection failures; doubles with each.
const FIRST_BACKOFF: Duration = Duration::from_millis(10);
const LONGEST_BACKOFF: Duration = Duration::from_secs(1);

/// How it goes about its operations.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Longest time that one may take.
    pub timeout: Duration,
    /// Whether each has connections of its own; ending them is no part of it.
    pub new_connection: bool,
}

/// Carries out operations until the schedule has no more, then closes the connections.
pub(super) async fn run<C: Client>(
    mut client: C,
    schedule: Rc<Schedule>,
    tally: Rc<Tally>,
    manner: Manner,
) -> io::Result<()> {
    let mut watchdog = Watchdog::new(manner.timeout);
    let mut backoff = FIRST_BACKOFF;
    while let Some(start) = schedule.next().await? {
        tally.started(start.at, start.is_late());
        let outcome = watchdog.guard(start.at, client.operate()).await;
        let end = Instant::now();
        tally.ended(end, end.duration_since(start.due), &outcome);
        if outcome.is_err_and(|error| error.ends_connections()) {
            client.reset();
            // A target that is not there must cost neither CPU nor ports.
            sleep(backoff.min(schedule.until().saturating_duration_since(end))).await;
            backoff = (2 * backoff).min(LONGEST_BACKOFF);
        } else {
            backoff = FIRST_BACKOFF;
        }
        if manner.new_connection {
            client.close().await;
        }
    }
    client.close().await;
    Ok(())
}
