//! The values that settings take, and what is accepted for them.

use std::{
    net::{IpAddr, SocketAddr},
    num::NonZeroUsize,
    thread,
    time::Duration,
};

use clap::ValueEnum;
use thiserror::Error;
use tracing::level_filters::LevelFilter;

use crate::{
    domain::StockLevel,
    expenses::{DatabaseLocation, PostgresAddress},
};

/// Largest line count and GraphQL limit that make sense to ask for.
const LARGEST_COUNT: usize = 1_000_000;
/// Largest thread count: more than any machine has use for, fewer than a process may start.
const LARGEST_WORKERS: usize = 1024;
/// Most connections to a database: `SQLite` reads no faster with more.
const MOST_CONNECTIONS: usize = 64;
/// Most users or expenses that are generated; more than that takes minutes.
const LARGEST_HOUSEHOLD: usize = 100_000;
/// Most tags on a generated expense.
const MOST_TAGS: u32 = 3;
/// Largest request body that can be allowed: 1 GiB.
const LARGEST_BODY_BYTES: usize = 1 << 30;
/// Longest delay of a backend.
const LONGEST_DELAY: Duration = Duration::from_mins(1);
/// Longest age of a cached answer: a year, in seconds.
const LONGEST_MAX_AGE_S: u32 = 365 * 24 * 60 * 60;
/// Largest surcharge: ten times the server's own CPU.
const LARGEST_SURCHARGE: f64 = 10.0;

/// What is logged; each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// What failed.
    Error,
    /// What an operator should look at.
    Warn,
    /// One line per request.
    Info,
    /// The HTTP libraries' own messages as well.
    Debug,
}

impl LogLevel {
    /// The name as written on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }

    /// Whether every request is logged.
    #[must_use]
    pub fn logs_requests(self) -> bool {
        self >= Self::Info
    }
}

impl From<LogLevel> for LevelFilter {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Off => Self::OFF,
            LogLevel::Error => Self::ERROR,
            LogLevel::Warn => Self::WARN,
            LogLevel::Info => Self::INFO,
            LogLevel::Debug => Self::DEBUG,
        }
    }
}

/// A setting that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    #[value(help = None::<&str>)]
    On,
    /// Off.
    #[value(help = None::<&str>)]
    Off,
}

impl Switch {
    /// Whether it is on.
    #[must_use]
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}

impl From<bool> for Switch {
    fn from(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }
}

/// The gRPC services that GraphQL asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphqlUpstream {
    /// This server's own, over its HTTP/2 port.
    Own,
    /// Those at this address.
    At(SocketAddr),
}

/// Why a setting is not accepted; clap adds the flag and the value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConfigValueError {
    /// Not a number in the range.
    #[error("give a whole number from {smallest} to {largest}")]
    Count {
        /// Smallest number that is accepted.
        smallest: usize,
        /// Largest number that is accepted.
        largest: usize,
    },
    /// Not an IP address.
    #[error("give an IP address, for example 127.0.0.1 or, for every interface, 0.0.0.0")]
    Address,
    /// Neither a number nor `unlimited`.
    #[error(
        "give `unlimited`, or the number of copies of each book from 0 to {}",
        i32::MAX
    )]
    Stock,
    /// Neither memory nor a file nor a server.
    #[error(
        "give `memory`, the path of a file, or postgres://USER:PASSWORD@HOST:PORT/DATABASE; leave \
         --expenses out to do without"
    )]
    Database,
    /// An address of `PostgreSQL` that is none.
    #[error(
        "{0}; give postgres://USER:PASSWORD@HOST:PORT/DATABASE, with percent signs for what is special \
         in an address"
    )]
    PostgresAddress(String),
    /// Neither this server nor an address.
    #[error("give `own`, or address and port of another server, like 127.0.0.1:5301")]
    Upstream,
    /// Not a delay in the range.
    #[error("give a time from 0ms to {} s, for example 5ms", LONGEST_DELAY.as_secs())]
    Delay,
    /// Not a share in the range.
    #[error("give a share above 0 and up to {LARGEST_SURCHARGE}, for example 0.15 for 15 %")]
    Surcharge,
}

pub(crate) fn available_cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

pub(crate) fn parse_count(text: &str) -> Result<usize, ConfigValueError> {
    parse_up_to(text, LARGEST_COUNT)
}

pub(crate) fn parse_workers(text: &str) -> Result<usize, ConfigValueError> {
    parse_up_to(text, LARGEST_WORKERS)
}

pub(crate) fn parse_body_bytes(text: &str) -> Result<usize, ConfigValueError> {
    parse_up_to(text, LARGEST_BODY_BYTES)
}

fn parse_up_to(text: &str, largest: usize) -> Result<usize, ConfigValueError> {
    text.parse()
        .ok()
        .filter(|count| (1..=largest).contains(count))
        .ok_or(ConfigValueError::Count {
            smallest: 1,
            largest,
        })
}

/// A port or a number of seconds.
pub(crate) fn parse_u16(text: &str) -> Result<u16, ConfigValueError> {
    text.parse().map_err(|_| ConfigValueError::Count {
        smallest: 0,
        largest: u16::MAX.into(),
    })
}

pub(crate) fn parse_address(text: &str) -> Result<IpAddr, ConfigValueError> {
    text.parse().map_err(|_| ConfigValueError::Address)
}

pub(crate) fn parse_stock(text: &str) -> Result<StockLevel, ConfigValueError> {
    if text == "unlimited" {
        return Ok(StockLevel::Unlimited);
    }
    // The answers carry the stock as a signed 32-bit number.
    let copies: i32 = text.parse().map_err(|_| ConfigValueError::Stock)?;
    let copies = u32::try_from(copies).map_err(|_| ConfigValueError::Stock)?;
    Ok(StockLevel::Finite(copies))
}

/// `memory`, or a path; an address of a server or a switch would be taken for a file's name.
pub(crate) fn parse_database(text: &str) -> Result<DatabaseLocation, ConfigValueError> {
    match text {
        "memory" => Ok(DatabaseLocation::Memory),
        url if PostgresAddress::is_meant(url) => url
            .parse()
            .map(DatabaseLocation::Postgres)
            .map_err(|error| ConfigValueError::PostgresAddress(error.to_string())),
        "" | "on" | "off" => Err(ConfigValueError::Database),
        address if address.contains(':') && !address.contains(":\\") => {
            Err(ConfigValueError::Database)
        }
        path => Ok(DatabaseLocation::File(path.into())),
    }
}

pub(crate) fn parse_connections(text: &str) -> Result<u32, ConfigValueError> {
    parse_u32_up_to(text, MOST_CONNECTIONS)
}

/// A number of generated users or expenses.
pub(crate) fn parse_household(text: &str) -> Result<u32, ConfigValueError> {
    parse_u32_up_to(text, LARGEST_HOUSEHOLD)
}

fn parse_u32_up_to(text: &str, largest: usize) -> Result<u32, ConfigValueError> {
    let count = parse_up_to(text, largest)?;
    u32::try_from(count).map_err(|_| ConfigValueError::Count {
        smallest: 1,
        largest,
    })
}

/// A number of tags on each generated expense.
pub(crate) fn parse_tags(text: &str) -> Result<u32, ConfigValueError> {
    let count = text.parse().ok().filter(|count| *count <= MOST_TAGS);
    count.ok_or(ConfigValueError::Count {
        smallest: 0,
        largest: MOST_TAGS as usize,
    })
}

/// Milliseconds or seconds with their unit.
pub(crate) fn parse_delay(text: &str) -> Result<Duration, ConfigValueError> {
    let seconds = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(number), _) => number.parse().map(|number: f64| number / 1e3),
        (None, Some(number)) => number.parse(),
        (None, None) => return Err(ConfigValueError::Delay),
    };
    seconds
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|delay| *delay <= LONGEST_DELAY)
        .ok_or(ConfigValueError::Delay)
}

/// `own` or an address.
pub(crate) fn parse_upstream(text: &str) -> Result<GraphqlUpstream, ConfigValueError> {
    if text == "own" {
        return Ok(GraphqlUpstream::Own);
    }
    text.parse()
        .map(GraphqlUpstream::At)
        .map_err(|_| ConfigValueError::Upstream)
}

/// A number of seconds.
pub(crate) fn parse_max_age(text: &str) -> Result<u32, ConfigValueError> {
    text.parse()
        .ok()
        .filter(|seconds| *seconds <= LONGEST_MAX_AGE_S)
        .ok_or(ConfigValueError::Count {
            smallest: 0,
            largest: LONGEST_MAX_AGE_S as usize,
        })
}

pub(crate) fn parse_surcharge(text: &str) -> Result<f64, ConfigValueError> {
    text.parse()
        .ok()
        .filter(|share: &f64| *share > 0.0 && *share <= LARGEST_SURCHARGE)
        .ok_or(ConfigValueError::Surcharge)
}
