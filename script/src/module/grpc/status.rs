//! How a call ended.

use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, StatusCode};

/// The codes of gRPC (<https://grpc.io/docs/guides/status-codes/>), with the names that k6 gives
/// them.
pub(super) const CODES: [(&str, i32); 17] = [
    ("StatusOK", 0),
    ("StatusCanceled", 1),
    ("StatusUnknown", 2),
    ("StatusInvalidArgument", 3),
    ("StatusDeadlineExceeded", 4),
    ("StatusNotFound", 5),
    ("StatusAlreadyExists", 6),
    ("StatusPermissionDenied", 7),
    ("StatusResourceExhausted", 8),
    ("StatusFailedPrecondition", 9),
    ("StatusAborted", 10),
    ("StatusOutOfRange", 11),
    ("StatusUnimplemented", 12),
    ("StatusInternal", 13),
    ("StatusUnavailable", 14),
    ("StatusDataLoss", 15),
    ("StatusUnauthenticated", 16),
];

// Names that are not read again for every answer.
const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");
const GRPC_MESSAGE: HeaderName = HeaderName::from_static("grpc-message");
const GRPC_DETAILS: HeaderName = HeaderName::from_static("grpc-status-details-bin");

/// The states of the health service, spelt as in k6.
pub(super) const HEALTH: [(&str, i32); 4] = [
    ("HealthCheckUnknown", 0),
    ("HealthCheckServing", 1),
    ("HealthCheckNotServing", 2),
    ("HealthCheckServiceUnkown", 3),
];

/// The status of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Status {
    /// One of the codes of gRPC, or what else the server sent.
    pub(crate) code: i32,
    /// What the server, or the client for it, says.
    pub(crate) message: String,
    /// An encoded `google.rpc.Status`; may be empty.
    pub(crate) details: Bytes,
}

macro_rules! codes {
    ($($name:ident = $code:literal,)*) => {
        impl Status {
            $(
                pub(crate) fn $name(message: impl Into<String>) -> Self {
                    Self { code: $code, message: message.into(), details: Bytes::new() }
                }
            )*
        }
    };
}

codes! {
    canceled = 1,
    unknown = 2,
    deadline_exceeded = 4,
    permission_denied = 7,
    resource_exhausted = 8,
    unimplemented = 12,
    internal = 13,
    unavailable = 14,
    unauthenticated = 16,
}

impl Status {
    /// In Go's words, which k6 shows: `rpc error: code = NotFound desc = no such book`.
    pub(crate) fn describe(&self) -> String {
        let known = CODES.iter().find(|(_, code)| *code == self.code);
        let name = known.and_then(|(name, _)| name.strip_prefix("Status"));
        let name = name.map_or_else(|| format!("Code({})", self.code), str::to_owned);
        format!("rpc error: code = {name} desc = {}", self.message)
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.code == 0
    }

    /// The status in trailers, which may be the head of an answer without a message; `None` when
    /// there is none.
    pub(crate) fn in_trailers(trailers: &HeaderMap) -> Option<Self> {
        let code = trailers.get(GRPC_STATUS)?.as_bytes();
        let Some(code) = std::str::from_utf8(code)
            .ok()
            .and_then(|code| code.parse().ok())
        else {
            return Some(Self::unknown(format!(
                "transport: malformed grpc-status: {:?}",
                String::from_utf8_lossy(code)
            )));
        };
        Some(Self::told(code, trailers))
    }

    /// A status with the text and the details that trailers tell, if they do.
    pub(crate) fn told(code: i32, trailers: &HeaderMap) -> Self {
        let message = trailers.get(GRPC_MESSAGE).map(http::HeaderValue::as_bytes);
        let details = trailers.get(GRPC_DETAILS);
        Self {
            code,
            message: percent_decoded(message.unwrap_or_default()),
            details: details
                .and_then(|value| decode_binary(value.as_bytes()))
                .unwrap_or_default()
                .into(),
        }
    }

    /// What an HTTP status means when there is no gRPC status
    /// (<https://github.com/grpc/grpc/blob/master/doc/http-grpc-status-mapping.md>).
    pub(crate) fn of_http(status: StatusCode) -> Self {
        let text = format!("unexpected HTTP status code received from server: {status}");
        match status.as_u16() {
            400 => Self::internal(text),
            401 => Self::unauthenticated(text),
            403 => Self::permission_denied(text),
            404 => Self::unimplemented(text),
            429 | 502..=504 => Self::unavailable(text),
            _ => Self::unknown(text),
        }
    }
}

/// The value of a binary header; padding may be missing.
pub(crate) fn decode_binary(text: &[u8]) -> Option<Vec<u8>> {
    let end = text
        .iter()
        .rposition(|byte| *byte != b'=')
        .map_or(0, |last| last + 1);
    BASE64_STANDARD_NO_PAD.decode(&text[..end]).ok()
}

fn percent_decoded(text: &[u8]) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let (byte, after) = escaped(rest).unwrap_or((first, after));
        decoded.push(byte);
        rest = after;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// The byte that `%` and two digits mean, and what follows them.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (digits, after) = text.strip_prefix(b"%")?.split_at_checked(2)?;
    let mut byte = 0;
    for digit in digits {
        // Sixteen values fit four bits.
        byte = byte << 4 | u8::try_from(char::from(*digit).to_digit(16)?).ok()?;
    }
    Some((byte, after))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn trailers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect()
    }

    #[test]
    fn a_status_is_read_from_trailers() {
        let status = Status::in_trailers(&trailers(&[
            ("grpc-status", "5"),
            ("grpc-message", "no%20book%3A %zz%+5%e2%82%ac%4"),
            ("grpc-status-details-bin", "CAU="),
        ]))
        .unwrap();
        assert_eq!(status.code, 5);
        assert_eq!(status.message, "no book: %zz%+5€%4");
        assert_eq!(&status.details[..], [8, 5]);
        assert_eq!(Status::in_trailers(&trailers(&[("x", "0")])), None);
        let odd = Status::in_trailers(&trailers(&[("grpc-status", "five")])).unwrap();
        assert_eq!(odd.code, 2);
        assert!(odd.message.contains("five"));
    }

    #[test]
    fn http_statuses_have_a_meaning() {
        for (http, code) in [
            (404, 12),
            (401, 16),
            (503, 14),
            (500, 2),
            (400, 13),
            (200, 2),
        ] {
            let status = Status::of_http(StatusCode::from_u16(http).unwrap());
            assert_eq!(status.code, code);
            assert!(status.message.contains(&http.to_string()));
        }
    }
}
