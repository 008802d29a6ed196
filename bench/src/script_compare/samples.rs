//! Differences in what `--out json` tells of metrics, tags and samples.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::difference::{Difference, Part};

/// Metrics that are sampled every second, so that a short run may have none.
pub(super) const BY_THE_CLOCK: [&str; 2] = ["vus", "vus_max"];

/// What a file of `--out json` says, metric by metric.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Samples(BTreeMap<String, Metric>);

/// What is told of a metric.
#[derive(Debug, Default, PartialEq, Eq)]
struct Metric {
    /// Type, `contains`, thresholds and parts, as text.
    description: BTreeMap<&'static str, String>,
    /// Values of each tag.
    tags: BTreeMap<String, BTreeSet<String>>,
    points: usize,
}

impl Samples {
    /// Reads JSON lines.
    ///
    /// # Errors
    /// The number of a line that is no JSON, and why.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut samples = Self::default();
        for (place, line) in text.lines().enumerate() {
            let line: Value = serde_json::from_str(line)
                .map_err(|error| format!("line {}: {error}", place + 1))?;
            samples.add(&line);
        }
        Ok(samples)
    }

    fn add(&mut self, line: &Value) {
        let Some(name) = line["metric"].as_str() else {
            return;
        };
        let metric = self.0.entry(name.to_owned()).or_default();
        let data = &line["data"];
        if line["type"] == "Metric" {
            metric.description = BTreeMap::from([
                ("type", data["type"].to_string()),
                ("contains", data["contains"].to_string()),
                ("thresholds", data["thresholds"].to_string()),
                ("parts", parts(&data["submetrics"])),
            ]);
            return;
        }
        metric.points += 1;
        for (tag, value) in data["tags"].as_object().into_iter().flatten() {
            let value = value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned);
            metric.tags.entry(tag.clone()).or_default().insert(value);
        }
    }

    /// Differences from what the runner wrote, `self`, to what k6 wrote. Metrics that the summary
    /// of only one of them has were told there. Values of tags and numbers of samples are compared
    /// when both made the same work.
    pub(super) fn differences(
        &self,
        k6: &Self,
        told: &[Difference],
        same_work: bool,
    ) -> Vec<Difference> {
        let names: BTreeSet<&String> = self.0.keys().chain(k6.0.keys()).collect();
        let mut found = Vec::new();
        let mut tags = TagDifferences::new();
        for name in names {
            let was_told = BY_THE_CLOCK.contains(&name.as_str())
                || (told.iter()).any(|one| one.part == Part::Metric && one.what == *name);
            match (self.0.get(name), k6.0.get(name)) {
                (Some(ours), Some(theirs)) => {
                    found.extend(ours.differences(name, theirs, same_work));
                    ours.tag_differences(name, theirs, same_work, &mut tags);
                }
                _ if was_told => {}
                (ours, _) => found.push(Difference::only(Part::Sample, name, ours.is_some())),
            }
        }
        found.extend(tags.into_iter().map(|((tag, runner, k6), metrics)| {
            let what = format!("tag {tag} of {}", metrics.join(", "));
            Difference::new(Part::Sample, what, runner, k6)
        }));
        found
    }
}

/// Metrics by the tag in which they differ, and what the runner and k6 have there: most tags are
/// those of many metrics.
type TagDifferences = BTreeMap<(String, String, String), Vec<String>>;

impl Metric {
    fn differences(&self, name: &str, k6: &Self, same_work: bool) -> Vec<Difference> {
        let mut found = Vec::new();
        for (key, ours) in &self.description {
            let theirs = k6.description.get(key).map_or("none", String::as_str);
            if ours != theirs {
                let what = format!("{name}: {key}");
                found.push(Difference::new(Part::Sample, what, ours, theirs));
            }
        }
        let is_counted = same_work && !BY_THE_CLOCK.contains(&name);
        if is_counted && self.points != k6.points {
            let what = format!("{name}: number of samples");
            found.push(Difference::new(Part::Sample, what, self.points, k6.points));
        }
        found
    }

    fn tag_differences(&self, name: &str, k6: &Self, same_work: bool, found: &mut TagDifferences) {
        let tags: BTreeSet<&String> = self.tags.keys().chain(k6.tags.keys()).collect();
        for tag in tags {
            let (runner, k6) = match (self.tags.get(tag), k6.tags.get(tag)) {
                (Some(ours), Some(theirs)) if !same_work || ours == theirs => continue,
                (Some(ours), Some(theirs)) => (besides(ours, theirs), besides(theirs, ours)),
                (Some(_), _) => ("has it".to_owned(), "has none".to_owned()),
                _ => ("has none".to_owned(), "has it".to_owned()),
            };
            let metrics = found.entry((tag.clone(), runner, k6)).or_default();
            metrics.push(name.to_owned());
        }
    }
}

/// The values that the others do not have.
fn besides(values: &BTreeSet<String>, others: &BTreeSet<String>) -> String {
    let only: Vec<&str> = values.difference(others).map(String::as_str).collect();
    if only.is_empty() {
        "nothing else".to_owned()
    } else {
        format!("also {only:?}")
    }
}

/// Names of a metric's parts.
fn parts(value: &Value) -> String {
    let names: BTreeSet<&str> = (value.as_array().into_iter().flatten())
        .filter_map(|part| part["name"].as_str())
        .collect();
    format!("{names:?}")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    const DESCRIBED: &str = r#"{"type":"Metric","metric":"m","data":{"name":"m","type":"counter","contains":"default","thresholds":[],"submetrics":null}}"#;

    fn samples(points: &[&str]) -> Samples {
        let points = points.iter().map(|tags| {
            format!(r#"{{"type":"Point","metric":"m","data":{{"time":"t","value":1,"tags":{{{tags}}}}}}}"#)
        });
        let lines: Vec<String> = [DESCRIBED.to_owned()].into_iter().chain(points).collect();
        Samples::read(&lines.join("\n")).unwrap()
    }

    fn found(ours: &Samples, theirs: &Samples, same_work: bool) -> Vec<String> {
        let found = ours.differences(theirs, &[], same_work);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn tags_are_compared_by_name_and_for_the_same_work_by_value() {
        let ours = samples(&[r#""status":"200""#, r#""status":"404""#]);
        let theirs = samples(&[r#""status":"200","proto":"HTTP/1.1""#]);
        let proto = "sample     tag proto of m: runner has none, k6 has it";
        assert_eq!(found(&ours, &theirs, false), [proto]);
        assert_eq!(
            found(&ours, &theirs, true),
            [
                "sample     m: number of samples: runner 2, k6 1",
                proto,
                "sample     tag status of m: runner also [\"404\"], k6 nothing else",
            ]
        );
    }

    #[test]
    fn a_description_must_be_the_same_in_both() {
        let ours = samples(&[]);
        let theirs = Samples::read(&DESCRIBED.replace("counter", "rate")).unwrap();
        assert_eq!(
            found(&ours, &theirs, false),
            ["sample     m: type: runner \"counter\", k6 \"rate\""]
        );
    }

    #[test]
    fn a_broken_line_is_named() {
        let error = Samples::read("{}\n{").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
