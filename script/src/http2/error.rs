//! How exchanges and connections fail.

use std::{fmt, io, rc::Rc};

/// A code of `RST_STREAM` and `GOAWAY` (RFC 9113, section 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reason(pub(crate) u32);

impl Reason {
    pub(crate) const NO_ERROR: Self = Self(0);
    pub(crate) const PROTOCOL_ERROR: Self = Self(1);
    pub(crate) const FLOW_CONTROL_ERROR: Self = Self(3);
    pub(crate) const FRAME_SIZE_ERROR: Self = Self(6);
    pub(crate) const REFUSED_STREAM: Self = Self(7);
    pub(crate) const CANCEL: Self = Self(8);
    pub(crate) const COMPRESSION_ERROR: Self = Self(9);
    pub(crate) const ENHANCE_YOUR_CALM: Self = Self(11);
    pub(crate) const INADEQUATE_SECURITY: Self = Self(12);
}

/// The names of the codes, each at its number.
const NAMES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(self.0 as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "error code {}", self.0),
        }
    }
}

/// Why an exchange, or all of a connection, came to no end.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The server gave the exchange up.
    #[error("the server reset the stream: {0}")]
    Reset(Reason),
    /// The server closes the connection and has not looked at the request.
    #[error("the server goes away: {0}")]
    GoneAway(Reason),
    /// The answer breaks the rules; the connection does not.
    #[error("{1} ({0})")]
    Malformed(Reason, &'static str),
    /// The server broke the rules of the connection.
    #[error("{1} ({0})")]
    Violation(Reason, &'static str),
    /// The socket failed.
    #[error("{0}")]
    Io(Rc<io::Error>),
    /// The server closed the socket.
    #[error("the server closed the connection")]
    Closed,
    /// This side closed the connection.
    #[error("the connection was closed here")]
    Left,
}
