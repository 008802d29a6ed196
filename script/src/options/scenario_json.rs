//! Scenarios as a script would write them.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Executor, Scenario, Stage};

impl Scenario {
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
}
