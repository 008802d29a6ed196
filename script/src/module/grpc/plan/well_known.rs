//! The text forms of timestamps and durations
//! (<https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp>).

use std::fmt::Write;

use jiff::{SignedDuration, Timestamp, civil::DateTime};

/// `2026-01-02T03:04:05.678Z`, with as many groups of three digits as needed; `None` outside of
/// the years 1 to 9999.
pub(super) fn timestamp_text(seconds: i64, nanos: i32) -> Option<String> {
    if !(0..=999_999_999).contains(&nanos) {
        return None;
    }
    let epoch = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    let time = epoch.checked_add(SignedDuration::from_secs(seconds)).ok()?;
    if time.year() < 1 {
        return None;
    }
    let mut text = String::with_capacity(30);
    let (centuries, years) = (time.year() / 100, time.year() % 100);
    push_two(&mut text, centuries.try_into().ok()?);
    push_two(&mut text, years.try_into().ok()?);
    for (before, value) in [
        ('-', time.month()),
        ('-', time.day()),
        ('T', time.hour()),
        (':', time.minute()),
        (':', time.second()),
    ] {
        text.push(before);
        push_two(&mut text, value);
    }
    push_fraction(&mut text, nanos.unsigned_abs());
    text.push('Z');
    Some(text)
}

/// Seconds and nanoseconds of a text such as `2026-01-02T03:04:05+01:00`.
pub(super) fn parse_timestamp(text: &str) -> Option<(i64, i32)> {
    // Only the form of RFC 3339: jiff reads others too.
    let has_shape = text.len() >= 20 && text.as_bytes()[10] == b'T' && !text.contains('[');
    let time: Timestamp = has_shape.then(|| text.parse().ok())??;
    let (mut seconds, mut nanos) = (time.as_second(), time.subsec_nanosecond());
    if nanos < 0 {
        // Nanoseconds count forward in time, also before 1970.
        seconds -= 1;
        nanos += 1_000_000_000;
    }
    timestamp_text(seconds, nanos).map(|_| (seconds, nanos))
}

/// Ten thousand years, the longest duration.
const MOST_SECONDS: i64 = 315_576_000_000;

/// `1.500s`; `None` when it is out of range or the signs differ.
pub(super) fn duration_text(seconds: i64, nanos: i32) -> Option<String> {
    let in_range = seconds.unsigned_abs() <= MOST_SECONDS.unsigned_abs()
        && nanos.unsigned_abs() <= 999_999_999;
    let one_sign = seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0);
    if !in_range || !one_sign {
        return None;
    }
    let mut text = String::with_capacity(24);
    if seconds < 0 || nanos < 0 {
        text.push('-');
    }
    write!(text, "{}", seconds.unsigned_abs()).ok()?;
    push_fraction(&mut text, nanos.unsigned_abs());
    text.push('s');
    Some(text)
}

/// Seconds and nanoseconds of a text such as `-1.5s`.
pub(super) fn parse_duration(text: &str) -> Option<(i64, i32)> {
    let digits = text.strip_suffix('s')?;
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let sign: i64 = if negative { -1 } else { 1 };
    let seconds = sign * whole.parse::<i64>().ok()?;
    let nanos = sign * format!("{fraction:0<9}").parse::<i64>().ok()?;
    let nanos = i32::try_from(nanos).ok()?;
    duration_text(seconds, nanos).map(|_| (seconds, nanos))
}

/// Two digits of a number from 0 to 99; formatting takes ten times as long.
fn push_two(text: &mut String, value: i8) {
    for digit in [value / 10, value % 10] {
        text.push(char::from(b'0' + digit.unsigned_abs()));
    }
}

fn push_fraction(text: &mut String, nanos: u32) {
    let (digits, value) = match nanos {
        0 => return,
        _ if nanos.is_multiple_of(1_000_000) => (3, nanos / 1_000_000),
        _ if nanos.is_multiple_of(1_000) => (6, nanos / 1_000),
        _ => (9, nanos),
    };
    // Writing to a string cannot fail.
    let _ = write!(text, ".{value:0digits$}");
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn timestamps_have_three_digits_at_a_time() {
        for (seconds, nanos, text) in [
            (0, 0, "1970-01-01T00:00:00Z"),
            (1, 500_000_000, "1970-01-01T00:00:01.500Z"),
            (1, 1_000, "1970-01-01T00:00:01.000001Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
            (253_370_764_800, 0, "9999-01-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp_text(seconds, nanos).unwrap(), text);
            assert_eq!(parse_timestamp(text).unwrap(), (seconds, nanos), "{text}");
        }
        let last = timestamp_text(253_402_300_799, 0);
        assert_eq!(last.unwrap(), "9999-12-31T23:59:59Z");
        assert_eq!(
            parse_timestamp("2026-01-02T03:04:05+01:00").unwrap(),
            parse_timestamp("2026-01-02T02:04:05Z").unwrap()
        );
    }

    #[test]
    fn what_is_no_timestamp_is_refused() {
        for text in [
            "",
            "2026-01-02",
            "2026-01-02 03:04:05Z",
            "now",
            "äääääääääää",
        ] {
            assert_eq!(parse_timestamp(text), None, "{text}");
        }
        assert_eq!(timestamp_text(0, -1), None);
        assert_eq!(timestamp_text(-62_135_596_801, 0), None);
        assert_eq!(timestamp_text(i64::MAX, 0), None);
    }

    #[test]
    fn durations_have_one_sign() {
        for (seconds, nanos, text) in [
            (0, 0, "0s"),
            (3, 0, "3s"),
            (-1, -500_000_000, "-1.500s"),
            (0, -1, "-0.000000001s"),
            (MOST_SECONDS, 0, "315576000000s"),
        ] {
            assert_eq!(duration_text(seconds, nanos).unwrap(), text);
            assert_eq!(parse_duration(text).unwrap(), (seconds, nanos));
        }
        assert_eq!(parse_duration("1.5s"), Some((1, 500_000_000)));
        for text in ["", "s", "1", "1.s", "+1s", "1.0000000001s", "315576000001s"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
        assert_eq!(duration_text(1, -1), None);
        assert_eq!(duration_text(i64::MIN, 0), None);
    }
}
