//! Rates of the open model, in operations per second.

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

#[cfg(test)]
mod tests {
    use super::*;

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
