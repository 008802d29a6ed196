//! What `handleSummary` gets.

use std::io::{IsTerminal, stderr, stdout};

use serde_json::{Map, Value, json};

use super::{MetricTotal, Totals, group::Group};
use crate::options::Options;

/// The documented argument of `handleSummary`, as JSON.
pub(crate) fn summary_data(totals: &Totals, options: &Options) -> Value {
    let metrics: Map<String, Value> = (totals.metrics.iter())
        .map(|metric| (metric.name.clone(), metric_data(metric, options)))
        .collect();
    let mut data = json!({
        "root_group": Group::root(totals).data(),
        "options": {
            "summaryTrendStats": options.trend_stats(),
            "summaryTimeUnit": options.time_unit_text(),
            "noColor": !stdout().is_terminal(),
        },
        "state": {
            "isStdOutTTY": stdout().is_terminal(),
            "isStdErrTTY": stderr().is_terminal(),
            "testRunDurationMs": totals.elapsed.as_secs_f64() * 1e3,
        },
        "metrics": metrics,
    });
    let setup = totals.setup_json.as_deref();
    if let Some(setup) = setup.and_then(|json| serde_json::from_str::<Value>(json).ok()) {
        data["setup_data"] = setup;
    }
    data
}

fn metric_data(metric: &MetricTotal, options: &Options) -> Value {
    let values: Map<String, Value> = (metric.values.named(options).into_iter())
        .map(|(name, value)| (name, number(value)))
        .collect();
    let mut data = json!({
        "type": metric.kind.name(),
        "contains": metric.contains.name(),
        "values": values,
    });
    if !metric.thresholds.is_empty() {
        let verdicts: Map<String, Value> = (metric.thresholds.iter())
            .map(|verdict| (verdict.source.clone(), json!({ "ok": verdict.ok })))
            .collect();
        data["thresholds"] = Value::Object(verdicts);
    }
    data
}

/// A number as JavaScript writes it: without a fraction where there is none.
pub(crate) fn number(value: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "whole and below 2^53")]
    if value.fract() == 0.0 && value.abs() < 9e15 {
        return Value::from(value as i64);
    }
    Value::from(value)
}
