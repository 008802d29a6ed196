//! What a row is measured under, beside its cell.

use std::{
    collections::BTreeMap, ffi::OsString, fmt, ops::RangeInclusive, path::Path, str::FromStr,
    time::Duration,
};

use clap::ValueEnum as _;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{LoadModel, Sequence};
use crate::{driver::DriverKind, duration::parse_duration, place::Place, relay::BitRate};

/// What an operation can be made of; a scenario may take fewer.
const CALLS: RangeInclusive<u32> = 1..=1_000;
/// Operations of a sequence, of all of which the times are kept.
const REPETITIONS: RangeInclusive<u32> = 2..=10_000;
/// A spread needs two.
const FEWEST_KEPT: u32 = 2;
const LONGEST_PATIENCE: Duration = Duration::from_millis(150);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
const VUS: RangeInclusive<u32> = 1..=10_000;
/// Expenses in a list.
const LIMIT: RangeInclusive<u32> = 1..=100_000;
/// Parts of an expense.
const PARTS: RangeInclusive<u32> = 0..=50;
/// A smaller share would stretch every operation over several of the kernel's periods.
const CPUS: RangeInclusive<f64> = 0.05..=1_024.0;
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
    /// Closed loop, or open model, with this many virtual users, whatever the session's number is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vus: Option<u32>,
    /// Sequential model with this many operations, whatever the session's model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequential: Option<u32>,
    /// How many of the first operations of a sequence are left out of its times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<u32>,
    /// Wait after each operation of a sequence, in ms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause_ms: Option<f64>,
    /// Requests of one operation, one after the other, in scenarios that take a number of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u32>,
    /// How long callers wait before they give up, in ms, in scenarios where they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience_ms: Option<f64>,
    /// Expenses in a list, in scenarios that read expenses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Parts of each expense that are read with it, in scenarios that read expenses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    /// CPUs whose time the server may use, by a quota of the kernel's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpus: Option<f64>,
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
    /// New connections for each operation, of which opening them is a part; compiled clients alone can.
    #[serde(default, skip_serializing_if = "is_off")]
    pub new_connection: bool,
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
    "`{0}` is no condition; write KEY=VALUE: driver=load, rate=5000, vus=50 (1 to 10000), \
     sequential=50 (2 to 10000; drop=5 leaves out the first, two must remain; pause=1s waits after each, \
     at most 1m; not with rate= or vus=), calls=4 (1 to 1000), limit=500 (1 to 100000), parts=10 (0 \
     to 50), cpu=0.5 (0.05 to 1024), rtt=80ms (0ms to 10s), patience=50ms (up to 150ms), \
     bandwidth=20Mbit/s, http=2 (with driver=load), connection=new (with driver=load), place=shared or \
     pinned, or a flag of the server without its dashes"
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
        match (self.rate_per_s, self.sequence(), self.vus) {
            (Some(rate_per_s), _, _) => LoadModel::Open { rate_per_s },
            (None, Some(sequence), _) => LoadModel::Sequential(sequence),
            (None, None, Some(_)) => LoadModel::Closed,
            (None, None, None) => of_session,
        }
    }

    /// The sequence of the row, where its model is sequential.
    #[must_use]
    pub fn sequence(&self) -> Option<Sequence> {
        Some(Sequence {
            repetitions: self.sequential?,
            drop: self.drop.unwrap_or(0),
            pause_ms: self.pause_ms.unwrap_or(0.0),
        })
    }

    /// Virtual users of the row, given the session's.
    #[must_use]
    pub fn vus(&self, of_session: u32) -> u32 {
        match self.sequential {
            Some(_) => 1,
            None => self.vus.unwrap_or(of_session),
        }
    }

    /// The same with what every row of its cell has, except where this one says otherwise.
    #[must_use]
    pub fn over(mut self, of_cell: Self) -> Self {
        for (flag, value) in of_cell.server {
            self.server.entry(flag).or_insert(value);
        }
        self.driver = self.driver.or(of_cell.driver);
        if self.rate_per_s.is_none() && self.vus.is_none() {
            self.sequential = self.sequential.or(of_cell.sequential);
            self.drop = self.drop.or(of_cell.drop);
            self.pause_ms = self.pause_ms.or(of_cell.pause_ms);
        }
        self
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

    /// What the server's command line has more; `{scratch}` in a value is the folder that goes with the
    /// session.
    #[must_use]
    pub fn server_arguments(&self, scratch: &Path) -> Vec<OsString> {
        let scratch = scratch.display().to_string();
        self.server
            .iter()
            .flat_map(|(flag, value)| {
                let value = value.replace("{scratch}", &scratch);
                [format!("--{flag}").into(), value.into()]
            })
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
            self.vus.map(|vus| format!("vus={vus}")),
            self.sequential.map(|count| format!("sequential={count}")),
            self.drop.map(|drop| format!("drop={drop}")),
            self.pause_ms.map(|pause_ms| format!("pause={pause_ms}ms")),
            self.calls.map(|calls| format!("calls={calls}")),
            self.patience_ms.map(|ms| format!("patience={ms}ms")),
            self.limit.map(|limit| format!("limit={limit}")),
            self.parts.map(|parts| format!("parts={parts}")),
            self.cpus.map(|cpus| format!("cpu={cpus}")),
            self.rtt_ms.map(|rtt_ms| format!("rtt={rtt_ms}ms")),
            bandwidth.map(|bandwidth| format!("bandwidth={bandwidth}").replace(' ', "")),
            self.http2.then(|| "http=2".to_owned()),
            self.new_connection.then(|| "connection=new".to_owned()),
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
                "vus" => condition.vus = Some(within(value, &VUS).ok_or_else(bad)?),
                "sequential" => {
                    condition.sequential = Some(within(value, &REPETITIONS).ok_or_else(bad)?);
                }
                "drop" => condition.drop = Some(value.parse().map_err(|_| bad())?),
                "pause" => {
                    condition.pause_ms = Some(up_to(value, LONGEST_PAUSE).ok_or_else(bad)?);
                }
                "calls" => condition.calls = Some(within(value, &CALLS).ok_or_else(bad)?),
                "patience" => {
                    let patience = up_to(value, LONGEST_PATIENCE).filter(|ms| *ms > 0.0);
                    condition.patience_ms = Some(patience.ok_or_else(bad)?);
                }
                "limit" => condition.limit = Some(within(value, &LIMIT).ok_or_else(bad)?),
                "parts" => condition.parts = Some(within(value, &PARTS).ok_or_else(bad)?),
                "cpu" => {
                    let cpus = value.parse().ok().filter(|cpus| CPUS.contains(cpus));
                    condition.cpus = Some(cpus.ok_or_else(bad)?);
                }
                "rtt" => condition.rtt_ms = Some(up_to(value, LONGEST_RTT).ok_or_else(bad)?),
                "bandwidth" => {
                    let bandwidth: BitRate = value.parse().map_err(|_| bad())?;
                    condition.bandwidth_bit_per_s = Some(bandwidth.bit_per_s());
                }
                "http" if value == "2" => condition.http2 = true,
                "connection" if value == "new" => condition.new_connection = true,
                "place" => condition.place = Some(Place::named(value).ok_or_else(bad)?),
                "" | "http" | "connection" => return Err(bad()),
                flag => {
                    condition.server.insert(flag.to_owned(), value.to_owned());
                }
            }
        }
        if condition.is_consistent() {
            Ok(condition)
        } else {
            Err(ConditionError(text.to_owned()))
        }
    }
}

impl Condition {
    fn is_consistent(&self) -> bool {
        let needs_load = self.http2 || self.new_connection;
        let in_sequence = self.sequential.or(self.drop).is_some() || self.pause_ms.is_some();
        let concurrent = self.rate_per_s.is_some() || self.vus.is_some();
        (!needs_load || self.driver == Some(DriverKind::Load)) && !(in_sequence && concurrent)
    }

    /// Whether it says how many operations a sequence has, and enough of them have a time.
    #[must_use]
    pub fn has_whole_sequence(&self) -> bool {
        match self.sequence() {
            Some(sequence) => sequence
                .drop
                .checked_add(FEWEST_KEPT)
                .is_some_and(|least| least <= sequence.repetitions),
            None => self.drop.is_none() && self.pause_ms.is_none(),
        }
    }
}

fn within(text: &str, range: &RangeInclusive<u32>) -> Option<u32> {
    text.parse().ok().filter(|number| range.contains(number))
}

/// A time in ms, if it is one and not longer than `longest`.
fn up_to(text: &str, longest: Duration) -> Option<f64> {
    let time = parse_duration(text).ok().filter(|time| *time <= longest)?;
    Some(time.as_secs_f64() * 1e3)
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
            "driver=load,sequential=50,drop=5,pause=1000ms,connection=new",
            "pause=0ms",
            "rate=5,vus=50",
            "vus=50,limit=10,parts=0,cpu=0.25,rtt=1ms",
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
        let scratch = Path::new("/tmp/x");
        assert_eq!(condition.server_arguments(scratch), ["--log-level", "info"]);
        let condition: Condition = "expenses={scratch}/e.sqlite".parse().unwrap();
        assert_eq!(
            condition.server_arguments(scratch),
            ["--expenses", "/tmp/x/e.sqlite"]
        );
        assert_eq!(
            Condition::default().model(LoadModel::Closed),
            LoadModel::Closed
        );
    }

    #[test]
    fn a_sequence_is_the_cells_unless_the_row_says_otherwise() {
        let of_cell: Condition = "sequential=50,drop=5,pause=1s".parse().unwrap();
        let over = |text: &str| text.parse::<Condition>().unwrap().over(of_cell.clone());
        let sequence = |repetitions, drop, pause_ms| Sequence {
            repetitions,
            drop,
            pause_ms,
        };
        assert_eq!(
            over("pause=0ms").model(LoadModel::Closed),
            LoadModel::Sequential(sequence(50, 5, 0.0))
        );
        assert_eq!(
            over("sequential=20").sequence(),
            Some(sequence(20, 5, 1_000.0))
        );
        assert_eq!((over("drop=1").vus(20), over("vus=50").vus(20)), (1, 50));
        let session = LoadModel::Open { rate_per_s: 1.0 };
        assert_eq!(over("vus=50").model(session), LoadModel::Closed);
        assert_eq!(
            over("rate=9").model(session),
            LoadModel::Open { rate_per_s: 9.0 }
        );
    }

    #[test]
    fn two_operations_of_a_sequence_must_count() {
        for (text, whole) in [
            ("sequential=7,drop=5", true),
            ("sequential=6,drop=5", false),
            ("sequential=6,drop=4294967295", false),
            ("drop=5", false),
            ("pause=1s", false),
            ("rate=5", true),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.has_whole_sequence(), whole, "{text}");
        }
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
            ("calls=1001", "calls=1001"),
            ("sequential=1", "sequential=1"),
            ("sequential=10001", "sequential=10001"),
            ("pause=61s", "pause=61s"),
            ("drop=-1", "drop=-1"),
            ("vus=0", "vus=0"),
            ("limit=0", "limit=0"),
            ("parts=51", "parts=51"),
            ("cpu=0.01", "cpu=0.01"),
            ("cpu=all", "cpu=all"),
            ("connection=new", "connection=new"),
            ("driver=load,connection=old", "connection=old"),
            ("sequential=9,vus=5", "sequential=9,vus=5"),
            ("pause=1s,rate=5", "pause=1s,rate=5"),
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
