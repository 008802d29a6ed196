//! The options that a run goes by.

use std::{collections::BTreeMap, time::Duration};

use super::{Layer, OptionError, OptionWarning, Scenario, ThresholdOption, shortcut};
use crate::{metric::Builtin, tls::TlsSettings};

/// k6's default of `summaryTrendStats`.
pub const DEFAULT_TREND_STATS: [&str; 6] = ["avg", "min", "med", "max", "p(90)", "p(95)"];

/// System tags that samples carry by default.
const SYSTEM_TAGS: [&str; 14] = [
    "check",
    "error",
    "error_code",
    "expected_response",
    "group",
    "method",
    "name",
    "proto",
    "scenario",
    "service",
    "status",
    "subproto",
    "tls_version",
    "url",
];

/// In which unit the summary shows times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
}

/// What all sources together say, with defaults for the rest.
#[derive(Clone, Debug, Default)]
pub struct Options {
    layer: Layer,
    scenarios: Vec<Scenario>,
    tls: TlsSettings,
}

impl Options {
    /// Makes scenarios of the shortcuts and checks what goes together.
    pub(crate) fn new(layer: Layer) -> Result<(Self, Vec<OptionWarning>), OptionError> {
        let mut warnings = Vec::new();
        let scenarios = match &layer.scenarios {
            Some(scenarios) => {
                shortcut::refuse(&layer, "scenarios")?;
                if layer.vus.is_some() {
                    warnings.push(OptionWarning::VusWithScenarios);
                }
                scenarios.clone()
            }
            None => vec![Scenario::new("default", shortcut::executor(&layer)?)],
        };
        if let Some(unit) = &layer.time_unit {
            parse_time_unit(unit)?;
        }
        if let Some(stats) = &layer.trend_stats {
            stats.iter().try_for_each(|stat| check_stat(stat))?;
        }
        let tls = super::tls::settings(&layer)?;
        let options = Self {
            layer,
            scenarios,
            tls,
        };
        Ok((options, warnings))
    }

    /// The scenarios; at least one.
    #[must_use]
    pub fn scenarios(&self) -> &[Scenario] {
        &self.scenarios
    }

    /// The main options as the script would write them, for `exec.test.options`.
    #[must_use]
    pub fn consolidated(&self) -> serde_json::Value {
        let scenarios: serde_json::Map<_, _> = (self.scenarios.iter())
            .map(|scenario| (scenario.name.clone(), scenario.to_json()))
            .collect();
        let thresholds: BTreeMap<_, Vec<_>> = self
            .thresholds()
            .map(|(metric, list)| {
                let sources = list.iter().map(|threshold| &threshold.expression);
                (metric, sources.collect())
            })
            .collect();
        serde_json::json!({
            "scenarios": scenarios,
            "thresholds": thresholds,
            "summaryTrendStats": self.trend_stats(),
            "userAgent": self.user_agent(),
            "batch": self.batch(),
            "maxRedirects": self.max_redirects(),
            "throw": self.throw(),
            "discardResponseBodies": self.discard_response_bodies(),
            "noConnectionReuse": self.no_connection_reuse(),
            "insecureSkipTLSVerify": self.tls.skips_verification,
            "tags": self.tags(),
        })
    }

    /// Thresholds by metric; empty when they are switched off.
    pub fn thresholds(&self) -> impl Iterator<Item = (&String, &Vec<ThresholdOption>)> {
        let switched_off = self.layer.no_thresholds.unwrap_or_default();
        let thresholds = self.layer.thresholds.iter().flatten();
        thresholds.filter(move |_| !switched_off)
    }

    /// Metrics that thresholds name, whether they are switched off or not.
    pub fn threshold_metrics(&self) -> impl Iterator<Item = &String> {
        self.layer
            .thresholds
            .iter()
            .flatten()
            .map(|(metric, _)| metric)
    }

    /// Whether a threshold names a metric of bodies, which k6 does not have.
    pub(crate) fn names_bodies(&self) -> bool {
        [Builtin::DataSentBody, Builtin::DataReceivedBody]
            .iter()
            .any(|metric| {
                let name = metric.name();
                let is_it = |named: &String| named.split('{').next() == Some(name);
                self.threshold_metrics().any(is_it)
            })
    }

    /// Whether to pass `setup` over.
    #[must_use]
    pub fn no_setup(&self) -> bool {
        self.layer.no_setup.unwrap_or_default()
    }

    /// Whether to pass `teardown` over.
    #[must_use]
    pub fn no_teardown(&self) -> bool {
        self.layer.no_teardown.unwrap_or_default()
    }

    /// How long `setup` may take.
    #[must_use]
    pub fn setup_timeout(&self) -> Duration {
        self.layer.setup_timeout.unwrap_or(Duration::from_mins(1))
    }

    /// How long `teardown` may take.
    #[must_use]
    pub fn teardown_timeout(&self) -> Duration {
        self.layer
            .teardown_timeout
            .unwrap_or(Duration::from_mins(1))
    }

    /// How long `handleSummary` may take.
    #[must_use]
    pub fn summary_timeout(&self) -> Duration {
        self.layer.summary_timeout.unwrap_or(Duration::from_mins(2))
    }

    /// Redirects that a request follows at most.
    #[must_use]
    pub fn max_redirects(&self) -> u64 {
        self.layer.max_redirects.unwrap_or(10)
    }

    /// `User-Agent` of requests that set none.
    #[must_use]
    pub fn user_agent(&self) -> &str {
        const DEFAULT: &str = concat!("bookstore-bench/", env!("CARGO_PKG_VERSION"));
        self.layer.user_agent.as_deref().unwrap_or(DEFAULT)
    }

    /// Requests of one `batch()` that run at once.
    #[must_use]
    pub fn batch(&self) -> u64 {
        self.layer.batch.unwrap_or(20).max(1)
    }

    /// Requests of one `batch()` to one host that run at once.
    #[must_use]
    pub fn batch_per_host(&self) -> u64 {
        match self.layer.batch_per_host {
            Some(0) => u64::MAX,
            limit => limit.unwrap_or(6),
        }
    }

    /// Whether failed requests throw.
    #[must_use]
    pub fn throw(&self) -> bool {
        self.layer.throw.unwrap_or_default()
    }

    /// Whether every request opens a connection of its own.
    #[must_use]
    pub fn no_connection_reuse(&self) -> bool {
        self.layer.no_connection_reuse.unwrap_or_default()
    }

    /// Whether connections are closed after every iteration.
    #[must_use]
    pub fn no_vu_connection_reuse(&self) -> bool {
        self.layer.no_vu_connection_reuse.unwrap_or_default()
    }

    /// How long an iteration takes at least.
    #[must_use]
    pub fn min_iteration_duration(&self) -> Duration {
        self.layer.min_iteration_duration.unwrap_or_default()
    }

    /// What the summary tells of trends.
    #[must_use]
    pub fn trend_stats(&self) -> Vec<String> {
        let default = || DEFAULT_TREND_STATS.map(str::to_owned).to_vec();
        self.layer.trend_stats.clone().unwrap_or_else(default)
    }

    /// In which unit the summary shows times; `None` for the fitting one.
    #[must_use]
    pub fn time_unit(&self) -> Option<TimeUnit> {
        let unit = self.layer.time_unit.as_deref()?;
        parse_time_unit(unit).ok().flatten()
    }

    /// The unit as it was written.
    #[must_use]
    pub fn time_unit_text(&self) -> &str {
        self.layer.time_unit.as_deref().unwrap_or_default()
    }

    /// Whether samples carry a system tag.
    #[must_use]
    pub fn has_system_tag(&self, tag: &str) -> bool {
        match &self.layer.system_tags {
            Some(tags) => tags.contains(tag),
            None => SYSTEM_TAGS.contains(&tag),
        }
    }

    /// Tags of all samples.
    #[must_use]
    pub fn tags(&self) -> BTreeMap<String, String> {
        self.layer.tags.clone().unwrap_or_default()
    }

    /// Whether cookies outlive an iteration.
    #[must_use]
    pub fn no_cookies_reset(&self) -> bool {
        self.layer.no_cookies_reset.unwrap_or_default()
    }

    /// How connections with TLS are made.
    pub(crate) fn tls(&self) -> &TlsSettings {
        &self.tls
    }

    /// Whether answers are thrown away unless a request asks for them.
    #[must_use]
    pub fn discard_response_bodies(&self) -> bool {
        self.layer.discard_response_bodies.unwrap_or_default()
    }
}

fn parse_time_unit(text: &str) -> Result<Option<TimeUnit>, OptionError> {
    Ok(match text {
        "" => None,
        "s" => Some(TimeUnit::Seconds),
        "ms" => Some(TimeUnit::Milliseconds),
        "us" => Some(TimeUnit::Microseconds),
        other => {
            return Err(OptionError::Value {
                name: "summaryTimeUnit".to_owned(),
                value: format!("{other:?}"),
                expected: "s, ms or us",
            });
        }
    })
}

fn check_stat(stat: &str) -> Result<(), OptionError> {
    let known = ["avg", "min", "med", "max", "count"].contains(&stat)
        || crate::threshold::parse_percentile(stat).is_some();
    if known {
        return Ok(());
    }
    Err(OptionError::Value {
        name: "summaryTrendStats".to_owned(),
        value: format!("{stat:?}"),
        expected: "avg, min, med, max, count or p(0) to p(100)",
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use serde_json::json;

    use super::*;

    fn options(json: &serde_json::Value) -> Result<Options, OptionError> {
        let (layer, _) = Layer::from_script(json.as_object().unwrap().clone())?;
        Options::new(layer).map(|(options, _)| options)
    }

    #[test]
    fn shortcuts_become_scenarios() {
        for (json, executor) in [
            (json!({}), "per-vu-iterations"),
            (json!({"vus": 3}), "shared-iterations"),
            (json!({"vus": 3, "iterations": 9}), "shared-iterations"),
            (json!({"vus": 3, "duration": "2s"}), "constant-vus"),
            (
                json!({"stages": [{"duration": "1s", "target": 2}]}),
                "ramping-vus",
            ),
        ] {
            let options = options(&json).unwrap();
            assert_eq!(options.scenarios()[0].executor.name(), executor, "{json}");
            assert_eq!(options.scenarios()[0].name, "default");
        }
    }

    #[test]
    fn what_excludes_each_other_is_refused() {
        let stages = json!([{"duration": "1s", "target": 2}]);
        for json in [
            json!({"duration": "1s", "stages": stages}),
            json!({"iterations": 1, "stages": stages}),
            json!({"duration": "1s", "scenarios": {"a": {"executor": "shared-iterations"}}}),
            json!({"vus": 4, "iterations": 3}),
            json!({"summaryTrendStats": ["p(101)"]}),
            json!({"summaryTimeUnit": "h"}),
        ] {
            assert!(options(&json).is_err(), "{json}");
        }
    }
}
