//! Durations as k6 writes them.

use std::time::Duration;

/// Reads `1d2h3m4.5s`, `500ms` and the like, or a plain number of milliseconds.
#[must_use]
pub fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    if let Ok(milliseconds) = rest.parse::<f64>() {
        return from_seconds(milliseconds / 1e3);
    }
    let mut seconds = 0.0;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest
            .find(|character: char| !character.is_ascii_digit() && character != '.')
            .unwrap_or(rest.len());
        let number: f64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let letters = rest
            .find(|character: char| character.is_ascii_digit())
            .unwrap_or(rest.len());
        seconds += number * unit(&rest[..letters])?;
        rest = &rest[letters..];
    }
    from_seconds(seconds)
}

fn unit(name: &str) -> Option<f64> {
    Some(match name {
        "d" => 86_400.0,
        "h" => 3_600.0,
        "m" => 60.0,
        "s" => 1.0,
        "ms" => 1e-3,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

fn from_seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read() {
        for (text, ms) in [
            ("30s", 30_000),
            ("1m30s", 90_000),
            ("500ms", 500),
            ("1.5s", 1_500),
            ("1d", 86_400_000),
            ("250", 250),
            ("0", 0),
        ] {
            assert_eq!(
                parse_duration(text),
                Some(Duration::from_millis(ms)),
                "{text}"
            );
        }
        for text in ["", "5x", "s", "-1s", "1s2", "ten"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }
}
