//! Why a request got no answer, with k6's error codes
//! (<https://grafana.com/docs/k6/latest/javascript-api/error-codes/>).

use std::io;

use crate::http1::ExchangeError;

/// A request without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// k6's code.
    pub(super) code: u16,
    /// What happened.
    pub(super) message: String,
}

impl Failure {
    pub(super) fn new(code: u16, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    pub(super) fn invalid_url(url: &str, why: &str) -> Self {
        Self::new(1020, format!("invalid URL {url:?}: {why}"))
    }

    pub(super) fn timeout() -> Self {
        Self::new(1050, "request timeout")
    }

    pub(super) fn lookup(host: &str, error: &io::Error) -> Self {
        Self::new(1101, format!("lookup {host}: {error}"))
    }

    pub(super) fn dial(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::new(1212, "dial: connection refused"),
            io::ErrorKind::TimedOut => Self::new(1211, "dial: i/o timeout"),
            _ => Self::new(1210, format!("dial: {error}")),
        }
    }

    pub(super) fn exchange(error: &ExchangeError) -> Self {
        let code = match error {
            ExchangeError::Io(error) => match error.kind() {
                io::ErrorKind::ConnectionReset => {
                    return Self::new(1220, "connection reset by peer");
                }
                io::ErrorKind::BrokenPipe => return Self::new(1201, "broken pipe"),
                _ => 1200,
            },
            _ => 1000,
        };
        Self::new(code, error.to_string())
    }
}
