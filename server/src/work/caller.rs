//! When the caller gives up, as it says so itself. This is told for the account alone: nobody acts on it,
//! as nobody would in a system that does not measure it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Microseconds since 1970, by the one clock of a machine.
pub const GIVES_UP_AT: &str = "bench-gives-up-at-us";

/// The moment in the header's text, if it is one.
pub fn gives_up_at(text: Option<&str>) -> Option<SystemTime> {
    let us = text?.parse().ok()?;
    UNIX_EPOCH.checked_add(Duration::from_micros(us))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_and_anything_else_is_none() {
        let moment = UNIX_EPOCH + Duration::from_micros(1_767_225_600_000_001);
        assert_eq!(gives_up_at(Some("1767225600000001")), Some(moment));
        for text in [None, Some(""), Some("soon"), Some("-1")] {
            assert_eq!(gives_up_at(text), None);
        }
    }
}
