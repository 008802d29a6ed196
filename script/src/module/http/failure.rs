//! Why a request got no answer, with k6's error codes
//! (<https://grafana.com/docs/k6/latest/javascript-api/error-codes/>).

use std::io;

use crate::{http1::ExchangeError, tls::TlsError};

/// A request without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// k6's code.
    pub(super) code: u16,
    /// What happened.
    pub(super) message: String,
}

/// Why an exchange has failed.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) failure: Failure,
    /// Whether it is what a client sees when the server has closed an idle connection.
    pub(super) is_closed: bool,
}

impl From<ExchangeError> for Broken {
    fn from(error: ExchangeError) -> Self {
        Self {
            failure: Failure::exchange(&error),
            is_closed: error.is_closed(),
        }
    }
}

impl From<h2::Error> for Broken {
    fn from(error: h2::Error) -> Self {
        let is_refused = error.reason() == Some(h2::Reason::REFUSED_STREAM);
        Self {
            failure: Failure::http2(&error),
            is_closed: error.is_io() || error.is_go_away() || is_refused,
        }
    }
}

impl From<http::Error> for Broken {
    fn from(error: http::Error) -> Self {
        Self {
            failure: Failure::new(1000, format!("the request cannot be sent: {error}")),
            is_closed: false,
        }
    }
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
            _ if is_out_of_files(error) => Self::new(
                1210,
                format!("dial: {error}; raise the limit of open files (ulimit -n)"),
            ),
            _ => Self::new(1210, format!("dial: {error}")),
        }
    }

    pub(super) fn tls(error: &TlsError) -> Self {
        let code = match error {
            TlsError::UnknownAuthority { .. } | TlsError::AuthorityAsServer => 1310,
            TlsError::HostName { .. } => 1311,
            TlsError::NoTls => 1301,
            TlsError::Io(error) => return Self::broken(error),
            TlsError::Closed => 1000,
            TlsError::Expired(_) | TlsError::Other(_) | TlsError::ServerName(_) => 1300,
        };
        Self::new(code, error.to_string())
    }

    /// k6 adds the protocol's own code to one that says what has ended.
    pub(super) fn http2(error: &h2::Error) -> Self {
        if let Some(error) = error.get_io() {
            return Self::broken(error);
        }
        let (general, what) = if error.is_go_away() && error.is_remote() {
            (1610, "the server ends the connection")
        } else if error.is_reset() {
            (1630, "the server ends the stream")
        } else {
            (1650, "the connection broke")
        };
        // Codes of one kind end where those of the next begin.
        let reason = error.reason().map(u32::from);
        let reason = reason.and_then(|reason| u16::try_from(reason).ok());
        let code = reason.filter(|reason| *reason < 19);
        let code = code.map_or(general, |reason| general + 1 + reason);
        Self::new(code, format!("http2: {what}: {error}"))
    }

    fn broken(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionReset => Self::new(1220, "connection reset by peer"),
            io::ErrorKind::BrokenPipe => Self::new(1201, "broken pipe"),
            // What the other side says in TLS, for example that it wants a certificate.
            _ if is_tls(error) => Self::new(1300, format!("tls: {error}")),
            _ => Self::new(1200, error.to_string()),
        }
    }

    fn exchange(error: &ExchangeError) -> Self {
        match error {
            ExchangeError::Io(error) => Self::broken(error),
            _ => Self::new(1000, error.to_string()),
        }
    }
}

/// Whether a process, or the system, has as many files open as it may.
fn is_out_of_files(error: &io::Error) -> bool {
    cfg!(unix) && matches!(error.raw_os_error(), Some(23 | 24))
}

fn is_tls(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(<dyn std::error::Error + Send + Sync>::is::<rustls::Error>)
}
