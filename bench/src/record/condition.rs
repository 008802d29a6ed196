//! What a row is measured under, beside its cell.

use std::{
    collections::BTreeMap, ffi::OsString, fmt, ops::RangeInclusive, str::FromStr, time::Duration,
};

use clap::ValueEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::LoadModel;
use crate::{driver::DriverKind, duration::parse_duration, place::Place, relay::BitRate};

/// An operation of this many calls asks for each book at most once.
const CALLS: RangeInclusive<u32> = 1..=50;
/// No link on this planet has a longer one, and operations time out after it.
const LONGEST_RTT: Duration = Duration::from_secs(10);

/// What differs from the session's settings while a row is measured; nothing in a plain row. Written
/// behind the row's id: `L2-a-rest@rate=5000,log-level=info`; flags that every row of its cell has are
/// here and not in the id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// What drives the load, whatever drives the session's other rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<DriverKind>,
    /// Open model at this many operations per second, whatever the session's model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<f64>,
    /// Requests of one operation, one after the other, in scenarios that take a number of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// Round-trip time between load and server, in ms, half of it in each direction; 0 is a link that
    /// delays nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_ms: Option<f64>,
    /// What the link between load and server carries in each direction, in bit/s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bandwidth_bit_per_s: Option<f64>,
    /// HTTP/2 where the cell speaks HTTP/1.1; compiled clients alone can.
    #[serde(default, skip_serializing_if = "is_off")]
    pub http2: bool,
    /// A new connection for every operation instead of one that is kept; compiled clients alone can.
    #[serde(default, skip_serializing_if = "is_off")]
    pub new_connections: bool,
    /// The CPUs of server and load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// Flags of the server, without dashes, with their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server: BTreeMap<String, String>,
}

/// A text that is no condition.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{0}` is no condition; write KEY=VALUE: driver=load, rate=5000, calls=4 (1 to 50), rtt=80ms (0ms \
     to 10s), bandwidth=20Mbit/s, http=2 or connection=new (with driver=load), place=shared or pinned, \
     or a flag of the server without its dashes"
)]
pub struct ConditionError(String);

impl Condition {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The load model of the row, given the session's.
    #[must_use]
    pub fn model(&self, of_session: LoadModel) -> LoadModel {
        self.rate_per_s
            .map_or(of_session, |rate_per_s| LoadModel::Open { rate_per_s })
    }

    /// The round-trip time of the link; zero without one.
    #[must_use]
    pub fn rtt(&self) -> Duration {
        Duration::from_secs_f64(self.rtt_ms.unwrap_or(0.0) / 1e3)
    }

    /// Whether there is a link between load and server.
    #[must_use]
    pub fn has_link(&self) -> bool {
        self.rtt_ms.is_some() || self.bandwidth_bit_per_s.is_some()
    }

    /// What the server's command line has more.
    #[must_use]
    pub fn server_arguments(&self) -> Vec<OsString> {
        self.server
            .iter()
            .flat_map(|(flag, value)| [format!("--{flag}").into(), value.into()])
            .collect()
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bandwidth = self.bandwidth_bit_per_s.map(BitRate::new);
        let server = self.server.iter();
        let own = [
            self.driver.map(|kind| format!("driver={}", kind.name())),
            self.rate_per_s.map(|rate| format!("rate={rate}")),
            self.calls.map(|calls| format!("calls={calls}")),
            self.rtt_ms.map(|rtt_ms| format!("rtt={rtt_ms}ms")),
            bandwidth.map(|bandwidth| format!("bandwidth={bandwidth}").replace(' ', "")),
            self.http2.then(|| "http=2".to_owned()),
            self.new_connections.then(|| "connection=new".to_owned()),
            self.place.map(|place| format!("place={}", place.name())),
        ];
        let parts: Vec<String> = own
            .into_iter()
            .flatten()
            .chain(server.map(|(flag, value)| format!("{flag}={value}")))
            .collect();
        f.write_str(&parts.join(","))
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut condition = Self::default();
        for part in text.split(',') {
            let bad = || ConditionError(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(bad)?;
            match key {
                "driver" => {
                    let kind = DriverKind::from_str(value, false).map_err(|_| bad())?;
                    condition.driver = Some(kind);
                }
                "rate" => {
                    let rate = crate::rate::parse_rate(value).map_err(|_| bad())?;
                    condition.rate_per_s = Some(rate);
                }
                "calls" => {
                    let calls = value.parse().ok().filter(|calls| CALLS.contains(calls));
                    condition.calls = Some(calls.ok_or_else(bad)?);
                }
                "rtt" => {
                    let rtt = parse_duration(value).ok().filter(|rtt| *rtt <= LONGEST_RTT);
                    condition.rtt_ms = Some(rtt.ok_or_else(bad)?.as_secs_f64() * 1e3);
                }
                "bandwidth" => {
                    let bandwidth: BitRate = value.parse().map_err(|_| bad())?;
                    condition.bandwidth_bit_per_s = Some(bandwidth.bit_per_s());
                }
                "http" if value == "2" => condition.http2 = true,
                "connection" if value == "new" => condition.new_connections = true,
                "place" => condition.place = Some(Place::named(value).ok_or_else(bad)?),
                "" | "http" | "connection" => return Err(bad()),
                flag => {
                    condition.server.insert(flag.to_owned(), value.to_owned());
                }
            }
        }
        let needs_compiled = condition.http2 || condition.new_connections;
        if needs_compiled && condition.driver != Some(DriverKind::Load) {
            return Err(ConditionError(text.to_owned()));
        }
        Ok(condition)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_off(switch: &bool) -> bool {
    !switch
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_condition_is_read_as_it_is_written() {
        for text in [
            "rate=5000",
            "log-level=info",
            "driver=load,rate=5000",
            "driver=load,http=2,rest-h2c=on",
            "driver=load,rate=200,connection=new",
            "place=shared",
            "rate=0.5,place=pinned,log-level=info",
            "rtt=0ms",
            "rtt=2.5ms,bandwidth=20Mbit/s",
            "calls=5,rtt=80ms,backend-delay=5ms",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
            assert!(!condition.is_plain());
        }
    }

    #[test]
    fn it_changes_the_load_model_and_the_servers_command_line() {
        let condition: Condition = "rate=5000,log-level=info".parse().unwrap();
        let rate_per_s = 5_000.0;
        assert_eq!(
            condition.model(LoadModel::Closed),
            LoadModel::Open { rate_per_s }
        );
        assert_eq!(condition.server_arguments(), ["--log-level", "info"]);
        assert_eq!(
            Condition::default().model(LoadModel::Closed),
            LoadModel::Closed
        );
    }

    #[test]
    fn anything_else_is_named() {
        for (text, named) in [
            ("", ""),
            ("fast", "fast"),
            ("rate=never", "rate=never"),
            ("driver=jmeter", "driver=jmeter"),
            ("http=2", "http=2"),
            ("driver=load,http=3", "http=3"),
            ("connection=new", "connection=new"),
            ("driver=load,connection=old", "connection=old"),
            ("place=home", "place=home"),
            ("=1", "=1"),
            ("calls=0", "calls=0"),
            ("calls=51", "calls=51"),
            ("rtt=80", "rtt=80"),
            ("rtt=11s", "rtt=11s"),
            ("bandwidth=20", "bandwidth=20"),
        ] {
            assert_eq!(
                text.parse::<Condition>(),
                Err(ConditionError(named.to_owned()))
            );
        }
    }
}
