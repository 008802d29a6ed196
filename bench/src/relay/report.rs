//! What a relay did.

use std::{fmt, time::Duration};

use super::{cpu, lateness::Lateness};
use crate::number::{count, counted};

/// What a relay did from its start to now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayReport {
    /// Connections that were accepted.
    pub connections: u64,
    /// Connections that the server refused or that broke before they were set up.
    pub failed_connections: u64,
    /// Bytes that reached the server.
    pub bytes_up: u64,
    /// Bytes that reached the clients.
    pub bytes_down: u64,
    /// The most bytes that one direction of one connection held.
    pub most_held_bytes: usize,
    /// CPU time of the relay's thread; `None` where it cannot be read.
    pub cpu: Option<Duration>,
    /// Whether the system let the relay's thread go before ordinary ones.
    pub goes_first: bool,
    /// Half of the pieces were written at most this many microseconds after they were due; `None` when
    /// nothing was relayed.
    pub late_p50_us: Option<u64>,
    /// 95 % of the pieces were written at most this many microseconds after they were due; `None` when
    /// nothing was relayed.
    pub late_p95_us: Option<u64>,
}

impl fmt::Display for RelayReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} ({} failed), {} bytes up, {} bytes down",
            counted(self.connections, "connection"),
            count(self.failed_connections),
            count(self.bytes_up),
            count(self.bytes_down)
        )?;
        if let (Some(p50), Some(p95)) = (self.late_p50_us, self.late_p95_us) {
            write!(
                formatter,
                "; half was late by at most {} µs, 95 % by at most {} µs",
                count(p50),
                count(p95)
            )?;
        }
        if !self.goes_first {
            formatter.write_str("; the system did not let the relay go before other threads")?;
        }
        Ok(())
    }
}

/// Where all directions count.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) goes_first: bool,
    pub(super) connections: u64,
    pub(super) failed_connections: u64,
    pub(super) bytes_up: u64,
    pub(super) bytes_down: u64,
    pub(super) most_held_bytes: usize,
    pub(super) lateness: Lateness,
}

impl Tally {
    /// To be called on the relay's thread.
    pub(super) fn report(&self) -> RelayReport {
        RelayReport {
            cpu: cpu::of_this_thread(),
            connections: self.connections,
            failed_connections: self.failed_connections,
            bytes_up: self.bytes_up,
            bytes_down: self.bytes_down,
            most_held_bytes: self.most_held_bytes,
            goes_first: self.goes_first,
            late_p50_us: self.lateness.quantile_us(0.5),
            late_p95_us: self.lateness.quantile_us(0.95),
        }
    }
}
