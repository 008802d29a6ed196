//! Transfers through a relay.

use std::{
    io::{self, Read as _, Write as _},
    net::TcpStream,
    thread,
    time::Instant,
};

use super::{Plan, Slowed, pair::Pair};
use crate::relay::{BitRate, Link, priority};

/// What each transfer came to, in Mbit/s.
pub(super) fn mbit_per_s(asked: BitRate, slowed: Slowed, plan: &Plan) -> io::Result<Vec<f64>> {
    let slow = Link {
        rate: Some(asked),
        ..Link::default()
    };
    let pair = Pair::over(slowed.links(slow))?;
    let (from, to) = match slowed {
        Slowed::Up => (&pair.client, &pair.server),
        Slowed::Down => (&pair.server, &pair.client),
    };
    let data = vec![0; asked.bytes_in(plan.transfer_time)];
    thread::scope(|scope| {
        let measuring = scope.spawn(|| {
            // What else runs on the machine is not to count as the relay's error.
            priority::raise();
            (0..plan.transfers)
                .map(|_| Ok(transfer(from, to, &data)? / 1e6))
                .collect()
        });
        let gone = |_| io::Error::other("a thread of the check is gone");
        measuring.join().map_err(gone)?
    })
}

/// Bits per second between the arrival of the first piece and that of the last.
fn transfer(mut from: &TcpStream, mut to: &TcpStream, data: &[u8]) -> io::Result<f64> {
    thread::scope(|scope| {
        let sending = scope.spawn(move || from.write_all(data));
        let mut buffer = vec![0; 64 << 10];
        let first = to.read(&mut buffer)?;
        let start = Instant::now();
        let mut received = first;
        while received < data.len() {
            match to.read(&mut buffer)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => received += count,
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        sending
            .join()
            .map_err(|_| io::Error::other("the sending thread is gone"))??;
        Ok((received - first) as f64 * 8.0 / seconds)
    })
}
