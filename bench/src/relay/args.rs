//! The relay's command line.

use std::{net::SocketAddr, time::Duration};

use clap::Args;
use thiserror::Error;

use super::{BitRate, DEFAULT_BUFFER_BYTES, Link, RelayError, RelayOptions};
use crate::duration::parse_duration;

/// No link on this planet is later.
const LONGEST_DELAY: Duration = Duration::from_secs(10);
/// 1 GiB.
const LARGEST_BUFFER_BYTES: usize = 1 << 30;

/// `relay`: a slow link between load and server.
#[derive(Args, Clone, Debug)]
pub struct RelayArgs {
    /// The server's address.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_socket)]
    pub to: Option<SocketAddr>,
    /// Where clients connect; port 0 picks a free one.
    #[arg(long, value_name = "ADDRESS", value_parser = parse_socket, default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// The delay in each direction; a round trip takes twice as long.
    #[arg(long, value_name = "DURATION", value_parser = parse_delay, default_value = "0ms")]
    pub delay: Duration,
    /// The rate in each direction, like 20Mbit/s; as fast as can be when absent.
    #[arg(long, value_name = "RATE")]
    pub rate: Option<BitRate>,
    /// The delay from clients to the server, when it differs.
    #[arg(long, value_name = "DURATION", value_parser = parse_delay)]
    pub delay_up: Option<Duration>,
    /// The delay from the server to clients, when it differs.
    #[arg(long, value_name = "DURATION", value_parser = parse_delay)]
    pub delay_down: Option<Duration>,
    /// The rate from clients to the server, when it differs.
    #[arg(long, value_name = "RATE")]
    pub rate_up: Option<BitRate>,
    /// The rate from the server to clients, when it differs.
    #[arg(long, value_name = "RATE")]
    pub rate_down: Option<BitRate>,
    /// The bytes that each direction of a connection holds beyond those on its wire.
    #[arg(long, value_name = "BYTES", value_parser = parse_buffer, default_value_t = DEFAULT_BUFFER_BYTES)]
    pub buffer: usize,
    /// Measure how exact the relay is on this machine instead, in about a minute.
    #[arg(long, conflicts_with_all = ["to", "delay", "rate", "delay_up", "delay_down", "rate_up", "rate_down", "buffer", "listen"])]
    pub check: bool,
}

impl RelayArgs {
    /// The relay that is asked for.
    ///
    /// # Errors
    /// [`RelayError::NoServer`].
    pub fn options(&self) -> Result<RelayOptions, RelayError> {
        let link = |delay: Option<Duration>, rate: Option<BitRate>| Link {
            delay: delay.unwrap_or(self.delay),
            rate: rate.or(self.rate),
        };
        Ok(RelayOptions {
            to: self.to.ok_or(RelayError::NoServer)?,
            listen: self.listen,
            up: link(self.delay_up, self.rate_up),
            down: link(self.delay_down, self.rate_down),
            buffer_bytes: self.buffer,
        })
    }
}

/// A value that cannot be used; clap adds the flag and the value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
enum RelayValueError {
    #[error("give an address and a port, for example 127.0.0.1:5300")]
    Socket,
    #[error("give a delay from 0ms to 10s, for example 20ms")]
    Delay,
    #[error("give a whole number of bytes from 1 to {LARGEST_BUFFER_BYTES}")]
    Buffer,
}

fn parse_socket(text: &str) -> Result<SocketAddr, RelayValueError> {
    text.parse().map_err(|_| RelayValueError::Socket)
}

fn parse_delay(text: &str) -> Result<Duration, RelayValueError> {
    parse_duration(text)
        .ok()
        .filter(|delay| *delay <= LONGEST_DELAY)
        .ok_or(RelayValueError::Delay)
}

fn parse_buffer(text: &str) -> Result<usize, RelayValueError> {
    text.parse()
        .ok()
        .filter(|bytes| (1..=LARGEST_BUFFER_BYTES).contains(bytes))
        .ok_or(RelayValueError::Buffer)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Command {
        #[command(flatten)]
        relay: RelayArgs,
    }

    fn parse(arguments: &[&str]) -> Result<RelayArgs, clap::Error> {
        Command::try_parse_from([&["relay"], arguments].concat()).map(|command| command.relay)
    }

    #[test]
    fn a_direction_follows_its_own_flag_first() {
        let arguments = [
            "--to=127.0.0.1:5300",
            "--delay=20ms",
            "--rate=20Mbit/s",
            "--delay-up=5ms",
            "--rate-down=100Mbit/s",
        ];
        let options = parse(&arguments).unwrap().options().unwrap();
        let link = |ms, mbit: f64| Link {
            delay: Duration::from_millis(ms),
            rate: Some(BitRate::new(mbit * 1e6)),
        };
        assert_eq!((options.up, options.down), (link(5, 20.0), link(20, 100.0)));
        assert_eq!(options.listen.port(), 0);
    }

    #[test]
    fn bad_values_are_named_with_their_remedy() {
        for (argument, remedy) in [
            ("--to=localhost", "for example 127.0.0.1:5300"),
            ("--listen=5300", "for example 127.0.0.1:5300"),
            ("--delay=20", "from 0ms to 10s"),
            ("--delay-up=1m", "from 0ms to 10s"),
            ("--rate=20", "like 20Mbit/s"),
            ("--buffer=0", "from 1 to 1073741824"),
        ] {
            let message = parse(&[argument]).unwrap_err().to_string();
            let (flag, value) = argument.split_once('=').unwrap();
            assert!(message.contains(flag), "{message}");
            assert!(message.contains(value), "{message}");
            assert!(message.contains(remedy), "{message}");
        }
    }

    #[test]
    fn without_a_server_the_remedy_is_told() {
        let error = parse(&[]).unwrap().options().unwrap_err();
        assert!(error.is_usage());
        assert!(error.to_string().contains("--to 127.0.0.1:5300"), "{error}");
    }
}
