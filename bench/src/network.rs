//! The link between load and server: none, or a relay in front of each of the server's ports.

use std::{net::SocketAddr, time::Duration};

use crate::{
    record::{Condition, LinkUse},
    relay::{BitRate, Link, Relay, RelayError, RelayOptions, RelayReport},
};

/// Where the load finds the server.
#[derive(Debug)]
pub struct Network {
    http1: SocketAddr,
    h2c: SocketAddr,
    relays: Option<(Link, [Relay; 2])>,
}

impl Network {
    /// The way to a server at these addresses under `condition`: the server itself, or a link to it.
    ///
    /// # Errors
    /// A relay cannot be started.
    pub fn to(
        http1: SocketAddr,
        h2c: SocketAddr,
        condition: &Condition,
    ) -> Result<Self, RelayError> {
        if !condition.has_link() {
            return Ok(Self {
                http1,
                h2c,
                relays: None,
            });
        }
        let link = Link {
            delay: condition.rtt() / 2,
            rate: condition.bandwidth_bit_per_s.map(BitRate::new),
        };
        let relays = [
            Relay::start(&RelayOptions::new(http1, link))?,
            Relay::start(&RelayOptions::new(h2c, link))?,
        ];
        Ok(Self {
            http1: relays[0].address(),
            h2c: relays[1].address(),
            relays: Some((link, relays)),
        })
    }

    /// Where HTTP/1.1 is spoken.
    #[must_use]
    pub fn http_address(&self) -> SocketAddr {
        self.http1
    }

    /// Where h2c is spoken.
    #[must_use]
    pub fn h2c_address(&self) -> SocketAddr {
        self.h2c
    }

    /// Ends the link and tells what it did; `None` without one.
    ///
    /// # Errors
    /// A relay has broken down.
    pub fn close(self) -> Result<Option<LinkUse>, RelayError> {
        let Some((link, [http1, h2c])) = self.relays else {
            return Ok(None);
        };
        let reports = [http1.stop()?, h2c.stop()?];
        Ok(Some(used(&link, &reports)))
    }
}

/// Both ports together. Each cell uses one of them, so the later one is that of the cell.
fn used(link: &Link, reports: &[RelayReport; 2]) -> LinkUse {
    let total = |of: fn(&RelayReport) -> u64| reports.iter().map(of).sum();
    let cpu = reports
        .iter()
        .map(|report| report.cpu)
        .sum::<Option<Duration>>();
    LinkUse {
        delay_ms: link.delay.as_secs_f64() * 1e3,
        bandwidth_bit_per_s: link.rate.map(BitRate::bit_per_s),
        connections: total(|report| report.connections),
        failed_connections: total(|report| report.failed_connections),
        bytes_up: total(|report| report.bytes_up),
        bytes_down: total(|report| report.bytes_down),
        late_p50_us: reports.iter().filter_map(|report| report.late_p50_us).max(),
        late_p95_us: reports.iter().filter_map(|report| report.late_p95_us).max(),
        goes_first: reports.iter().all(|report| report.goes_first),
        cpu_us: cpu.map(|cpu| cpu.as_secs_f64() * 1e6),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::{
        io::{Read, Write},
        net::{TcpListener, TcpStream},
        thread,
        time::Instant,
    };

    use super::*;

    #[test]
    fn without_a_link_the_load_meets_the_server_itself() {
        let (http1, h2c) = (([127, 0, 0, 1], 1).into(), ([127, 0, 0, 1], 2).into());
        let condition = "log-level=info".parse().unwrap();
        let network = Network::to(http1, h2c, &condition).unwrap();
        assert_eq!(
            (network.http_address(), network.h2c_address()),
            (http1, h2c)
        );
        assert_eq!(network.close().unwrap(), None);
    }

    #[test]
    fn a_round_trip_over_a_link_takes_its_time_and_is_counted() {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = server.local_addr().unwrap();
        let echo = thread::spawn(move || {
            let (mut stream, _) = server.accept().unwrap();
            let mut asked = [0; 4];
            stream.read_exact(&mut asked).unwrap();
            stream.write_all(&asked).unwrap();
        });
        let condition = "rtt=60ms,bandwidth=100Mbit/s".parse().unwrap();
        let network = Network::to(address, address, &condition).unwrap();
        let mut client = TcpStream::connect(network.h2c_address()).unwrap();
        let begun = Instant::now();
        client.write_all(b"ping").unwrap();
        let mut answer = [0; 4];
        client.read_exact(&mut answer).unwrap();
        assert!(begun.elapsed() >= Duration::from_millis(60));
        echo.join().unwrap();
        let used = network.close().unwrap().unwrap();
        assert_eq!(
            (used.bytes_up, used.bytes_down, used.connections),
            (4, 4, 1)
        );
        assert_eq!((used.delay_ms, used.bandwidth_bit_per_s), (30.0, Some(1e8)));
        assert!(used.late_p95_us.is_some());
    }
}
