//! Durations as k6 writes them.

use std::time::Duration;

use thiserror::Error;

/// A text that is no duration.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is not a duration; write it like 500ms, 30s, 1.5s or 1m30s")]
pub struct DurationError {
    /// What was given.
    pub text: String,
}

/// Reads numbers with units, one after another: `ms`, `s`, `m`, `h`, as in `1m30s`.
///
/// # Errors
/// When the text is anything else, or too long a time to represent.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    parse(text).ok_or_else(|| DurationError {
        text: text.to_owned(),
    })
}

fn parse(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let (number, after) = split_where(rest, |c| !(c.is_ascii_digit() || c == '.'));
        let (unit, after) = split_where(after, |c| !c.is_ascii_alphabetic());
        let unit_s = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        let seconds = number.parse::<f64>().ok()? * unit_s;
        total = total.checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        rest = after;
    }
    (!text.is_empty()).then_some(total)
}

fn split_where(text: &str, end: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(end).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_add_up() {
        for (text, milliseconds) in [
            ("500ms", 500),
            ("1s", 1_000),
            ("1.5s", 1_500),
            ("1m30s", 90_000),
            ("1h0m1s", 3_601_000),
            ("0s", 0),
        ] {
            assert_eq!(
                parse_duration(text),
                Ok(Duration::from_millis(milliseconds)),
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_named_in_the_error() {
        for text in [
            "", "5", "s", "5 s", "-1s", "1s2", "1d", "1..2s", "1e999s", "\u{661}s",
        ] {
            let error = parse_duration(text).map_err(|error| error.to_string());
            assert_eq!(
                error,
                Err(format!(
                    "`{text}` is not a duration; write it like 500ms, 30s, 1.5s or 1m30s"
                ))
            );
        }
    }
}
