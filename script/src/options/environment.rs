//! Options from `K6_…` variables.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use super::{Layer, OptionError, Stage, parse_duration};
use crate::tls::RootSource;

/// Reads the variables that set options; others are passed over.
pub(crate) fn environment_layer(
    variables: &BTreeMap<String, String>,
) -> Result<Layer, OptionError> {
    let read = Variables(variables);
    Ok(Layer {
        vus: read.count("K6_VUS")?,
        iterations: read.count("K6_ITERATIONS")?,
        duration: read.duration("K6_DURATION")?,
        stages: read.parse("K6_STAGES", STAGES, parse_stages)?,
        no_thresholds: read.flag("K6_NO_THRESHOLDS")?,
        no_setup: read.flag("K6_NO_SETUP")?,
        no_teardown: read.flag("K6_NO_TEARDOWN")?,
        setup_timeout: read.duration("K6_SETUP_TIMEOUT")?,
        teardown_timeout: read.duration("K6_TEARDOWN_TIMEOUT")?,
        max_redirects: read.count("K6_MAX_REDIRECTS")?,
        user_agent: read.text("K6_USER_AGENT"),
        batch: read.count("K6_BATCH")?,
        batch_per_host: read.count("K6_BATCH_PER_HOST")?,
        throw: read.flag("K6_THROW")?,
        no_connection_reuse: read.flag("K6_NO_CONNECTION_REUSE")?,
        no_vu_connection_reuse: read.flag("K6_NO_VU_CONNECTION_REUSE")?,
        min_iteration_duration: read.duration("K6_MIN_ITERATION_DURATION")?,
        trend_stats: read.text("K6_SUMMARY_TREND_STATS").map(|text| list(&text)),
        time_unit: read.text("K6_SUMMARY_TIME_UNIT"),
        system_tags: read
            .text("K6_SYSTEM_TAGS")
            .map(|text| BTreeSet::from_iter(list(&text))),
        no_cookies_reset: read.flag("K6_NO_COOKIES_RESET")?,
        discard_response_bodies: read.flag("K6_DISCARD_RESPONSE_BODIES")?,
        insecure_skip_tls_verify: read.flag("K6_INSECURE_SKIP_TLS_VERIFY")?,
        tls_roots: Some(RootSource {
            file: read.text("SSL_CERT_FILE").map(PathBuf::from),
            directory: read.text("SSL_CERT_DIR").map(PathBuf::from),
        })
        .filter(|roots| *roots != RootSource::default()),
        ..Layer::default()
    })
}

const STAGES: &str = "stages such as 10s:5,1m:20";

struct Variables<'a>(&'a BTreeMap<String, String>);

impl Variables<'_> {
    fn text(&self, name: &str) -> Option<String> {
        self.0.get(name).filter(|text| !text.is_empty()).cloned()
    }

    fn parse<T>(
        &self,
        name: &str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        match parse(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(OptionError::Value {
                name: name.to_owned(),
                value: format!("{text:?}"),
                expected,
            }),
        }
    }

    fn count(&self, name: &str) -> Result<Option<u64>, OptionError> {
        self.parse(name, "a whole number, not negative", |text| {
            text.parse().ok()
        })
    }

    fn flag(&self, name: &str) -> Result<Option<bool>, OptionError> {
        self.parse(name, "true or false", |text| match text {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })
    }

    fn duration(&self, name: &str) -> Result<Option<std::time::Duration>, OptionError> {
        self.parse(name, super::fields::DURATION, parse_duration)
    }
}

/// The items of a comma-separated list.
pub(crate) fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Reads `10s:5,1m:20`.
pub(crate) fn parse_stages(text: &str) -> Option<Vec<Stage>> {
    list(text).iter().map(|stage| parse_stage(stage)).collect()
}

/// Reads `10s:5`.
pub(crate) fn parse_stage(text: &str) -> Option<Stage> {
    let (duration, target) = text.split_once(':')?;
    Some(Stage {
        duration: parse_duration(duration)?,
        target: target.trim().parse().ok()?,
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::time::Duration;

    use super::*;

    fn layer(name: &str, value: &str) -> Result<Layer, OptionError> {
        environment_layer(&BTreeMap::from([(name.to_owned(), value.to_owned())]))
    }

    #[test]
    fn variables_set_options() {
        assert_eq!(layer("K6_VUS", "7").unwrap().vus, Some(7));
        let stages = layer("K6_STAGES", "2s:5, 1m:0").unwrap().stages.unwrap();
        assert_eq!(stages[1].duration, Duration::from_mins(1));
        assert_eq!(layer("OTHER", "x").unwrap(), Layer::default());
    }

    #[test]
    fn a_wrong_variable_is_named() {
        let error = layer("K6_VUS", "many").unwrap_err().to_string();
        assert!(error.contains("K6_VUS") && error.contains("many"));
    }
}
