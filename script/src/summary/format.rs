//! Numbers for people, as k6 prints them.

use crate::{metric::Contains, options::TimeUnit};

/// A value of a metric.
pub(super) fn value(value: f64, contains: Contains, unit: Option<TimeUnit>) -> String {
    match contains {
        Contains::Default => plain(value),
        Contains::Data => bytes(value),
        Contains::Time => time(value, unit),
    }
}

/// Up to six decimals.
pub(super) fn plain(value: f64) -> String {
    trimmed(&format!("{value:.6}"))
}

fn trimmed(text: &str) -> String {
    if text.contains('.') {
        let text = text.trim_end_matches('0').trim_end_matches('.');
        return if text == "-0" { "0" } else { text }.to_owned();
    }
    text.to_owned()
}

/// Bytes by thousands; one decimal under 10.
pub(super) fn bytes(value: f64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    let mut scaled = value.abs();
    let mut unit = 0;
    while scaled >= 999.5 && unit + 1 < UNITS.len() {
        scaled /= 1e3;
        unit += 1;
    }
    let sign = if value < 0.0 { "-" } else { "" };
    if unit > 0 && scaled < 9.95 {
        return format!("{sign}{scaled:.1} {}", UNITS[unit]);
    }
    format!("{sign}{scaled:.0} {}", UNITS[unit])
}

/// Milliseconds in a fitting unit, cut to two decimals, or in the given one.
pub(super) fn time(ms: f64, unit: Option<TimeUnit>) -> String {
    match unit {
        Some(TimeUnit::Seconds) => return format!("{:.2}s", ms / 1e3),
        Some(TimeUnit::Milliseconds) => return format!("{ms:.2}ms"),
        Some(TimeUnit::Microseconds) => return format!("{:.2}µs", ms * 1e3),
        None => {}
    }
    let cut = |value: f64| trimmed(&format!("{:.2}", (value * 100.0).trunc() / 100.0));
    match ms.abs() {
        0.0 => "0s".to_owned(),
        size if size < 1e-3 => format!("{}ns", cut(ms * 1e6)),
        size if size < 1.0 => format!("{}µs", cut(ms * 1e3)),
        size if size < 1e3 => format!("{}ms", cut(ms)),
        size if size < 60e3 => format!("{}s", cut(ms / 1e3)),
        size if size < 3600e3 => {
            let minutes = (ms / 60e3).trunc();
            format!("{minutes}m{}s", ((ms - minutes * 60e3) / 1e3).trunc())
        }
        _ => {
            let hours = (ms / 3600e3).trunc();
            let minutes = ((ms - hours * 3600e3) / 60e3).trunc();
            let rest = ms - hours * 3600e3 - minutes * 60e3;
            format!("{hours}h{minutes}m{}s", (rest / 1e3).trunc())
        }
    }
}

/// A share in percent, cut to two decimals.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2}%", (share * 1e4).trunc() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_fitting_units() {
        for (ms, text) in [
            (0.0, "0s"),
            (0.000_5, "500ns"),
            (0.012_345, "12.34µs"),
            (1.5, "1.5ms"),
            (999.999, "999.99ms"),
            (1_234.0, "1.23s"),
            (61_500.0, "1m1s"),
            (3_661_000.0, "1h1m1s"),
        ] {
            assert_eq!(time(ms, None), text);
        }
        assert_eq!(time(1.5, Some(TimeUnit::Microseconds)), "1500.00µs");
    }

    #[test]
    fn bytes_go_by_thousands() {
        for (value, text) in [
            (0.0, "0 B"),
            (999.0, "999 B"),
            (1_500.0, "1.5 kB"),
            (12_345.0, "12 kB"),
            (2_000_000.0, "2.0 MB"),
        ] {
            assert_eq!(bytes(value), text);
        }
    }

    #[test]
    fn plain_numbers_and_shares_are_cut() {
        assert_eq!(plain(2.0), "2");
        assert_eq!(plain(0.123_456_7), "0.123457");
        assert_eq!(percent(0.999_99), "99.99%");
        assert_eq!(percent(1.0), "100.00%");
    }
}
