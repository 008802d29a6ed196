//! The options that stand for a scenario: `vus`, `duration`, `iterations` and `stages`.

use std::time::Duration;

use super::{Executor, Layer, OptionError, scenario};

/// Refuses shortcuts beside the option `with`.
pub(super) fn refuse(layer: &Layer, with: &'static str) -> Result<(), OptionError> {
    for (given, name) in [
        (layer.iterations.is_some(), "iterations"),
        (layer.stages.is_some(), "stages"),
        (layer.duration.is_some(), "duration"),
    ] {
        if given {
            return Err(OptionError::Conflict(name, with));
        }
    }
    Ok(())
}

/// The executor that `vus`, `duration`, `iterations` and `stages` stand for.
pub(super) fn executor(layer: &Layer) -> Result<Executor, OptionError> {
    let vus = layer.vus.unwrap_or(1);
    if vus == 0 && layer.stages.is_none() {
        return Err(OptionError::Value {
            name: "vus".to_owned(),
            value: "0".to_owned(),
            expected: "a whole number from 1 on",
        });
    }
    if let Some(iterations) = layer.iterations {
        if layer.stages.is_some() {
            return Err(OptionError::Conflict("iterations", "stages"));
        }
        if iterations < vus {
            return Err(OptionError::Value {
                name: "iterations".to_owned(),
                value: iterations.to_string(),
                expected: "at least one for each of the vus",
            });
        }
        return Ok(Executor::SharedIterations {
            vus,
            iterations,
            max_duration: layer.duration.unwrap_or(scenario::MAX_DURATION),
        });
    }
    match (layer.duration, &layer.stages) {
        (Some(_), Some(_)) => Err(OptionError::Conflict("duration", "stages")),
        (Some(duration), None) if duration < Duration::from_secs(1) => Err(OptionError::Value {
            name: "duration".to_owned(),
            value: format!("{duration:?}"),
            expected: "a duration of at least 1s",
        }),
        (Some(duration), None) => Ok(Executor::ConstantVus { vus, duration }),
        (None, Some(stages)) => Ok(Executor::RampingVus {
            start_vus: vus,
            stages: stages.clone(),
            graceful_ramp_down: scenario::GRACE,
        }),
        (None, None) => Ok(match layer.vus {
            Some(vus) => Executor::SharedIterations {
                vus,
                iterations: vus,
                max_duration: scenario::MAX_DURATION,
            },
            None => Executor::PerVuIterations {
                vus: 1,
                iterations: 1,
                max_duration: scenario::MAX_DURATION,
            },
        }),
    }
}
