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

/// One of the virtual users of a run.
pub(super) struct User<C> {
    /// Its connections and what it does with them.
    pub client: C,
    /// Longest time that an operation may take.
    pub timeout: Duration,
    /// Whether each operation has connections of its own.
    pub new_connections: bool,
}

impl<C: Client> User<C> {
    /// Carries out operations until the schedule has no more, then closes the connections.
    pub(super) async fn run(self, schedule: Rc<Schedule>, tally: Rc<Tally>) -> io::Result<()> {
        let mut client = self.client;
        let mut watchdog = Watchdog::new(self.timeout);
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
                if self.new_connections {
                    client.reset();
                }
            }
        }
        client.close().await;
        Ok(())
    }
}
