//! Why an operation failed.

use std::{fmt::Display, io, time::Duration};

use http::StatusCode;
use prost::DecodeError;
use thiserror::Error;

use crate::record::Failure;

/// Different reasons that are kept.
const MOST_REASONS: usize = 5;
/// Characters of an answer that a reason quotes.
const EXCERPT: usize = 160;

/// An operation that did not do what it should.
#[derive(Debug, Error)]
pub(super) enum OperationError {
    /// No connection.
    #[error("cannot connect to {address}: {source}")]
    Connect { address: String, source: io::Error },
    /// The connection ended before the answer did, or the answer was no HTTP.
    #[error("the connection to {address} broke: {reason}")]
    Broken { address: String, reason: String },
    /// No complete answer in time.
    #[error("no complete answer within {0:?}")]
    Silent(Duration),
    /// An answer came and is wrong.
    #[error("{request}: {fault}")]
    Answer { request: String, fault: Fault },
}

impl OperationError {
    /// Whether its connections cannot be used again.
    pub(super) fn ends_connections(&self) -> bool {
        !matches!(self, Self::Answer { .. })
    }
}

/// What is wrong with an answer.
#[derive(Debug, Error)]
pub(super) enum Fault {
    /// Another HTTP status.
    #[error("status {found} instead of {expected}{excerpt}")]
    Status {
        found: StatusCode,
        expected: StatusCode,
        excerpt: String,
    },
    /// Not the JSON that was expected.
    #[error("the body is not {what}: {source}{excerpt}")]
    Json {
        what: &'static str,
        source: serde_json::Error,
        excerpt: String,
    },
    /// A part of the answer has another value.
    #[error("{field} is {found} instead of {expected}")]
    Value {
        field: &'static str,
        found: String,
        expected: String,
    },
    /// GraphQL `errors`.
    #[error("GraphQL error: {0}")]
    GraphQl(String),
    /// A gRPC status other than OK.
    #[error("gRPC status {code} ({name}): {message}")]
    Grpc {
        code: i32,
        name: String,
        message: String,
    },
    /// Not a gRPC or gRPC-Web answer.
    #[error("{0}")]
    Framing(String),
    /// A frame whose message cannot be decoded.
    #[error("the message cannot be decoded: {0}")]
    Protobuf(#[from] DecodeError),
}

impl Fault {
    /// A status that was not expected, with the beginning of its body.
    pub(super) fn status(found: StatusCode, expected: StatusCode, body: &[u8]) -> Self {
        Self::Status {
            found,
            expected,
            excerpt: excerpt(body),
        }
    }

    /// A body that is not the expected JSON.
    pub(super) fn json(what: &'static str, source: serde_json::Error, body: &[u8]) -> Self {
        Self::Json {
            what,
            source,
            excerpt: excerpt(body),
        }
    }

    /// Compares a part of the answer with what it must be.
    pub(super) fn unless_equal<T: Copy + PartialEq + Display>(
        field: &'static str,
        found: T,
        expected: T,
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Value {
            field,
            found: quoted(&found.to_string()),
            expected: quoted(&expected.to_string()),
        })
    }

    /// Refuses an empty text.
    pub(super) fn if_empty(field: &'static str, found: &str) -> Result<(), Self> {
        if !found.is_empty() {
            return Ok(());
        }
        Err(Self::Value {
            field,
            found: quoted(found),
            expected: "a text".to_owned(),
        })
    }
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(EXCERPT).collect();
    format!("`{short}`")
}

fn excerpt(body: &[u8]) -> String {
    if body.is_empty() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * EXCERPT)]);
    let short: String = text.chars().take(EXCERPT).collect();
    format!("; the body begins with {short:?}")
}

/// Reasons of failure with their counts. Bounded: a sixth reason is only counted as an operation.
#[derive(Debug, Default)]
pub(super) struct Failures(Vec<Failure>);

impl Failures {
    /// Counts one more operation that failed so.
    pub(super) fn add(&mut self, error: &OperationError) {
        self.add_counted(Failure {
            reason: error.to_string(),
            count: 1,
        });
    }

    /// Adds those of another worker.
    pub(super) fn merge(&mut self, other: Self) {
        for failure in other.0 {
            self.add_counted(failure);
        }
    }

    /// The reasons, the most frequent first.
    pub(super) fn into_sorted(self) -> Vec<Failure> {
        let mut failures = self.0;
        failures.sort_by_key(|failure| std::cmp::Reverse(failure.count));
        failures
    }

    fn add_counted(&mut self, failure: Failure) {
        if let Some(old) = self.0.iter_mut().find(|old| old.reason == failure.reason) {
            old.count += failure.count;
        } else if self.0.len() < MOST_REASONS {
            self.0.push(failure);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_by_text_and_bounded() {
        let mut failures = Failures::default();
        let mut other = Failures::default();
        for seconds in [1, 2, 2, 3, 4, 5, 6, 6, 6, 6] {
            failures.add(&OperationError::Silent(Duration::from_secs(seconds)));
        }
        for _ in 0..3 {
            other.add(&OperationError::Silent(Duration::from_secs(5)));
        }
        failures.merge(other);
        let counts: Vec<(String, u64)> = failures
            .into_sorted()
            .into_iter()
            .map(|failure| (failure.reason, failure.count))
            .collect();
        let expected = [("5s", 4), ("2s", 2), ("1s", 1), ("3s", 1), ("4s", 1)]
            .map(|(time, count)| (format!("no complete answer within {time}"), count));
        assert_eq!(counts, expected);
    }

    #[test]
    fn a_reason_quotes_only_the_beginning_of_a_body() {
        let fault = Fault::status(
            StatusCode::CONFLICT,
            StatusCode::CREATED,
            "ü".repeat(1_000).as_bytes(),
        );
        let text = fault.to_string();
        assert!(
            text.starts_with("status 409 Conflict instead of 201 Created; the body begins with"),
            "{text}"
        );
        assert_eq!(text.matches('ü').count(), EXCERPT);
    }
}
