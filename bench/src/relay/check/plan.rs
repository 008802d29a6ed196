//! What is checked.

use std::{io, time::Duration};

use super::{Asked, Check, Checks, delay, rate};
use crate::relay::{BitRate, Link};

/// How much is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Delays, each tried in one direction at a time.
    pub delays: Vec<Duration>,
    /// Round trips for each delay.
    pub round_trips: usize,
    /// Rates, each tried in one direction at a time.
    pub rates: Vec<BitRate>,
    /// Transfers for each rate.
    pub transfers: usize,
    /// How long one transfer takes by the rate asked for.
    pub transfer_time: Duration,
}

impl Default for Plan {
    /// 5, 20, 80, 200 ms by 30 round trips; 1, 5, 20, 100 Mbit/s by 8 transfers of 0.4 s.
    fn default() -> Self {
        Self {
            delays: [5, 20, 80, 200].map(Duration::from_millis).into(),
            round_trips: 30,
            rates: [1e6, 5e6, 20e6, 100e6].map(BitRate::new).into(),
            transfers: 8,
            transfer_time: Duration::from_millis(400),
        }
    }
}

/// The direction that is slowed down while the other is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slowed {
    /// From the client to the server.
    Up,
    /// From the server to the client.
    Down,
}

impl Slowed {
    /// The links upwards and downwards.
    pub(super) fn links(self, slow: Link) -> [Link; 2] {
        match self {
            Self::Up => [slow, Link::default()],
            Self::Down => [Link::default(), slow],
        }
    }
}

/// Measures all of it.
///
/// # Errors
/// A socket, a thread or the relay of the check fails.
pub fn run(plan: &Plan) -> io::Result<Checks> {
    let mut checks = Vec::new();
    let mut baselines = Vec::new();
    for &asked in &plan.delays {
        let baseline = delay::baseline(asked, plan.round_trips)?;
        baselines.push(baseline);
        for slowed in [Slowed::Up, Slowed::Down] {
            let slow = Link {
                delay: asked,
                rate: None,
            };
            let round_trips =
                delay::round_trips(slowed.links(slow), Duration::ZERO, plan.round_trips)?;
            let added_ms = round_trips
                .iter()
                .map(|trip| (trip.as_secs_f64() - baseline.as_secs_f64()) * 1e3);
            checks.push(Check::new(Asked::Delay(asked), slowed, added_ms.collect()));
        }
    }
    for &asked in &plan.rates {
        for slowed in [Slowed::Up, Slowed::Down] {
            let measured = rate::mbit_per_s(asked, slowed, plan)?;
            checks.push(Check::new(Asked::Rate(asked), slowed, measured));
        }
    }
    Ok(Checks { baselines, checks })
}
