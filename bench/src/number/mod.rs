//! How numbers are written, wherever a person reads them: in tables, sentences and errors alike.
//!
//! Thousands are parted by commas, a unit stands behind a space, and a quantity has as many digits as
//! mean something.

mod step;

pub use step::{Step, grouped};

use step::DEFAULT_DIGITS;

/// A quantity that has no spread, to three significant digits: `0.42`, `1.97`, `12.5`, `340`.
#[must_use]
pub fn plain(value: f64) -> String {
    let shown = Step::of_digits(value, DEFAULT_DIGITS).show(value);
    if shown.contains('.') {
        shown.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        shown
    }
}

/// A quantity as it was set, with all its digits: `1,234.5`, `0.25`.
#[must_use]
pub fn exact(value: f64) -> String {
    grouped(&value.to_string())
}

/// A ratio: two decimals below ten, one above.
#[must_use]
pub fn ratio(value: f64) -> String {
    if value < 9.995 {
        format!("{value:.2}")
    } else {
        grouped(&format!("{value:.1}"))
    }
}

/// A share as percent: `4.1 %`, `4 %`, `17 %`.
#[must_use]
pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    let shown = if percent.abs() < 9.95 {
        format!("{percent:.1}")
    } else {
        grouped(&format!("{percent:.0}"))
    };
    format!("{} %", shown.strip_suffix(".0").unwrap_or(&shown))
}

/// A count with thousands separators.
#[must_use]
pub fn count(value: u64) -> String {
    grouped(&value.to_string())
}

/// `1 run`, `8 runs`: a count with its noun.
#[must_use]
pub fn counted(value: u64, noun: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(value))
}

/// Memory in binary units: `7.8 GiB`, `23 MiB`.
#[must_use]
pub fn memory(bytes: u64) -> String {
    let mebibytes = bytes as f64 / (1024.0 * 1024.0);
    if mebibytes >= 1024.0 {
        format!("{} GiB", plain(mebibytes / 1024.0))
    } else {
        format!("{} MiB", plain(mebibytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_ratios_counts_and_sizes() {
        assert_eq!(percent(0.04), "4 %");
        assert_eq!(percent(0.0413), "4.1 %");
        assert_eq!(percent(0.169), "17 %");
        assert_eq!(ratio(1.4166), "1.42");
        assert_eq!(ratio(12.34), "12.3");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "round"), "1 round");
        assert_eq!(counted(8, "round"), "8 rounds");
        assert_eq!(memory(8 * 1024 * 1024 * 1024), "8 GiB");
        assert_eq!(plain(0.5), "0.5");
        assert_eq!(plain(0.0), "0");
        assert_eq!(plain(12_345.6), "12,300");
        assert_eq!(exact(12_345.6), "12,345.6");
        assert_eq!(exact(30.0), "30");
    }
}
