//! How much a link carries in a second.

use std::{fmt, str::FromStr, time::Duration};

use thiserror::Error;

/// A slower link would need hours for one answer.
const SLOWEST_BIT_PER_S: f64 = 1_000.0;
/// Beyond that, a relay in user space would be the limit and not the link.
const FASTEST_BIT_PER_S: f64 = 10e9;
const UNITS: [(&str, f64); 3] = [("Gbit/s", 1e9), ("Mbit/s", 1e6), ("kbit/s", 1e3)];

/// Bits per second, with 8 bits to a byte of the TCP stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BitRate {
    bit_per_s: f64,
}

/// A text that is no usable bit rate.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{text}` is no rate of a link; write it like 20Mbit/s, from 1kbit/s to 10Gbit/s")]
pub struct BitRateError {
    /// What was given.
    pub text: String,
}

impl BitRate {
    /// So many bits in a second, held to 1 kbit/s to 10 Gbit/s.
    #[must_use]
    pub fn new(bit_per_s: f64) -> Self {
        let bit_per_s = if bit_per_s.is_nan() {
            SLOWEST_BIT_PER_S
        } else {
            bit_per_s.clamp(SLOWEST_BIT_PER_S, FASTEST_BIT_PER_S)
        };
        Self { bit_per_s }
    }

    /// Bits per second.
    #[must_use]
    pub fn bit_per_s(self) -> f64 {
        self.bit_per_s
    }

    /// How long the wire is busy with so many bytes.
    #[must_use]
    pub fn time_of(self, bytes: usize) -> Duration {
        Duration::from_secs_f64(bytes as f64 * 8.0 / self.bit_per_s)
    }

    /// Whole bytes that the wire carries in this time.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate and a time are positive, and a float that is too large becomes the largest count"
    )]
    pub fn bytes_in(self, time: Duration) -> usize {
        (self.bit_per_s / 8.0 * time.as_secs_f64()) as usize
    }
}

impl FromStr for BitRate {
    type Err = BitRateError;

    fn from_str(text: &str) -> Result<Self, BitRateError> {
        let parsed = UNITS.into_iter().find_map(|(unit, factor)| {
            let number: f64 = text.strip_suffix(unit)?.trim_end().parse().ok()?;
            Some(number * factor)
        });
        parsed
            .filter(|rate| (SLOWEST_BIT_PER_S..=FASTEST_BIT_PER_S).contains(rate))
            .map(|bit_per_s| Self { bit_per_s })
            .ok_or_else(|| BitRateError {
                text: text.to_owned(),
            })
    }
}

impl fmt::Display for BitRate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, factor) = UNITS
            .into_iter()
            .find(|(_, factor)| self.bit_per_s >= *factor)
            .unwrap_or(("bit/s", 1.0));
        write!(formatter, "{} {unit}", self.bit_per_s / factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_read_with_their_unit_and_written_back() {
        for (text, bit_per_s, written) in [
            ("20Mbit/s", 20e6, "20 Mbit/s"),
            ("1 Gbit/s", 1e9, "1 Gbit/s"),
            ("0.5Mbit/s", 5e5, "500 kbit/s"),
            ("56kbit/s", 56e3, "56 kbit/s"),
        ] {
            let rate: Result<BitRate, _> = text.parse();
            assert_eq!(rate, Ok(BitRate { bit_per_s }), "{text}");
            assert_eq!(rate.map(|rate| rate.to_string()), Ok(written.to_owned()));
        }
    }

    #[test]
    fn anything_else_is_named_in_the_error() {
        for text in [
            "",
            "20",
            "20Mbit",
            "20MB/s",
            "fast",
            "0Mbit/s",
            "-1Mbit/s",
            "NaNMbit/s",
            "11Gbit/s",
            "0.5kbit/s",
            "1mbit/s",
        ] {
            let error = text.parse::<BitRate>().map_err(|error| error.to_string());
            assert_eq!(
                error,
                Err(format!(
                    "`{text}` is no rate of a link; write it like 20Mbit/s, from 1kbit/s to 10Gbit/s"
                ))
            );
        }
    }

    #[test]
    fn rates_are_held_to_their_range() {
        for (given, held) in [(0.0, 1e3), (f64::NAN, 1e3), (-1.0, 1e3), (1e12, 10e9)] {
            assert_eq!(BitRate::new(given), BitRate { bit_per_s: held });
        }
    }

    #[test]
    fn bytes_and_times_belong_together() {
        let rate = BitRate::new(8e6);
        assert_eq!(rate.time_of(1_000), Duration::from_millis(1));
        assert_eq!(rate.bytes_in(Duration::from_millis(1)), 1_000);
    }
}
