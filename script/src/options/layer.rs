//! Options of one source: the script, the environment or the command line.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::{Map, Value};

use super::{
    OptionError, OptionWarning, Scenario, Stage, executor_source::parse_stages, fields::Fields, tls,
};
use crate::tls::{CipherSuites, ClientAuth, RootSource, TlsVersions};

/// A threshold as the script gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdOption {
    /// For example `p(95)<200`.
    pub expression: String,
    /// Whether to end the run when it fails.
    pub abort_on_fail: bool,
    /// How long to wait before that.
    pub delay_abort: Duration,
}

/// Declares [`Layer`] and how one layer overrides another.
macro_rules! layer {
    ($($field:ident: $type:ty),* $(,)?) => {
        /// Options that one source has set.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub(crate) struct Layer {
            pub(crate) duration: Option<Duration>,
            pub(crate) iterations: Option<u64>,
            pub(crate) stages: Option<Vec<Stage>>,
            pub(crate) scenarios: Option<Vec<Scenario>>,
            $(pub(crate) $field: Option<$type>,)*
        }

        impl Layer {
            /// Puts a stronger layer on this one. When it says how to execute, nothing of what
            /// this one says about that remains but `vus`.
            pub(crate) fn overridden_by(mut self, stronger: Self) -> Self {
                if stronger.sets_execution() {
                    self.duration = None;
                    self.iterations = None;
                    self.stages = None;
                    self.scenarios = None;
                }
                Self {
                    duration: stronger.duration.or(self.duration),
                    iterations: stronger.iterations.or(self.iterations),
                    stages: stronger.stages.or(self.stages),
                    scenarios: stronger.scenarios.or(self.scenarios),
                    $($field: stronger.$field.or(self.$field),)*
                }
            }
        }
    };
}

layer! {
    vus: u64,
    thresholds: BTreeMap<String, Vec<ThresholdOption>>,
    no_thresholds: bool,
    no_setup: bool,
    no_teardown: bool,
    setup_timeout: Duration,
    teardown_timeout: Duration,
    summary_timeout: Duration,
    max_redirects: u64,
    user_agent: String,
    batch: u64,
    batch_per_host: u64,
    throw: bool,
    no_connection_reuse: bool,
    no_vu_connection_reuse: bool,
    min_iteration_duration: Duration,
    trend_stats: Vec<String>,
    time_unit: String,
    system_tags: BTreeSet<String>,
    tags: BTreeMap<String, String>,
    no_cookies_reset: bool,
    discard_response_bodies: bool,
    insecure_skip_tls_verify: bool,
    tls_versions: TlsVersions,
    tls_cipher_suites: CipherSuites,
    tls_auth: Vec<ClientAuth>,
    tls_roots: RootSource,
}

/// Options of k6 that are not built, and change what is measured or sent.
const NOT_BUILT: [&str; 9] = [
    "blacklistIPs",
    "blockHostnames",
    "dns",
    "executionSegment",
    "executionSegmentSequence",
    "hosts",
    "httpDebug",
    "paused",
    "rps",
];

/// Options of k6 that mean nothing in a local run of this runner.
const WITHOUT_EFFECT: [&str; 5] = [
    "cloud",
    "ext",
    "features",
    "linger",
    "metricSamplesBufferSize",
];

impl Layer {
    fn sets_execution(&self) -> bool {
        self.duration.is_some()
            || self.iterations.is_some()
            || self.stages.is_some()
            || self.scenarios.is_some()
    }

    /// Reads the `options` that a script exports.
    pub(crate) fn from_script(
        options: Map<String, Value>,
    ) -> Result<(Self, Vec<OptionWarning>), OptionError> {
        let mut fields = Fields::new("", options);
        for name in NOT_BUILT {
            if let Some(value) = fields.take(name)
                && value != Value::Bool(false)
            {
                return Err(OptionError::NotBuilt(name.to_owned()));
            }
        }
        for name in WITHOUT_EFFECT {
            fields.take(name);
        }
        let layer = Self {
            vus: fields.count("vus")?,
            duration: fields.duration("duration")?,
            iterations: fields.count("iterations")?,
            stages: match fields.take("stages") {
                Some(stages) => Some(parse_stages("stages", &stages)?),
                None => None,
            },
            scenarios: scenarios(&mut fields)?,
            thresholds: thresholds(&mut fields)?,
            no_thresholds: fields.flag("noThresholds")?,
            no_setup: fields.flag("noSetup")?,
            no_teardown: fields.flag("noTeardown")?,
            setup_timeout: fields.duration("setupTimeout")?,
            teardown_timeout: fields.duration("teardownTimeout")?,
            summary_timeout: fields.duration("handleSummaryTimeout")?,
            max_redirects: fields.count("maxRedirects")?,
            user_agent: fields.text("userAgent")?,
            batch: fields.count("batch")?,
            batch_per_host: fields.count("batchPerHost")?,
            throw: fields.flag("throw")?,
            no_connection_reuse: fields.flag("noConnectionReuse")?,
            no_vu_connection_reuse: fields.flag("noVUConnectionReuse")?,
            min_iteration_duration: fields.duration("minIterationDuration")?,
            trend_stats: fields.texts("summaryTrendStats")?,
            time_unit: fields.text("summaryTimeUnit")?,
            system_tags: fields.texts("systemTags")?.map(BTreeSet::from_iter),
            tags: fields.map("tags")?,
            no_cookies_reset: fields.flag("noCookiesReset")?,
            discard_response_bodies: fields.flag("discardResponseBodies")?,
            insecure_skip_tls_verify: fields.flag("insecureSkipTLSVerify")?,
            tls_versions: tls::versions(&mut fields)?,
            tls_cipher_suites: tls::cipher_suites(&mut fields)?,
            tls_auth: tls::auth(&mut fields)?,
            tls_roots: None,
        };
        let warnings = fields.left().map(OptionWarning::Unknown).collect();
        Ok((layer, warnings))
    }
}

fn scenarios(fields: &mut Fields) -> Result<Option<Vec<Scenario>>, OptionError> {
    let Some(scenarios) = fields.read("scenarios", "an object of scenarios by name", |value| {
        value.as_object().cloned()
    })?
    else {
        return Ok(None);
    };
    let parsed = scenarios.into_iter().map(|(name, value)| match value {
        Value::Object(scenario) => Scenario::parse(&name, scenario),
        other => Err(OptionError::Value {
            name: format!("scenarios.{name}"),
            value: other.to_string(),
            expected: "an object",
        }),
    });
    parsed
        .collect::<Result<Vec<_>, _>>()
        .map(|scenarios| Some(scenarios).filter(|scenarios| !scenarios.is_empty()))
}

type Thresholds = BTreeMap<String, Vec<ThresholdOption>>;

fn thresholds(fields: &mut Fields) -> Result<Option<Thresholds>, OptionError> {
    fields.read(
        "thresholds",
        "an object of arrays of expressions such as \"p(95)<200\"",
        |value| {
            let entries = value.as_object()?.iter();
            entries
                .map(|(metric, list)| {
                    let list = list.as_array()?.iter();
                    let list: Option<Vec<_>> = list.map(threshold).collect();
                    Some((metric.clone(), list?))
                })
                .collect()
        },
    )
}

fn threshold(value: &Value) -> Option<ThresholdOption> {
    let plain = |expression: &str| ThresholdOption {
        expression: expression.to_owned(),
        abort_on_fail: false,
        delay_abort: Duration::ZERO,
    };
    if let Some(expression) = value.as_str() {
        return Some(plain(expression));
    }
    let mut fields = Fields::new("", value.as_object()?.clone());
    Some(ThresholdOption {
        abort_on_fail: fields.flag("abortOnFail").ok()?.unwrap_or_default(),
        delay_abort: fields.duration("delayAbortEval").ok()?.unwrap_or_default(),
        ..plain(&fields.text("threshold").ok()??)
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use serde_json::json;

    use super::*;

    fn layer(json: Value) -> Layer {
        Layer::from_script(json.as_object().unwrap().clone())
            .unwrap()
            .0
    }

    #[test]
    fn a_stronger_layer_wipes_the_execution_of_a_weaker_one() {
        let script = layer(json!({"vus": 4, "stages": [{"duration": "1s", "target": 2}]}));
        let merged = script.overridden_by(layer(json!({"duration": "2s"})));
        assert_eq!(merged.stages, None);
        assert_eq!(merged.vus, Some(4));
        assert_eq!(merged.duration, Some(Duration::from_secs(2)));
    }

    #[test]
    fn unknown_options_warn_and_unbuilt_ones_fail() {
        let options = json!({"vuss": 3}).as_object().unwrap().clone();
        let (_, warnings) = Layer::from_script(options).unwrap();
        assert_eq!(warnings, [OptionWarning::Unknown("vuss".to_owned())]);
        let options = json!({"rps": 3}).as_object().unwrap().clone();
        let error = Layer::from_script(options).unwrap_err();
        assert_eq!(error, OptionError::NotBuilt("rps".to_owned()));
        assert!(error.to_string().contains("with k6"));
    }

    #[test]
    fn thresholds_have_two_forms() {
        let thresholds = layer(json!({"thresholds": {"checks": [
            "rate>0.9",
            {"threshold": "rate>0.5", "abortOnFail": true, "delayAbortEval": "3s"},
        ]}}))
        .thresholds
        .unwrap();
        let checks = &thresholds["checks"];
        assert_eq!(checks[0].expression, "rate>0.9");
        assert!(checks[1].abort_on_fail);
        assert_eq!(checks[1].delay_abort, Duration::from_secs(3));
    }
}
