//! What a row is measured under, beside its cell.

use std::{collections::BTreeMap, ffi::OsString, fmt, str::FromStr};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::LoadModel;

/// What differs from the session's settings while a row is measured; nothing in a plain row. Written
/// behind the row's id: `L2-a-rest@rate=5000,log-level=info`; flags that every row of its cell has are
/// here and not in the id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Condition {
    /// Open model at this many operations per second, whatever the session's model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_per_s: Option<f64>,
    /// Flags of the server, without dashes, with their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server: BTreeMap<String, String>,
}

/// A text that is no condition.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no condition; write KEY=VALUE, with `rate` or a flag of the server as the key")]
pub struct ConditionError(String);

impl Condition {
    /// Whether nothing differs.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// The load model of the row, given the session's.
    #[must_use]
    pub fn model(&self, of_session: LoadModel) -> LoadModel {
        self.rate_per_s
            .map_or(of_session, |rate_per_s| LoadModel::Open { rate_per_s })
    }

    /// What the server's command line has more.
    #[must_use]
    pub fn server_arguments(&self) -> Vec<OsString> {
        self.server
            .iter()
            .flat_map(|(flag, value)| [format!("--{flag}").into(), value.into()])
            .collect()
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = self.rate_per_s.map(|rate| format!("rate={rate}"));
        let server = self.server.iter();
        let parts: Vec<String> = rate
            .into_iter()
            .chain(server.map(|(flag, value)| format!("{flag}={value}")))
            .collect();
        f.write_str(&parts.join(","))
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let mut condition = Self::default();
        for part in text.split(',') {
            let bad = || ConditionError(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(bad)?;
            match key {
                "" => return Err(bad()),
                "rate" => {
                    let rate = crate::rate::parse_rate(value).map_err(|_| bad())?;
                    condition.rate_per_s = Some(rate);
                }
                flag => {
                    condition.server.insert(flag.to_owned(), value.to_owned());
                }
            }
        }
        Ok(condition)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_condition_is_read_as_it_is_written() {
        for text in [
            "rate=5000",
            "log-level=info",
            "rate=0.5,log-level=info,stock=7",
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.to_string(), text);
            assert!(!condition.is_plain());
        }
    }

    #[test]
    fn it_changes_the_load_model_and_the_servers_command_line() {
        let condition: Condition = "rate=5000,log-level=info".parse().unwrap();
        let rate_per_s = 5_000.0;
        assert_eq!(
            condition.model(LoadModel::Closed),
            LoadModel::Open { rate_per_s }
        );
        assert_eq!(condition.server_arguments(), ["--log-level", "info"]);
        assert_eq!(
            Condition::default().model(LoadModel::Closed),
            LoadModel::Closed
        );
    }

    #[test]
    fn anything_else_is_named() {
        for text in ["", "fast", "rate=never", "=1"] {
            assert_eq!(
                text.parse::<Condition>(),
                Err(ConditionError(text.to_owned()))
            );
        }
    }
}
