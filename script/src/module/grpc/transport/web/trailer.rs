//! Trailers as the last frame of a body, or as the headers of an answer without a body.

use http::{HeaderMap, HeaderName, HeaderValue};

use crate::module::grpc::status::Status;

/// Most bytes of what a peer sent that an error shows.
const SHOWN: usize = 80;

/// Reads the content of a trailer frame. Peers differ in white space, letter case, line ends and a
/// last empty line; all of these are accepted. A line without a colon is an error, because nothing
/// behind it can be trusted.
pub(super) fn parse(block: &[u8]) -> Result<HeaderMap, Status> {
    let mut trailers = HeaderMap::new();
    for line in block.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            continue;
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let Some((name, value)) = colon.map(|at| (trim(&line[..at]), trim(&line[at + 1..]))) else {
            return Err(no_line(line));
        };
        if name.is_empty() {
            return Err(no_line(line));
        }
        // A name that no header can have is of no use to a script either.
        if let Ok(name) = HeaderName::from_bytes(name) {
            let appended = trailers.try_append(name, printable(value));
            appended.map_err(|_| Status::internal("the trailer has too many lines"))?;
        }
    }
    Ok(trailers)
}

/// A value with `?` for the control characters that headers cannot have.
fn printable(value: &[u8]) -> HeaderValue {
    HeaderValue::from_bytes(value).unwrap_or_else(|_| {
        let is_control = |byte: u8| (byte < b' ' && byte != b'\t') || byte == 0x7f;
        let bytes = value.iter();
        let printable: Vec<u8> = bytes
            .map(|byte| if is_control(*byte) { b'?' } else { *byte })
            .collect();
        HeaderValue::from_bytes(&printable).unwrap_or(HeaderValue::from_static("?"))
    })
}

/// The status in trailers, or `None` when there is none. A code that gRPC does not define is kept;
/// one that is no number means UNKNOWN.
pub(super) fn status_in(trailers: &HeaderMap) -> Option<Status> {
    let code = trailers.get("grpc-status")?.as_bytes();
    let is_number = !code.is_empty() && code.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(code).ok().filter(|_| is_number);
    if let Some(code) = text.and_then(|code| code.parse().ok()) {
        return Some(Status::told(code, trailers));
    }
    let mut status = Status::told(Status::unknown("").code, trailers);
    if status.message.is_empty() {
        status.message = format!(
            "the server sent an unreadable grpc-status {:?}",
            excerpt(code)
        );
    }
    Some(status)
}

/// The status of a trailer frame, which has to have one.
pub(super) fn status_of(trailers: &HeaderMap) -> Status {
    status_in(trailers).unwrap_or_else(|| {
        let mut status = Status::told(Status::unknown("").code, trailers);
        if status.message.is_empty() {
            "the server sent no grpc-status".clone_into(&mut status.message);
        }
        status
    })
}

/// Removes what tells the status, and these.
pub(super) fn strip(headers: &mut HeaderMap, more: &[&str]) {
    let status = ["grpc-status", "grpc-message", "grpc-status-details-bin"];
    for name in status.iter().chain(more) {
        headers.remove(*name);
    }
}

fn trim(bytes: &[u8]) -> &[u8] {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let Some(begin) = bytes.iter().position(|byte| !is_space(byte)) else {
        return &[];
    };
    let end = bytes.iter().rposition(|byte| !is_space(byte));
    &bytes[begin..=end.unwrap_or(begin)]
}

fn no_line(line: &[u8]) -> Status {
    Status::internal(format!(
        "trailer line {:?} is not of the form name:value",
        excerpt(line)
    ))
}

fn excerpt(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN)]).into_owned()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn what_headers_cannot_carry_is_replaced_or_left_out() {
        let trailers = parse(b"x-a: 1\x012\r\ntwo words: x\r\ngrpc-status:0").unwrap();
        assert_eq!(trailers["x-a"], "1?2");
        assert_eq!(trailers.len(), 2);
        assert_eq!(status_of(&trailers), Status::default());
    }

    #[test]
    fn a_line_without_a_colon_is_an_error() {
        for block in [&b"grpc-status:0\r\nodd"[..], b":x", b" \t: x"] {
            assert_eq!(parse(block).unwrap_err().code, 13);
        }
    }

    #[test]
    fn a_status_that_is_no_number_keeps_its_text() {
        let trailers = parse(b"grpc-status:+0\ngrpc-message:odd").unwrap();
        let status = status_of(&trailers);
        assert_eq!((status.code, status.message.as_str()), (2, "odd"));
        let status = status_of(&parse(b"grpc-status:99999999999").unwrap());
        assert_eq!(status.code, 2);
        assert!(status.message.contains("99999999999"));
    }

    #[test]
    fn very_many_lines_are_an_error_and_no_panic() {
        let lines: Vec<String> = (0..40_000).map(|nth| format!("x{nth}:")).collect();
        let block = lines.join("\n");
        assert_eq!(parse(block.as_bytes()).unwrap_err().code, 13);
    }
}
