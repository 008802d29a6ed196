//! Round trips through a relay.

use std::{
    io::{self, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use super::pair::Pair;
use crate::relay::{Link, priority};

/// The median round trip through a relay without delay, at the pace that `delay` gives the others: who
/// was asleep for long wakes up more slowly, on a link as well as here.
pub(super) fn baseline(delay: Duration, count: usize) -> io::Result<Duration> {
    let mut trips = round_trips([Link::default(); 2], delay, count)?;
    trips.sort();
    let median = trips.get(trips.len() / 2).copied();
    median.ok_or_else(|| io::Error::other("no round trip was asked for"))
}

/// Round trips of one byte over links upwards and downwards, each after a `pause`; a first one is not
/// counted.
pub(super) fn round_trips(
    links: [Link; 2],
    pause: Duration,
    count: usize,
) -> io::Result<Vec<Duration>> {
    let Pair {
        client,
        server,
        relay,
    } = Pair::over(links)?;
    let echoing = thread::spawn(move || echo(server));
    let asking = thread::spawn(move || {
        // What else runs on the machine is not to count as the relay's error.
        priority::raise();
        round_trip(&client)?;
        (0..count)
            .map(|_| {
                thread::sleep(pause);
                round_trip(&client)
            })
            .collect()
    });
    let gone = |_| io::Error::other("a thread of the check is gone");
    let trips = asking.join().map_err(gone)?;
    // The end of the connection ended the other thread.
    echoing.join().map_err(gone)?;
    relay.stop().map_err(io::Error::other)?;
    trips
}

fn round_trip(mut client: &TcpStream) -> io::Result<Duration> {
    let start = Instant::now();
    client.write_all(&[1])?;
    client.read_exact(&mut [0])?;
    Ok(start.elapsed())
}

fn echo(mut server: TcpStream) {
    priority::raise();
    let mut byte = [0];
    while server.read_exact(&mut byte).is_ok() && server.write_all(&byte).is_ok() {}
}
