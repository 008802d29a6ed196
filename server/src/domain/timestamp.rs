//! Moments and their text.

use std::fmt;

use jiff::tz::Offset;

/// A moment in whole seconds since 1970-01-01T00:00:00Z; displays as RFC 3339 in UTC
/// (20 characters, for example `2026-01-05T00:00:00Z`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timestamp {
    /// Seconds since the epoch.
    pub seconds: i64,
}

/// A moment's text in RFC 3339.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rfc3339 {
    ascii: [u8; 20],
}

impl Timestamp {
    /// The moment as RFC 3339 text in UTC; `None` outside the years 0 to 9999, for which it has none.
    #[must_use]
    pub fn rfc3339(self) -> Option<Rfc3339> {
        let moment = jiff::Timestamp::from_second(self.seconds).ok()?;
        let moment = Offset::UTC.to_datetime(moment);
        let year = u8::try_from(moment.year() / 100)
            .ok()
            .zip(u8::try_from(moment.year() % 100).ok());
        let (century, year) = year?;
        let mut ascii = *b"0000-00-00T00:00:00Z";
        for (at, number) in [
            (0, century),
            (2, year),
            (5, moment.month().unsigned_abs()),
            (8, moment.day().unsigned_abs()),
            (11, moment.hour().unsigned_abs()),
            (14, moment.minute().unsigned_abs()),
            (17, moment.second().unsigned_abs()),
        ] {
            ascii[at] += number / 10;
            ascii[at + 1] += number % 10;
        }
        Some(Rfc3339 { ascii })
    }
}

impl Rfc3339 {
    /// The text.
    ///
    /// # Panics
    /// Never: it holds digits and punctuation only.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.ascii).expect("digits and punctuation are ASCII")
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rfc3339().ok_or(fmt::Error)?.as_str())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use proptest::prelude::*;

    use super::*;

    /// 0000-01-01T00:00:00Z.
    const FIRST: i64 = -62_167_219_200;
    /// The last that jiff represents.
    const LAST: i64 = 253_402_207_200;

    #[test]
    fn moments_without_a_year_of_four_digits_have_no_text() {
        let text = |seconds| Timestamp { seconds }.rfc3339();
        assert_eq!(text(FIRST).unwrap().as_str(), "0000-01-01T00:00:00Z");
        assert_eq!(text(LAST).unwrap().as_str(), "9999-12-30T22:00:00Z");
        for beyond in [FIRST - 1, LAST + 1, i64::MIN, i64::MAX] {
            assert_eq!(text(beyond), None, "{beyond}");
        }
    }

    proptest! {
        #[test]
        fn the_text_is_the_one_that_jiff_prints(seconds in FIRST..=LAST) {
            let theirs = jiff::Timestamp::from_second(seconds).unwrap();
            prop_assert_eq!(Timestamp { seconds }.to_string(), format!("{theirs:.0}"));
        }
    }
}
