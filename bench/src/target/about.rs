//! Asks a server what it is: `GET /about`.

use std::time::Duration;

use super::{
    Site, TargetError,
    exchange::{Exchange, body},
};
use crate::record::ServerFacts;

/// Asks once.
pub(super) fn ask(site: &Site, patience: Duration) -> Result<ServerFacts, TargetError> {
    let exchange = Exchange {
        site,
        path: "/about",
        json: None,
        patience,
    };
    let answer = exchange.answer().map_err(|source| TargetError::NoAnswer {
        site: site.to_string(),
        source,
    })?;
    facts_in(&answer).map_err(|reason| TargetError::NotABookstore {
        site: site.to_string(),
        found: String::from_utf8_lossy(&answer).chars().take(120).collect(),
        reason,
    })
}

/// The facts in a whole HTTP answer, or what is wrong with it.
fn facts_in(answer: &[u8]) -> Result<ServerFacts, String> {
    serde_json::from_slice(body(answer)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn only_a_full_description_with_status_200_is_taken() {
        let wrong = |answer: &str| facts_in(answer.as_bytes()).unwrap_err();
        assert_eq!(wrong("SSH-2.0-x"), "no HTTP head");
        assert_eq!(wrong("HTTP/1.1 404 Not Found\r\n\r\n{}"), "status 404");
        assert!(wrong("HTTP/1.1 200 OK\r\n\r\n{}").contains("missing field `version`"));
        assert!(wrong("HTTP/1.1 200 OK\r\n\r\n<html>").contains("expected value"));
    }
}
