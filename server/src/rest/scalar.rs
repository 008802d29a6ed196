//! How single values are written in JSON; for `#[serde(serialize_with = "…")]`.

use serde::Serializer;

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
    serializer.collect_str(moment)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

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
