//! Asked beside measured, with the error.

use std::{fmt, time::Duration};

use super::Slowed;
use crate::relay::{BitRate, RelayError};

/// A delay may be off by this much and a share of itself.
const DELAY_SLACK_MS: f64 = 0.2;
const DELAY_SHARE: f64 = 0.01;
/// A rate may be off by this share.
const RATE_SHARE: f64 = 0.02;

/// What the relay was asked to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// So late.
    Delay(Duration),
    /// So slow.
    Rate(BitRate),
}

/// One setting and what was measured with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// The setting.
    pub asked: Asked,
    /// The direction that had it.
    pub slowed: Slowed,
    /// Added milliseconds, or Mbit/s, in ascending order.
    pub measured: Vec<f64>,
}

/// All of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Checks {
    /// Median round trips through a relay without delay, at the pace of each delay, from which they are
    /// taken off.
    pub baselines: Vec<Duration>,
    /// In the order of the table.
    pub checks: Vec<Check>,
}

impl Asked {
    /// In the unit of what is measured.
    fn value(self) -> f64 {
        match self {
            Self::Delay(delay) => delay.as_secs_f64() * 1e3,
            Self::Rate(rate) => rate.bit_per_s() / 1e6,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::Delay(_) => "ms",
            Self::Rate(_) => "Mbit/s",
        }
    }

    /// The error that is allowed.
    fn allowed(self) -> f64 {
        match self {
            Self::Delay(_) => DELAY_SLACK_MS + DELAY_SHARE * self.value(),
            Self::Rate(_) => RATE_SHARE * self.value(),
        }
    }
}

impl Check {
    pub(super) fn new(asked: Asked, slowed: Slowed, mut measured: Vec<f64>) -> Self {
        measured.sort_by(f64::total_cmp);
        Self {
            asked,
            slowed,
            measured,
        }
    }

    /// The median.
    #[must_use]
    pub fn median(&self) -> f64 {
        quantile(&self.measured, 0.5)
    }

    /// What 95 % of the errors keep to, regardless of their sign.
    #[must_use]
    pub fn p95_error(&self) -> f64 {
        let asked = self.asked.value();
        let mut errors: Vec<f64> = self.measured.iter().map(|m| (m - asked).abs()).collect();
        errors.sort_by(f64::total_cmp);
        quantile(&errors, 0.95)
    }

    /// Whether both are within what is allowed.
    #[must_use]
    pub fn holds(&self) -> bool {
        let allowed = self.asked.allowed();
        (self.median() - self.asked.value()).abs() <= allowed && self.p95_error() <= allowed
    }
}

impl Checks {
    /// Whether all of them hold.
    ///
    /// # Errors
    /// [`RelayError::Inexact`].
    pub fn verdict(&self) -> Result<(), RelayError> {
        let missed = self.checks.iter().filter(|check| !check.holds()).count();
        if missed == 0 {
            return Ok(());
        }
        Err(RelayError::Inexact {
            missed,
            made: self.checks.len(),
        })
    }
}

impl fmt::Display for Checks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "{:>14}  {:4}  {:>14}  {:>9}  {:>9}  {:>9}",
            "asked", "way", "median", "its error", "95 % off", "allowed"
        )?;
        for check in &self.checks {
            let (asked, unit) = (check.asked.value(), check.asked.unit());
            let way = match check.slowed {
                Slowed::Up => "up",
                Slowed::Down => "down",
            };
            let median = check.median();
            writeln!(
                formatter,
                "{:>14}  {way:4}  {:>14}  {:>+9.3}  {:>9.3}  {:>9.3}{}",
                format!("{asked} {unit}"),
                format!("{median:.3} {unit}"),
                median - asked,
                check.p95_error(),
                check.asked.allowed(),
                if check.holds() { "" } else { "  ✗" },
            )?;
        }
        writeln!(
            formatter,
            "Delays are round trips less the median round trip at the same pace through a relay without \
             delay ({}); the other direction was left as it is.",
            self.baselines
                .iter()
                .map(|baseline| format!("{:.3} ms", baseline.as_secs_f64() * 1e3))
                .collect::<Vec<_>>()
                .join(", ")
        )
    }
}

/// Of an ascending list; the value that at least `share` of them do not exceed.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a small count"
)]
fn quantile(ascending: &[f64], share: f64) -> f64 {
    let place = (share * ascending.len() as f64).ceil() as usize;
    let last = ascending.len().saturating_sub(1);
    ascending
        .get(place.saturating_sub(1).min(last))
        .copied()
        .unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ms: u64, measured: &[f64]) -> Check {
        let asked = Asked::Delay(Duration::from_millis(ms));
        Check::new(asked, Slowed::Up, measured.to_vec())
    }

    #[test]
    fn the_median_and_nearly_all_errors_have_to_be_within_bounds() {
        let mut twenty = vec![20.3; 19];
        twenty.push(90.0);
        assert!(check(20, &twenty).holds(), "one in twenty may be off");
        twenty[0] = 19.0;
        assert!(!check(20, &twenty).holds());
        assert!(!check(20, &[20.5]).holds());
        assert!(!check(20, &[19.5]).holds());
        let rate = Asked::Rate(BitRate::new(5e6));
        assert!(Check::new(rate, Slowed::Down, vec![4.91, 5.09]).holds());
        assert!(!Check::new(rate, Slowed::Down, vec![4.89]).holds());
    }

    #[test]
    fn nothing_measured_never_holds() {
        assert!(!check(20, &[]).holds());
    }

    #[test]
    fn the_table_marks_what_is_off() {
        let checks = Checks {
            baselines: vec![Duration::from_micros(85), Duration::from_micros(110)],
            checks: vec![
                check(5, &[5.1]),
                Check::new(Asked::Rate(BitRate::new(1e6)), Slowed::Down, vec![0.9]),
            ],
        };
        insta::assert_snapshot!(checks, @r"
                 asked  way           median  its error   95 % off    allowed
                  5 ms  up          5.100 ms     +0.100      0.100      0.250
              1 Mbit/s  down    0.900 Mbit/s     -0.100      0.100      0.020  ✗
        Delays are round trips less the median round trip at the same pace through a relay without delay (0.085 ms, 0.110 ms); the other direction was left as it is.
        ");
        assert!(checks.verdict().is_err());
    }
}
