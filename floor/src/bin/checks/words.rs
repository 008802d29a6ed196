//! Figures as tables write them.

use crate::ratio::Ratio;

/// Two decimals, or a dash where there is none.
pub fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"))
}

/// A ratio with its interval.
pub fn ratio(ratio: Ratio) -> String {
    match ratio.interval {
        Some((low, high)) => format!("{:.2} ({low:.2} to {high:.2})", ratio.centre),
        None => format!("{:.2} (no interval below 6 rounds)", ratio.centre),
    }
}

/// In the place of a verdict, why there are no figures.
pub fn not_measured(reason: &str) -> String {
    format!("not measured: {reason}")
}
