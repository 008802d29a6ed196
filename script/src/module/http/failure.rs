//! Why a request got no answer, with k6's error codes
//! (<https://grafana.com/docs/k6/latest/javascript-api/error-codes/>).

use std::{error::Error, io};

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

    pub(super) fn exchange(error: &hyper::Error) -> Self {
        let mut source: Option<&dyn Error> = error.source();
        while let Some(inner) = source {
            if let Some(io) = inner.downcast_ref::<io::Error>() {
                return match io.kind() {
                    io::ErrorKind::ConnectionReset => Self::new(1220, "connection reset by peer"),
                    io::ErrorKind::BrokenPipe => Self::new(1201, "broken pipe"),
                    _ => Self::new(1200, io.to_string()),
                };
            }
            source = inner.source();
        }
        if error.is_incomplete_message() || error.is_canceled() || error.is_closed() {
            return Self::new(1000, "EOF: the server closed the connection");
        }
        Self::new(1000, error.to_string())
    }
}
