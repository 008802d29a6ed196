//! Scenarios: who runs which function, when and how often.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Map, Value};

use super::{
    Executor, OptionError,
    executor_source::{EXECUTORS, parse_executor},
    fields::Fields,
};

/// A scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// How iterations are started.
    pub executor: Executor,
    /// When it begins, after the run's begin.
    pub start_time: Duration,
    /// How long running iterations may go on after the end.
    pub graceful_stop: Duration,
    /// Added to `__ENV`.
    pub env: BTreeMap<String, String>,
    /// The exported function.
    pub exec: String,
    /// Added to the tags of its samples.
    pub tags: BTreeMap<String, String>,
}

/// k6's default of `gracefulStop` and `gracefulRampDown`.
pub(super) const GRACE: Duration = Duration::from_secs(30);
/// k6's default of `maxDuration`.
pub(super) const MAX_DURATION: Duration = Duration::from_mins(10);

impl Scenario {
    /// One with the defaults of everything but the executor.
    #[must_use]
    pub fn new(name: &str, executor: Executor) -> Self {
        Self {
            name: name.to_owned(),
            executor,
            start_time: Duration::ZERO,
            graceful_stop: GRACE,
            env: BTreeMap::new(),
            exec: "default".to_owned(),
            tags: BTreeMap::new(),
        }
    }

    pub(super) fn parse(name: &str, fields: Map<String, Value>) -> Result<Self, OptionError> {
        let prefix = format!("scenarios.{name}.");
        let is_name =
            |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(OptionError::Value {
                name: "scenarios".to_owned(),
                value: format!("{name:?}"),
                expected: "names of letters, digits, _ and -",
            });
        }
        let mut fields = Fields::new(&prefix, fields);
        let Some(executor) = fields.text("executor")? else {
            return Err(OptionError::Missing {
                name: fields.name("executor"),
                expected: EXECUTORS,
            });
        };
        let executor = parse_executor(&executor, &mut fields)?;
        if fields.take("options").is_some() {
            return Err(OptionError::NotBuilt(fields.name("options")));
        }
        let defaults = Self::new(name, executor);
        let scenario = Self {
            start_time: fields.duration("startTime")?.unwrap_or(defaults.start_time),
            graceful_stop: fields
                .duration("gracefulStop")?
                .unwrap_or(defaults.graceful_stop),
            env: fields.map("env")?.unwrap_or_default(),
            exec: fields.text("exec")?.unwrap_or(defaults.exec),
            tags: fields.map("tags")?.unwrap_or_default(),
            ..Self::new(name, defaults.executor)
        };
        match fields.left().next() {
            Some(name) => Err(OptionError::Unknown { name }),
            None => Ok(scenario),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use serde_json::json;

    use super::*;

    fn parse(json: Value) -> Result<Scenario, OptionError> {
        Scenario::parse("s", json.as_object().unwrap().clone())
    }

    #[test]
    fn defaults_are_k6s() {
        let scenario = parse(json!({"executor": "shared-iterations"})).unwrap();
        assert_eq!(
            scenario.executor,
            Executor::SharedIterations {
                vus: 1,
                iterations: 1,
                max_duration: MAX_DURATION
            }
        );
        assert_eq!(scenario.exec, "default");
        assert_eq!(scenario.graceful_stop, GRACE);
    }

    #[test]
    fn wrong_scenarios_are_named() {
        for (json, part) in [
            (json!({}), "scenarios.s.executor is missing"),
            (
                json!({"executor": "constant-vus"}),
                "scenarios.s.duration is missing",
            ),
            (
                json!({"executor": "constant-vus", "duration": "10ms"}),
                "at least 1s",
            ),
            (
                json!({"executor": "constant-vus", "duration": "1s", "rate": 4}),
                "scenarios.s.rate",
            ),
            (
                json!({"executor": "externally-controlled"}),
                "externally-controlled",
            ),
            (
                json!({"executor": "shared-iterations", "vus": 3}),
                "iterations",
            ),
            (
                json!({"executor": "constant-arrival-rate", "rate": 5, "duration": "1s"}),
                "preAllocatedVUs is missing",
            ),
        ] {
            let error = parse(json).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
