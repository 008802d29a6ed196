//! Differences in the summary: checks, metrics, counts and rates, thresholds, keys.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{
    difference::{Difference, Part},
    observation::Observation,
    samples::BY_THE_CLOCK,
};

/// Keys of a metric whose values do not depend on how fast something was: counts of counters and
/// trends, and all of rates.
const AGREEING: [&str; 4] = ["count", "passes", "fails", "value"];
/// Metrics of bytes, with the byte count of the wire that each must agree with.
const BYTES: [&str; 2] = ["data_sent", "data_received"];
/// How far counted bytes may be from the wire where that depends on when the last frames came.
const TOLERANCE: f64 = 0.02;

/// Differences between two summaries; counts are compared when both made the same work.
pub(super) fn differences(
    runner: &Observation,
    k6: &Observation,
    same_work: bool,
) -> Vec<Difference> {
    let (Some(ours), Some(theirs)) = (&runner.summary, &k6.summary) else {
        let is_missing = runner.summary.is_some() != k6.summary.is_some();
        let difference = || {
            let what = "file of --summary-export";
            Difference::only(Part::Summary, what, runner.summary.is_some())
        };
        return is_missing.then(difference).into_iter().collect();
    };
    let mut found = keys(Part::Summary, "", ours, theirs);
    found.extend(checks(ours, theirs, same_work));
    found.extend(setup_data(ours, theirs));
    let (ours, theirs) = (&ours["metrics"], &theirs["metrics"]);
    let metrics = keys(Part::Metric, "", ours, theirs);
    found.extend(
        metrics
            .into_iter()
            .filter(|one| !BY_THE_CLOCK.contains(&one.what.as_str())),
    );
    for (name, ours, theirs) in shared(ours, theirs) {
        found.extend(metric(name, ours, theirs, same_work));
    }
    found.extend(bytes(runner, k6, same_work));
    found
}

/// Keys that only one of two objects has.
fn keys(part: Part, prefix: &str, ours: &Value, theirs: &Value) -> Vec<Difference> {
    let names = |value: &Value| -> BTreeSet<String> {
        value
            .as_object()
            .into_iter()
            .flat_map(Map::keys)
            .cloned()
            .collect()
    };
    let (ours, theirs) = (names(ours), names(theirs));
    let only = ours.symmetric_difference(&theirs);
    only.map(|name| Difference::only(part, format!("{prefix}{name}"), ours.contains(name)))
        .collect()
}

/// What both objects have under the same key.
fn shared<'a>(
    ours: &'a Value,
    theirs: &'a Value,
) -> impl Iterator<Item = (&'a String, &'a Value, &'a Value)> {
    let fields = ours.as_object().into_iter().flatten();
    fields.filter_map(|(name, value)| Some((name, value, theirs.get(name)?)))
}

fn metric(name: &str, ours: &Value, theirs: &Value, same_work: bool) -> Vec<Difference> {
    let mut found = keys(Part::Metric, &format!("{name}: "), ours, theirs);
    let is_rate = ours.get("passes").is_some();
    for (key, ours, theirs) in shared(ours, theirs) {
        if key == "thresholds" {
            found.extend(thresholds(name, ours, theirs));
            continue;
        }
        let agrees = AGREEING.contains(&key.as_str()) && (is_rate || key == "count");
        let is_compared = same_work && agrees && !BYTES.contains(&base(name));
        if is_compared && ours.as_f64() != theirs.as_f64() {
            let what = format!("{name}: {key}");
            found.push(Difference::new(Part::Metric, what, ours, theirs));
        }
    }
    found
}

/// A metric's name without the tags of a part of it.
fn base(name: &str) -> &str {
    name.split_once('{').map_or(name, |(base, _)| base)
}

/// In this file a threshold that has failed is `true`.
fn thresholds(metric: &str, ours: &Value, theirs: &Value) -> Vec<Difference> {
    let mut found = keys(Part::Threshold, &format!("{metric}: "), ours, theirs);
    let verdict = |failed: &Value| {
        if *failed == Value::Bool(true) {
            "failed"
        } else {
            "passed"
        }
    };
    for (source, ours, theirs) in shared(ours, theirs) {
        if ours != theirs {
            let what = format!("{metric}: {source}");
            found.push(Difference::new(
                Part::Threshold,
                what,
                verdict(ours),
                verdict(theirs),
            ));
        }
    }
    found
}

/// Groups and checks, with everything below them.
fn checks(ours: &Value, theirs: &Value, same_work: bool) -> Vec<Difference> {
    let (ours, theirs) = (leaves(&ours["root_group"]), leaves(&theirs["root_group"]));
    let paths: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let mut found = Vec::new();
    for path in paths {
        match (ours.get(path), theirs.get(path)) {
            (Some(ours), Some(theirs)) => {
                let is_count = ours.is_number() && theirs.is_number();
                if ours != theirs && (same_work || !is_count) {
                    found.push(Difference::new(Part::Check, path.clone(), ours, theirs));
                }
            }
            (ours, _) => found.push(Difference::only(Part::Check, path.clone(), ours.is_some())),
        }
    }
    found
}

/// What `setup()` returned may hold times, so its form is compared only.
fn setup_data(ours: &Value, theirs: &Value) -> Vec<Difference> {
    let form = |value: &Value| -> BTreeMap<String, &str> {
        let leaves = leaves(&value["setup_data"]).into_iter();
        leaves.map(|(path, leaf)| (path, kind(leaf))).collect()
    };
    let (ours, theirs) = (form(ours), form(theirs));
    let paths: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    let differing = paths
        .into_iter()
        .filter(|path| ours.get(*path) != theirs.get(*path));
    differing
        .map(|path| {
            let kind = |form: &BTreeMap<String, &str>| {
                form.get(path).map_or("none", |kind| *kind).to_owned()
            };
            let what = format!("setup_data {path}");
            Difference::new(Part::Summary, what, kind(&ours), kind(&theirs))
        })
        .collect()
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an empty array",
        Value::Object(_) => "an empty object",
    }
}

/// Everything in a value that has nothing below it, by its path.
fn leaves(value: &Value) -> BTreeMap<String, &Value> {
    fn collect<'a>(path: String, value: &'a Value, leaves: &mut BTreeMap<String, &'a Value>) {
        let below = |name: &str| {
            if path.is_empty() {
                name.to_owned()
            } else {
                format!("{path}.{name}")
            }
        };
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (name, value) in fields {
                    collect(below(name), value, leaves);
                }
            }
            Value::Array(items) if !items.is_empty() => {
                for (place, value) in items.iter().enumerate() {
                    collect(below(&place.to_string()), value, leaves);
                }
            }
            _ => {
                leaves.insert(path, value);
            }
        }
    }
    let mut found = BTreeMap::new();
    collect(String::new(), value, &mut found);
    found
}

/// Counted bytes against those that crossed the wire in the same run. Requests may well differ
/// between the runs; whether what was sent is counted must not.
fn bytes(runner: &Observation, k6: &Observation, same_work: bool) -> Vec<Difference> {
    let is_exact = same_work && !runner.traffic.has_http2 && !k6.traffic.has_http2;
    let mut found = Vec::new();
    for metric in BYTES {
        let side = |run: &Observation| {
            let wire = match metric {
                "data_sent" => run.traffic.sent_bytes,
                _ => run.traffic.received_bytes,
            };
            Some((run.count(metric, "count")?, wire as f64))
        };
        let (Some(ours), Some(theirs)) = (side(runner), side(k6)) else {
            continue;
        };
        let tolerance = if is_exact {
            0.0
        } else {
            TOLERANCE * ours.1.max(theirs.1)
        };
        let uncounted = |(counted, wire): (f64, f64)| wire - counted;
        if (uncounted(ours) - uncounted(theirs)).abs() > tolerance {
            let shown = |(counted, wire)| format!("counts {counted} of {wire} bytes on the wire");
            found.push(Difference::new(
                Part::Metric,
                metric,
                shown(ours),
                shown(theirs),
            ));
        }
    }
    found
}
