//! How single values are written in JSON and read from it; for serde's `serialize_with` and
//! `deserialize_with`.

use std::fmt;

use serde::{
    Deserializer, Serializer,
    de::{Error, Unexpected, Visitor},
    ser,
};

use crate::domain::Timestamp;

/// A price in hundredths as a number of whole units: 4990 becomes `49.9`. Division rounds to the
/// nearest double, and the shortest decimal that names that double is the exact price.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
pub fn price<S: Serializer>(cents: &i32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*cents) / 100.0)
}

/// A moment as RFC 3339 text.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde asks for"
)]
pub fn moment<S: Serializer>(moment: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    match moment.rfc3339() {
        Some(text) => serializer.serialize_str(text.as_str()),
        None => Err(ser::Error::custom(format!(
            "{} seconds after 1970 is no moment of the years 0 to 9999",
            moment.seconds
        ))),
    }
}

/// A whole number of 32 bits. `2.0` is one, as JSON Schema and so our own document define it.
pub fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
    let visitor = WholeNumber {
        least: i32::MIN.into(),
        most: i32::MAX.into(),
    };
    // The visitor lets nothing else through.
    deserializer
        .deserialize_i32(visitor)
        .map(|number| i32::try_from(number).unwrap_or_default())
}

/// A whole number of 32 bits from 0 on; `2.0` is one, too.
pub fn natural_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let visitor = WholeNumber {
        least: 0,
        most: u32::MAX.into(),
    };
    // The visitor lets nothing else through.
    deserializer
        .deserialize_u32(visitor)
        .map(|number| u32::try_from(number).unwrap_or_default())
}

/// Reads whole numbers within bounds.
struct WholeNumber {
    least: i64,
    most: i64,
}

impl Visitor<'_> for WholeNumber {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {} to {}", self.least, self.most)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        i64::try_from(number)
            .ok()
            .filter(|number| (self.least..=self.most).contains(number))
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        if (self.least..=self.most).contains(&number) {
            Ok(number)
        } else {
            Err(E::invalid_value(Unexpected::Signed(number), &self))
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "only whole numbers in range get there"
    )]
    fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
        let range = self.least as f64..=self.most as f64;
        if number.fract() == 0.0 && range.contains(&number) {
            Ok(number as i64)
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn whole_numbers_are_read_in_every_notation_and_others_named() {
        let read = |text: &str| whole_number(&mut serde_json::Deserializer::from_str(text));
        for (text, number) in [
            ("7", 7),
            ("7.0", 7),
            ("-2147483648", i32::MIN),
            ("2.147483647e9", i32::MAX),
        ] {
            assert_eq!(read(text).unwrap(), number);
        }
        for (text, named) in [
            ("7.5", "`7.5`"),
            ("2147483648", "`2147483648`"),
            ("-2147483649", "`-2147483649`"),
            ("2147483648.0", "`2147483648.0`"),
            ("true", "`true`"),
        ] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.contains(named), "{message}");
            assert!(
                message.contains("a whole number from -2147483648 to 2147483647"),
                "{message}"
            );
        }
    }

    #[test]
    fn natural_numbers_have_their_own_bounds() {
        let read = |text: &str| natural_number(&mut serde_json::Deserializer::from_str(text));
        assert_eq!(read("4294967295").unwrap(), u32::MAX);
        assert_eq!(read("7.0").unwrap(), 7);
        for text in ["-1", "4294967296", "-1.0", "0.5", "\"7\""] {
            let message = read(text).unwrap_err().to_string();
            assert!(
                message.contains("a whole number from 0 to 4294967295"),
                "{message}"
            );
        }
    }

    /// The price by integer arithmetic: at least one decimal, no trailing zero after it.
    fn exact(cents: i32) -> String {
        let (units, rest) = (cents / 100, cents % 100);
        match rest % 10 {
            0 => format!("{units}.{}", rest / 10),
            _ => format!("{units}.{rest:02}"),
        }
    }

    #[test]
    fn every_price_below_ten_thousand_is_exact() {
        for cents in 0..1_000_000 {
            let mut text = Vec::new();
            price(&cents, &mut serde_json::Serializer::new(&mut text)).unwrap();
            assert_eq!(String::from_utf8(text).unwrap(), exact(cents));
        }
    }
}
