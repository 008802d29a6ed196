//! Conditions as people write them.

use std::{fmt, ops::RangeInclusive, str::FromStr, time::Duration};

use clap::ValueEnum as _;
use thiserror::Error;

use super::Condition;
use crate::{
    driver::DriverKind, duration::parse_duration, place::Place, rate::OfferedRate, relay::BitRate,
};

/// What an operation can be made of; a scenario may take fewer.
const CALLS: RangeInclusive<u32> = 1..=1_000;
/// Operations of a sequence, of all of which the times are kept.
const REPETITIONS: RangeInclusive<u32> = 2..=10_000;
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

/// What a part of a condition is called, but for flags of the server.
const KEYS: &str = "driver, rate, vus, sequential, drop, pause, calls, patience, limit, parts, cpu, rtt, \
                    bandwidth, http, connection, tls and place";

/// A text that is no condition.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is no condition; {remedy}")]
pub struct ConditionError {
    text: String,
    remedy: String,
}

impl ConditionError {
    fn new(text: &str, remedy: impl Into<String>) -> Self {
        Self {
            text: text.to_owned(),
            remedy: remedy.into(),
        }
    }

    /// A part whose value its key does not take.
    fn value(part: &str, key: &str) -> Self {
        let form = match key {
            "driver" => "driver=script, driver=load or driver=k6",
            "rate" => {
                "rate=5000 for operations/s, or rate=50% for a share of what the slowest row does, at \
                 most 100%"
            }
            "vus" => "vus=50, from 1 to 10000",
            "sequential" => "sequential=50, from 2 to 10000 operations",
            "drop" => "drop=5, so that two operations of the sequence remain",
            "pause" => "pause=1s, at most 1m",
            "calls" => "calls=4, from 1 to 1000",
            "patience" => "patience=50ms, more than 0 and at most 150ms",
            "limit" => "limit=500, from 1 to 100000",
            "parts" => "parts=10, from 0 to 50",
            "cpu" => "cpu=0.5, from 0.05 to 1024",
            "rtt" => "rtt=80ms, from 0ms to 10s",
            "bandwidth" => "bandwidth=20Mbit/s",
            "http" => "http=2, with driver=load",
            "connection" => "connection=new, with driver=load",
            "tls" => "tls=on",
            "place" => "place=shared or place=pinned",
            _ => {
                return Self::new(
                    part,
                    format!(
                        "write KEY=VALUE; keys are {KEYS}, and the server's flags without dashes"
                    ),
                );
            }
        };
        Self::new(part, format!("write {form}"))
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bandwidth = self.bandwidth_bit_per_s.map(BitRate::new);
        let server = self.server.iter();
        let own = [
            self.driver.map(|kind| format!("driver={}", kind.name())),
            self.rate_text(),
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
            self.tls.then(|| "tls=on".to_owned()),
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

impl Condition {
    /// The rate as it was asked for, whatever it came to.
    fn rate_text(&self) -> Option<String> {
        let share = self.rate_percent.map(OfferedRate::Percent);
        let rate = share.or(self.rate_per_s.map(OfferedRate::PerS));
        rate.map(|rate| format!("rate={rate}"))
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut condition = Self::default();
        let mut keys = Vec::new();
        for part in text.split(',') {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            let bad = || ConditionError::value(part, key);
            if keys.contains(&key) {
                let once = format!("{key}= stands there twice, give it once");
                return Err(ConditionError::new(text, once));
            }
            keys.push(key);
            match key {
                "driver" => {
                    let kind = DriverKind::from_str(value, false).map_err(|_| bad())?;
                    condition.driver = Some(kind);
                }
                "rate" => {
                    (condition.rate_per_s, condition.rate_percent) =
                        match value.parse().map_err(|_| bad())? {
                            OfferedRate::PerS(rate) => (Some(rate), None),
                            OfferedRate::Percent(percent) => (None, Some(percent)),
                        };
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
                "tls" if value == "on" => condition.tls = true,
                "place" => condition.place = Some(Place::named(value).ok_or_else(bad)?),
                "" | "http" | "connection" | "tls" => return Err(bad()),
                _ if !part.contains('=') => return Err(bad()),
                flag => {
                    condition.server.insert(flag.to_owned(), value.to_owned());
                }
            }
        }
        match condition.contradiction() {
            None => Ok(condition),
            Some(remedy) => Err(ConditionError::new(text, remedy)),
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
            "driver=load,http=2,tls=on,rest-h2c=on",
            "tls=on",
            "driver=k6,rtt=2ms,tls=on",
            "place=shared",
            "rate=0.5,place=pinned,log-level=info",
            "rtt=0ms",
            "rtt=2.5ms,bandwidth=20Mbit/s",
            "calls=5,rtt=80ms,backend-delay=5ms",
            "driver=load,sequential=50,drop=5,pause=1000ms,connection=new",
            "pause=0ms",
            "rate=5,vus=50",
            "rate=12.5%,log-level=info",
            "vus=50,limit=10,parts=0,cpu=0.25,rtt=1ms",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
            assert!(!condition.is_plain());
        }
    }

    #[test]
    fn anything_else_is_named() {
        for (text, named) in [
            ("", ""),
            ("fast", "fast"),
            ("rate=never", "rate=never"),
            ("rate=0%", "rate=0%"),
            ("rate=101%", "rate=101%"),
            ("pause=1s,rate=50%", "pause=1s,rate=50%"),
            ("driver=jmeter", "driver=jmeter"),
            ("http=2", "http=2"),
            ("driver=load,http=3", "http=3"),
            ("connection=new", "connection=new"),
            ("driver=load,connection=old", "connection=old"),
            ("tls=off", "tls=off"),
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
            let error = text.parse::<Condition>().unwrap_err();
            assert_eq!(error.text, named);
        }
    }

    #[test]
    fn an_error_says_what_to_write_instead() {
        for (text, message) in [
            (
                "rtt=80",
                "`rtt=80` is no condition; write rtt=80ms, from 0ms to 10s",
            ),
            (
                "driver=load,place",
                "`place` is no condition; write place=shared or place=pinned",
            ),
            (
                "http=2,rest-h2c=on",
                "`http=2,rest-h2c=on` is no condition; add driver=load, which http=2 and \
                 connection=new need",
            ),
            (
                "sequential=9,rate=5",
                "`sequential=9,rate=5` is no condition; leave out rate= and vus=, or sequential=, drop= and \
                 pause=: those are of one caller",
            ),
            (
                "rtt=80ms,stock=5,rtt=20ms",
                "`rtt=80ms,stock=5,rtt=20ms` is no condition; rtt= stands there twice, give it once",
            ),
            (
                "stock=5,stock=6",
                "`stock=5,stock=6` is no condition; stock= stands there twice, give it once",
            ),
        ] {
            assert_eq!(text.parse::<Condition>().unwrap_err().to_string(), message);
        }
        let error = "fast".parse::<Condition>().unwrap_err().to_string();
        assert!(error.contains("keys are driver, rate, "), "{error}");
    }
}
