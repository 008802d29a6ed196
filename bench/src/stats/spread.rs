//! How the values of one run lie around their centre, by every name that is in use for it.

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use super::median;

/// What the interval misses on each side: it covers 99.9 %.
const TAIL_999: f64 = 0.0005;

/// Centre and spread of a sample, all in the unit of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation of the sample (divided by one less than the number of values).
    pub sd: f64,
    /// Mean absolute deviation from the mean.
    pub mad: f64,
    /// The middle value.
    pub median: f64,
    /// Half of the 99.9 % interval of the mean by Student's t.
    pub half_interval_999: f64,
}

impl Spread {
    /// That of these values; `None` below two, or where one is no finite number.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.len() < 2 {
            return None;
        }
        let median = median(values)?;
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let deviations = values.iter().map(|value| value - mean);
        let squares: f64 = deviations.clone().map(|deviation| deviation.powi(2)).sum();
        let sd = (squares / (count - 1.0)).sqrt();
        let t = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
        Some(Self {
            mean,
            sd,
            mad: deviations.map(f64::abs).sum::<f64>() / count,
            median,
            half_interval_999: t.inverse_cdf(1.0 - TAIL_999) * sd / count.sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn assert_near(found: f64, expected: f64) {
        assert!(
            (found / expected - 1.0).abs() < 1e-3,
            "{found} for {expected}"
        );
    }

    #[test]
    fn the_deviations_are_told_apart() {
        let spread = Spread::of(&[1.0, 2.0, 3.0, 10.0]).unwrap();
        assert_near(spread.mean, 4.0);
        assert_near(spread.median, 2.5);
        assert_near(spread.mad, 3.0);
        // Squares 9 + 4 + 1 + 36, over three.
        assert_near(spread.sd, (50.0_f64 / 3.0).sqrt());
    }

    #[test]
    fn the_half_interval_is_the_table_value_of_student_times_the_standard_error() {
        // Two-sided 99.9 % values of t: 12.924 for 3 degrees of freedom, 4.587 for 10.
        let four = Spread::of(&[1.0, 2.0, 3.0, 10.0]).unwrap();
        assert_near(four.half_interval_999, 12.924 * four.sd / 2.0);
        let eleven: Vec<f64> = (0..11).map(f64::from).collect();
        let eleven = Spread::of(&eleven).unwrap();
        assert_near(
            eleven.half_interval_999,
            4.587 * eleven.sd / 11.0_f64.sqrt(),
        );
    }

    #[test]
    fn equal_values_have_no_spread_and_one_value_has_none_to_speak_of() {
        let equal = Spread::of(&[2.0; 5]).unwrap();
        assert!(equal.sd.abs() + equal.mad.abs() + equal.half_interval_999.abs() < 1e-12);
        assert_eq!(Spread::of(&[2.0]), None);
        assert_eq!(Spread::of(&[2.0, f64::NAN]), None);
    }
}
