//! Rates of the open model, in operations per second.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// One operation in ten seconds: below that, a run of any sensible length starts none.
const SLOWEST_PER_S: f64 = 0.1;
/// More than any server answers.
const FASTEST_PER_S: f64 = 10_000_000.0;

/// A text that is no usable rate.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{text}` is no rate; give {SLOWEST_PER_S} to {FASTEST_PER_S} operations per second, like 1000 or \
     1000/s"
)]
pub struct RateError {
    /// What was given.
    pub text: String,
}

/// Reads operations per second: `1000`, `0.5` or `1000/s`.
///
/// # Errors
/// When the text is anything else, or a rate that nobody can offer.
pub fn parse_rate(text: &str) -> Result<f64, RateError> {
    let number = text.strip_suffix("/s").unwrap_or(text);
    number
        .parse()
        .ok()
        .filter(|rate| (SLOWEST_PER_S..=FASTEST_PER_S).contains(rate))
        .ok_or_else(|| RateError {
            text: text.to_owned(),
        })
}

/// The least share of full load, in %: below that, a short run starts next to nothing.
const LEAST_PERCENT: f64 = 1.0;

/// A rate as it is offered to rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OfferedRate {
    /// Operations per second.
    PerS(f64),
    /// A share of what the slowest row does in a closed loop, in %.
    Percent(f64),
}

/// A text that is no rate that could be offered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{text}` is no rate; give {SLOWEST_PER_S} to {FASTEST_PER_S} operations per second, like 1000 or \
     1000/s, or {LEAST_PERCENT}% to 100% of what the slowest row does in a closed loop, like 50%"
)]
pub struct OfferedRateError {
    /// What was given.
    pub text: String,
}

impl FromStr for OfferedRate {
    type Err = OfferedRateError;

    fn from_str(text: &str) -> Result<Self, OfferedRateError> {
        let offered = match text.strip_suffix('%') {
            None => parse_rate(text).ok().map(Self::PerS),
            Some(share) => share
                .parse()
                .ok()
                .filter(|percent| (LEAST_PERCENT..=100.0).contains(percent))
                .map(Self::Percent),
        };
        offered.ok_or_else(|| OfferedRateError {
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for OfferedRate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerS(rate) => write!(formatter, "{rate}"),
            Self::Percent(percent) => write!(formatter, "{percent}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_can_be_offered_as_a_share() {
        for (text, rate) in [
            ("1000/s", OfferedRate::PerS(1_000.0)),
            ("50%", OfferedRate::Percent(50.0)),
            ("1%", OfferedRate::Percent(1.0)),
            ("100%", OfferedRate::Percent(100.0)),
        ] {
            assert_eq!(text.parse(), Ok(rate));
        }
        assert_eq!(OfferedRate::Percent(12.5).to_string(), "12.5%");
        for text in ["%", "0%", "0.5%", "101%", "-5%", "NaN%", "50 %", "0"] {
            let error = text
                .parse::<OfferedRate>()
                .map_err(|error| error.to_string());
            assert_eq!(
                error,
                Err(format!(
                    "`{text}` is no rate; give 0.1 to 10000000 operations per second, like 1000 or \
                     1000/s, or 1% to 100% of what the slowest row does in a closed loop, like 50%"
                ))
            );
        }
    }

    #[test]
    fn rates_are_read_with_and_without_their_unit() {
        for (text, rate) in [("1000", 1_000.0), ("0.5", 0.5), ("250/s", 250.0)] {
            assert_eq!(parse_rate(text), Ok(rate));
        }
    }

    #[test]
    fn anything_else_is_named_in_the_error() {
        for text in ["", "fast", "0", "-5", "NaN", "inf", "1e9", "5/min"] {
            let error = parse_rate(text).map_err(|error| error.to_string());
            assert_eq!(
                error,
                Err(format!(
                    "`{text}` is no rate; give 0.1 to 10000000 operations per second, like 1000 or \
                     1000/s"
                ))
            );
        }
    }
}
