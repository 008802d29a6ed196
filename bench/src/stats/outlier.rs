//! Runs that lie far from the others.

use super::median;

/// Modified z-scores beyond this, either way, mark an outlier (Iglewicz and Hoaglin, "How to Detect
/// and Handle Outliers", 1993).
pub const OUTLIER_Z: f64 = 3.5;

/// A normal distribution's median absolute deviation is this share of its standard deviation.
const MAD_SHARE: f64 = 0.6745;

/// A normal distribution's standard deviation in units of its mean absolute deviation: √(π/2).
const SD_PER_MEAN_DEVIATION: f64 = 1.253_314;

/// The modified z-score of each value: its distance from the median in units of the median absolute
/// deviation (MAD), scaled to read like standard deviations (Iglewicz and Hoaglin, 1993).
///
/// The MAD is 0 when more than half of the values are equal; the mean absolute deviation from the
/// median then takes its place. Where all values are equal, every score is 0.
#[must_use]
pub fn modified_z(values: &[f64]) -> Option<Vec<f64>> {
    let centre = median(values)?;
    let distances: Vec<f64> = values.iter().map(|value| (value - centre).abs()).collect();
    let mut spread = median(&distances)? / MAD_SHARE;
    if spread == 0.0 {
        spread = distances.iter().sum::<f64>() / distances.len() as f64 * SD_PER_MEAN_DEVIATION;
    }
    let score = |value: &f64| {
        if spread > 0.0 {
            (value - centre) / spread
        } else {
            0.0
        }
    };
    Some(values.iter().map(score).collect())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn outliers(values: &[f64]) -> Vec<usize> {
        let scores = modified_z(values).unwrap();
        (0..values.len())
            .filter(|&index| scores[index].abs() > OUTLIER_Z)
            .collect()
    }

    #[test]
    fn the_score_is_the_distance_from_the_median_in_deviations() {
        // Median 3, distances 2 1 0 1 97, MAD 1.
        let scores = modified_z(&[1.0, 2.0, 3.0, 4.0, 100.0]).unwrap();
        let by_hand = [-1.349, -0.6745, 0.0, 0.6745, 65.4265];
        for (score, expected) in scores.iter().zip(by_hand) {
            assert!((score - expected).abs() < 1e-9, "{scores:?}");
        }
    }

    #[test]
    fn a_run_far_away_on_either_side_stands_out_alone() {
        assert_eq!(outliers(&[10.0, 10.2, 9.9, 10.1, 9.8, 14.0]), [5]);
        assert_eq!(outliers(&[6.0, 10.2, 9.9, 10.1, 9.8, 10.0]), [0]);
        assert!(outliers(&[10.0, 10.2, 9.9, 10.1, 9.8, 10.3]).is_empty());
    }

    #[test]
    fn equal_values_have_no_outlier_and_one_different_value_is_one() {
        assert_eq!(modified_z(&[4.0; 7]).unwrap(), [0.0; 7]);
        assert_eq!(outliers(&[4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 9.0]), [7]);
    }

    #[test]
    fn no_values_have_no_scores() {
        assert_eq!(modified_z(&[]), None);
        assert_eq!(modified_z(&[1.0, f64::NAN]), None);
    }
}
