//! Reading the executor of a scenario.

use std::time::Duration;

use serde_json::Value;

use super::{
    Executor, OptionError, Stage,
    fields::{self, Fields},
    scenario::{GRACE, MAX_DURATION},
};

/// For messages about executors.
pub(super) const EXECUTORS: &str = "constant-vus, ramping-vus, shared-iterations, per-vu-iterations, \
                         constant-arrival-rate or ramping-arrival-rate";

/// Takes the fields of the executor of that name.
pub(super) fn parse_executor(name: &str, fields: &mut Fields) -> Result<Executor, OptionError> {
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
