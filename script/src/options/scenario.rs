//! Scenarios: who runs which function, when and how often.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Map, Value, json};

use super::{OptionError, fields, fields::Fields};

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

/// How iterations are started; the names are k6's
/// (<https://grafana.com/docs/k6/latest/using-k6/scenarios/executors/>).
#[derive(Clone, Debug, PartialEq)]
pub enum Executor {
    /// A number of iterations that the users share.
    SharedIterations {
        /// Virtual users.
        vus: u64,
        /// Iterations of all together.
        iterations: u64,
        /// When to end at the latest.
        max_duration: Duration,
    },
    /// A number of iterations for each user.
    PerVuIterations {
        /// Virtual users.
        vus: u64,
        /// Iterations of each.
        iterations: u64,
        /// When to end at the latest.
        max_duration: Duration,
    },
    /// Users that iterate for some time: a closed loop.
    ConstantVus {
        /// Virtual users.
        vus: u64,
        /// How long.
        duration: Duration,
    },
    /// A number of users that changes.
    RampingVus {
        /// Virtual users at the beginning.
        start_vus: u64,
        /// What the number becomes.
        stages: Vec<Stage>,
        /// How long the iteration of a user that is taken away may go on.
        graceful_ramp_down: Duration,
    },
    /// Iterations at a fixed rate: an open model.
    ConstantArrivalRate {
        /// Iterations per `time_unit`.
        rate: u64,
        /// See `rate`.
        time_unit: Duration,
        /// How long.
        duration: Duration,
        /// Virtual users at the beginning.
        pre_allocated_vus: u64,
        /// Virtual users at most.
        max_vus: u64,
    },
    /// Iterations at a rate that changes.
    RampingArrivalRate {
        /// Iterations per `time_unit` at the beginning.
        start_rate: u64,
        /// See `start_rate`.
        time_unit: Duration,
        /// What the rate becomes.
        stages: Vec<Stage>,
        /// Virtual users at the beginning.
        pre_allocated_vus: u64,
        /// Virtual users at most.
        max_vus: u64,
    },
}

/// A part of a ramp: from where it is to the target, in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// How long.
    pub duration: Duration,
    /// Virtual users, or iterations per time unit, at its end.
    pub target: u64,
}

/// k6's default of `gracefulStop` and `gracefulRampDown`.
pub(super) const GRACE: Duration = Duration::from_secs(30);
/// k6's default of `maxDuration`.
pub(super) const MAX_DURATION: Duration = Duration::from_mins(10);

impl Executor {
    /// As k6 writes it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::SharedIterations { .. } => "shared-iterations",
            Self::PerVuIterations { .. } => "per-vu-iterations",
            Self::ConstantVus { .. } => "constant-vus",
            Self::RampingVus { .. } => "ramping-vus",
            Self::ConstantArrivalRate { .. } => "constant-arrival-rate",
            Self::RampingArrivalRate { .. } => "ramping-arrival-rate",
        }
    }

    /// When no more iterations are started, after the scenario's begin.
    #[must_use]
    pub fn duration(&self) -> Duration {
        match self {
            Self::SharedIterations { max_duration, .. }
            | Self::PerVuIterations { max_duration, .. } => *max_duration,
            Self::ConstantVus { duration, .. } | Self::ConstantArrivalRate { duration, .. } => {
                *duration
            }
            Self::RampingVus { stages, .. } | Self::RampingArrivalRate { stages, .. } => {
                stages.iter().map(|stage| stage.duration).sum()
            }
        }
    }

    /// Virtual users that are made before the run.
    #[must_use]
    pub fn planned_vus(&self) -> u64 {
        match self {
            Self::SharedIterations { vus, .. }
            | Self::PerVuIterations { vus, .. }
            | Self::ConstantVus { vus, .. } => *vus,
            Self::RampingVus {
                start_vus, stages, ..
            } => {
                let targets = stages.iter().map(|stage| stage.target);
                targets.chain([*start_vus]).max().unwrap_or(*start_vus)
            }
            Self::ConstantArrivalRate {
                pre_allocated_vus, ..
            }
            | Self::RampingArrivalRate {
                pre_allocated_vus, ..
            } => *pre_allocated_vus,
        }
    }

    /// Virtual users at most.
    #[must_use]
    pub fn max_vus(&self) -> u64 {
        match self {
            Self::ConstantArrivalRate { max_vus, .. }
            | Self::RampingArrivalRate { max_vus, .. } => *max_vus,
            other => other.planned_vus(),
        }
    }
}

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

    /// As the script would write it; durations in the form `1.5s`.
    pub(super) fn to_json(&self) -> Value {
        let time = |duration: &Duration| Value::from(format!("{}s", duration.as_secs_f64()));
        let stages = |stages: &[Stage]| -> Value {
            let stages = stages.iter();
            stages
                .map(|stage| json!({ "duration": time(&stage.duration), "target": stage.target }))
                .collect()
        };
        let mut object = match &self.executor {
            Executor::SharedIterations {
                vus,
                iterations,
                max_duration,
            }
            | Executor::PerVuIterations {
                vus,
                iterations,
                max_duration,
            } => {
                json!({ "vus": vus, "iterations": iterations, "maxDuration": time(max_duration) })
            }
            Executor::ConstantVus { vus, duration } => {
                json!({ "vus": vus, "duration": time(duration) })
            }
            Executor::RampingVus {
                start_vus,
                stages: ramp,
                graceful_ramp_down,
            } => json!({
                "startVUs": start_vus,
                "stages": stages(ramp),
                "gracefulRampDown": time(graceful_ramp_down),
            }),
            Executor::ConstantArrivalRate {
                rate,
                time_unit,
                duration,
                ..
            } => json!({ "rate": rate, "timeUnit": time(time_unit), "duration": time(duration) }),
            Executor::RampingArrivalRate {
                start_rate,
                time_unit,
                stages: ramp,
                ..
            } => json!({
                "startRate": start_rate,
                "timeUnit": time(time_unit),
                "stages": stages(ramp),
            }),
        };
        if self.executor.name().ends_with("arrival-rate") {
            object["preAllocatedVUs"] = self.executor.planned_vus().into();
            object["maxVUs"] = self.executor.max_vus().into();
        }
        object["executor"] = self.executor.name().into();
        object["exec"] = self.exec.as_str().into();
        object["startTime"] = time(&self.start_time);
        object["gracefulStop"] = time(&self.graceful_stop);
        object["env"] = json!(self.env);
        object["tags"] = json!(self.tags);
        object
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

const EXECUTORS: &str = "constant-vus, ramping-vus, shared-iterations, per-vu-iterations, \
                         constant-arrival-rate or ramping-arrival-rate";

fn parse_executor(name: &str, fields: &mut Fields) -> Result<Executor, OptionError> {
    let second = Duration::from_secs(1);
    Ok(match name {
        "shared-iterations" => {
            let vus = vus(fields)?;
            let iterations = positive(fields, "iterations", Some(1))?;
            at_least_one_each(fields, vus, iterations)?;
            Executor::SharedIterations {
                vus,
                iterations,
                max_duration: long_enough(fields, "maxDuration", Some(MAX_DURATION))?,
            }
        }
        "per-vu-iterations" => Executor::PerVuIterations {
            vus: vus(fields)?,
            iterations: positive(fields, "iterations", Some(1))?,
            max_duration: long_enough(fields, "maxDuration", Some(MAX_DURATION))?,
        },
        "constant-vus" => Executor::ConstantVus {
            vus: vus(fields)?,
            duration: long_enough(fields, "duration", None)?,
        },
        "ramping-vus" => Executor::RampingVus {
            start_vus: fields.count("startVUs")?.unwrap_or(1),
            stages: stages(fields)?,
            graceful_ramp_down: fields.duration("gracefulRampDown")?.unwrap_or(GRACE),
        },
        "constant-arrival-rate" => {
            let rate = positive(fields, "rate", None)?;
            let time_unit = time_unit(fields)?.unwrap_or(second);
            let (pre_allocated_vus, max_vus) = allocation(fields)?;
            Executor::ConstantArrivalRate {
                rate,
                time_unit,
                duration: long_enough(fields, "duration", None)?,
                pre_allocated_vus,
                max_vus,
            }
        }
        "ramping-arrival-rate" => {
            let start_rate = fields.count("startRate")?.unwrap_or_default();
            let time_unit = time_unit(fields)?.unwrap_or(second);
            let (pre_allocated_vus, max_vus) = allocation(fields)?;
            Executor::RampingArrivalRate {
                start_rate,
                time_unit,
                stages: stages(fields)?,
                pre_allocated_vus,
                max_vus,
            }
        }
        other => {
            return Err(OptionError::Value {
                name: fields.name("executor"),
                value: format!("{other:?}"),
                expected: EXECUTORS,
            });
        }
    })
}

fn vus(fields: &mut Fields) -> Result<u64, OptionError> {
    positive(fields, "vus", Some(1))
}

fn positive(fields: &mut Fields, field: &str, default: Option<u64>) -> Result<u64, OptionError> {
    const EXPECTED: &str = "a whole number from 1 on";
    let read = |value: &Value| fields::count(value).filter(|count| *count > 0);
    fields
        .read(field, EXPECTED, read)?
        .or(default)
        .ok_or_else(|| OptionError::Missing {
            name: fields.name(field),
            expected: EXPECTED,
        })
}

fn long_enough(
    fields: &mut Fields,
    field: &str,
    default: Option<Duration>,
) -> Result<Duration, OptionError> {
    const EXPECTED: &str = "a duration of at least 1s";
    let read = |value: &Value| {
        fields::duration(value).filter(|duration| *duration >= Duration::from_secs(1))
    };
    fields
        .read(field, EXPECTED, read)?
        .or(default)
        .ok_or_else(|| OptionError::Missing {
            name: fields.name(field),
            expected: EXPECTED,
        })
}

fn time_unit(fields: &mut Fields) -> Result<Option<Duration>, OptionError> {
    fields.read("timeUnit", "a duration that is not zero", |value| {
        fields::duration(value).filter(|duration| !duration.is_zero())
    })
}

fn allocation(fields: &mut Fields) -> Result<(u64, u64), OptionError> {
    let planned = fields
        .count("preAllocatedVUs")?
        .ok_or_else(|| OptionError::Missing {
            name: fields.name("preAllocatedVUs"),
            expected: "how many virtual users to start with",
        })?;
    let max = fields
        .read(
            "maxVUs",
            "a whole number from 1 on, not below preAllocatedVUs",
            |value| fields::count(value).filter(|count| *count > 0 && *count >= planned),
        )?
        .unwrap_or(planned);
    if max == 0 {
        return Err(OptionError::Value {
            name: fields.name("preAllocatedVUs"),
            value: "0".to_owned(),
            expected: "a whole number from 1 on, or maxVUs besides",
        });
    }
    Ok((planned, max))
}

fn at_least_one_each(fields: &Fields, vus: u64, iterations: u64) -> Result<(), OptionError> {
    if iterations >= vus {
        return Ok(());
    }
    Err(OptionError::Value {
        name: fields.name("iterations"),
        value: iterations.to_string(),
        expected: "at least one for each of the vus",
    })
}

fn stages(fields: &mut Fields) -> Result<Vec<Stage>, OptionError> {
    let name = fields.name("stages");
    let Some(value) = fields.take("stages") else {
        return Err(OptionError::Missing {
            name,
            expected: STAGES,
        });
    };
    parse_stages(&name, &value)
}

const STAGES: &str = "an array of { duration: \"10s\", target: 5 }";

pub(super) fn parse_stages(name: &str, value: &Value) -> Result<Vec<Stage>, OptionError> {
    let wrong = || OptionError::Value {
        name: name.to_owned(),
        value: value.to_string(),
        expected: STAGES,
    };
    let stages = value.as_array().ok_or_else(wrong)?;
    let parsed: Option<Vec<Stage>> = stages
        .iter()
        .map(|stage| {
            Some(Stage {
                duration: fields::duration(stage.get("duration")?)?,
                target: fields::count(stage.get("target")?)?,
            })
        })
        .collect();
    parsed.filter(|stages| !stages.is_empty()).ok_or_else(wrong)
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
