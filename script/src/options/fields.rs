//! Reading the fields of a JSON object.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Map, Value};

use super::{OptionError, parse_duration};

/// What is left of an object, each field taken out once.
pub(super) struct Fields {
    /// Put before the names in messages.
    prefix: String,
    rest: Map<String, Value>,
}

impl Fields {
    pub(super) fn new(prefix: &str, rest: Map<String, Value>) -> Self {
        Self {
            prefix: prefix.to_owned(),
            rest,
        }
    }

    /// The full name of a field.
    pub(super) fn name(&self, field: &str) -> String {
        format!("{}{field}", self.prefix)
    }

    /// A field's value; null counts as absent.
    pub(super) fn take(&mut self, field: &str) -> Option<Value> {
        self.rest.remove(field).filter(|value| !value.is_null())
    }

    /// A field's value as something else.
    pub(super) fn read<T>(
        &mut self,
        field: &str,
        expected: &'static str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<Option<T>, OptionError> {
        let Some(value) = self.take(field) else {
            return Ok(None);
        };
        match read(&value) {
            Some(read) => Ok(Some(read)),
            None => Err(OptionError::Value {
                name: self.name(field),
                value: value.to_string(),
                expected,
            }),
        }
    }

    pub(super) fn count(&mut self, field: &str) -> Result<Option<u64>, OptionError> {
        if self.rest.get(field).and_then(Value::as_str) == Some("") {
            self.rest.remove(field);
        }
        self.read(field, "a whole number, not negative", count)
    }

    pub(super) fn flag(&mut self, field: &str) -> Result<Option<bool>, OptionError> {
        self.read(field, "true or false", Value::as_bool)
    }

    pub(super) fn text(&mut self, field: &str) -> Result<Option<String>, OptionError> {
        self.read(field, "a string", |value| value.as_str().map(str::to_owned))
    }

    pub(super) fn duration(&mut self, field: &str) -> Result<Option<Duration>, OptionError> {
        self.read(field, DURATION, duration)
    }

    pub(super) fn texts(&mut self, field: &str) -> Result<Option<Vec<String>>, OptionError> {
        self.read(field, "an array of strings", |value| {
            let items = value.as_array()?.iter();
            items.map(|item| item.as_str().map(str::to_owned)).collect()
        })
    }

    pub(super) fn map(
        &mut self,
        field: &str,
    ) -> Result<Option<BTreeMap<String, String>>, OptionError> {
        self.read(field, "an object of strings", |value| {
            let entries = value.as_object()?.iter();
            entries
                .map(|(key, value)| Some((key.clone(), scalar(value)?)))
                .collect()
        })
    }

    /// The names of what nobody took.
    pub(super) fn left(&self) -> impl Iterator<Item = String> {
        self.rest.keys().map(|field| self.name(field))
    }
}

/// For messages about durations.
pub(super) const DURATION: &str = "a duration such as 30s or 1m30s, or a number of milliseconds";

pub(super) fn duration(value: &Value) -> Option<Duration> {
    match value {
        Value::String(text) => parse_duration(text),
        Value::Number(number) => Duration::try_from_secs_f64(number.as_f64()? / 1e3).ok(),
        _ => None,
    }
}

/// A number, or digits in a string as `vus: __ENV.VUS` gives them.
pub(super) fn count(value: &Value) -> Option<u64> {
    if let Some(text) = value.as_str() {
        return text.parse().ok();
    }
    let number = value.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole, not negative and far below 2^53"
    )]
    (number >= 0.0 && number.fract() == 0.0 && number <= 1e15).then_some(number as u64)
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
