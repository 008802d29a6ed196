//! Both ends of a connection through a relay.

use std::{
    net::{TcpListener, TcpStream},
    time::{Duration, Instant},
};

use bookstore_bench::relay::{BitRate, Link, Relay, RelayOptions};

/// A read that takes longer has failed.
const LONG: Duration = Duration::from_mins(1);

pub struct Pair {
    pub client: TcpStream,
    pub server: TcpStream,
    pub relay: Relay,
    /// Just before the client connected.
    pub started: Instant,
}

impl Pair {
    /// Connected over these links.
    pub fn over(up: Link, down: Link, buffer_bytes: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let relay = Relay::start(&RelayOptions {
            to: listener.local_addr().unwrap(),
            listen: ([127, 0, 0, 1], 0).into(),
            up,
            down,
            buffer_bytes,
        })
        .unwrap();
        let started = Instant::now();
        let client = TcpStream::connect(relay.address()).unwrap();
        let (server, _) = listener.accept().unwrap();
        for stream in [&client, &server] {
            stream.set_read_timeout(Some(LONG)).unwrap();
            stream.set_write_timeout(Some(LONG)).unwrap();
        }
        Self {
            client,
            server,
            relay,
            started,
        }
    }
}

pub fn link(delay_ms: u64, bit_per_s: Option<f64>) -> Link {
    Link {
        delay: Duration::from_millis(delay_ms),
        rate: bit_per_s.map(BitRate::new),
    }
}

/// Bytes that differ from their neighbours, and from those of another seed.
pub fn bytes(count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2) + 1;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        })
        .collect()
}
