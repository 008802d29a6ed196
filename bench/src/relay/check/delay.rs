//! Round trips through a relay.

use std::{
    io::{self, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use super::pair::Pair;
use crate::relay::Link;

/// Round trips of one byte over links upwards and downwards, after a first one that is not counted.
pub(super) fn round_trips(links: [Link; 2], count: usize) -> io::Result<Vec<Duration>> {
    let Pair {
        client,
        server,
        relay,
    } = Pair::over(links)?;
    let echoing = thread::spawn(move || echo(server));
    round_trip(&client)?;
    let trips = (0..count).map(|_| round_trip(&client)).collect();
    // The end of the connection ends the other thread.
    drop(client);
    echoing.join().ok();
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
    let mut byte = [0];
    while server.read_exact(&mut byte).is_ok() && server.write_all(&byte).is_ok() {}
}
