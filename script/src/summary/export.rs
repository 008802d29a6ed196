//! `--summary-export`: the old JSON form.

use serde::Serialize;
use serde_json::{Map, Value, json, ser::PrettyFormatter};

use super::{MetricTotal, Totals, Values, data::number, group::Group};
use crate::options::Options;

/// The content of the file.
pub(crate) fn summary_export(
    totals: &Totals,
    options: &Options,
) -> Result<Vec<u8>, serde_json::Error> {
    let metrics: Map<String, Value> = (totals.metrics.iter())
        .map(|metric| (metric.name.clone(), metric_export(metric, options)))
        .collect();
    let mut export = json!({
        "root_group": Group::root(totals).export(),
        "metrics": metrics,
    });
    let setup = totals.setup_json.as_deref();
    if let Some(setup) = setup.and_then(|json| serde_json::from_str::<Value>(json).ok()) {
        export["setup_data"] = setup;
    }
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(b"    ");
    export.serialize(&mut serde_json::Serializer::with_formatter(
        &mut bytes, formatter,
    ))?;
    Ok(bytes)
}

fn metric_export(metric: &MetricTotal, options: &Options) -> Value {
    let is_rate = matches!(metric.values, Values::Rate { .. });
    let mut values: Map<String, Value> = (metric.values.named(options).into_iter())
        .map(|(name, value)| {
            let name = if is_rate && name == "rate" {
                "value".to_owned()
            } else {
                name
            };
            (name, number(value))
        })
        .collect();
    if !metric.thresholds.is_empty() {
        // True means failed here.
        let verdicts: Map<String, Value> = (metric.thresholds.iter())
            .map(|verdict| (verdict.source.clone(), Value::Bool(!verdict.ok)))
            .collect();
        values.insert("thresholds".to_owned(), Value::Object(verdicts));
    }
    Value::Object(values)
}
