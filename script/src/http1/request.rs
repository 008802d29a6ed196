//! What a request looks like on the wire.

use bytes::Bytes;
use http::{HeaderMap, Method, header::CONNECTION, uri::PathAndQuery};

use super::head::has_token;

/// A request, ready to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    /// Decides whether the answer has a body.
    pub(crate) method: &'a Method,
    /// What [`write_head`] has written.
    pub(crate) head: &'a [u8],
    pub(crate) body: &'a Bytes,
    /// Whether the head asks the server to close the connection.
    pub(crate) closes: bool,
}

/// Writes the head of a request: its line, and the headers in their order, names as Go writes them.
pub(crate) fn write_head(
    head: &mut Vec<u8>,
    method: &Method,
    path: &PathAndQuery,
    headers: &HeaderMap,
) {
    head.extend_from_slice(method.as_str().as_bytes());
    head.push(b' ');
    head.extend_from_slice(path.as_str().as_bytes());
    head.extend_from_slice(b" HTTP/1.1\r\n");
    for (name, value) in headers {
        head.extend(canonical(name.as_str()));
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.extend_from_slice(b"\r\n");
}

/// Whether the headers of a request say that the connection ends with it.
pub(crate) fn asks_to_close(headers: &HeaderMap) -> bool {
    let mut lines = headers.get_all(CONNECTION).iter();
    lines.any(|line| has_token(line.as_bytes(), "close"))
}

/// The name of a header in Go's capitals: `content-type` as `Content-Type`.
pub(crate) fn canonical(name: &str) -> impl Iterator<Item = u8> {
    let mut begins = true;
    name.bytes().map(move |byte| {
        let shown = if begins {
            byte.to_ascii_uppercase()
        } else {
            byte.to_ascii_lowercase()
        };
        begins = byte == b'-';
        shown
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use http::{HeaderValue, header};

    use super::*;

    #[test]
    fn a_head_has_its_headers_in_order_with_capitals() {
        let mut headers = HeaderMap::new();
        headers.append(header::HOST, HeaderValue::from_static("h:1"));
        headers.append("x-b3-traceid", HeaderValue::from_static("one"));
        headers.append("x-b3-traceid", HeaderValue::from_static("two"));
        headers.append(header::ACCEPT, HeaderValue::from_bytes(b"\xe4").unwrap());
        let mut head = Vec::new();
        let path = PathAndQuery::from_static("/a?b=c");
        write_head(&mut head, &Method::PATCH, &path, &headers);
        let expected = b"PATCH /a?b=c HTTP/1.1\r\nHost: h:1\r\nX-B3-Traceid: one\r\n\
                         X-B3-Traceid: two\r\nAccept: \xe4\r\n\r\n";
        assert_eq!(head, expected);
    }

    #[test]
    fn names_are_canonical() {
        let shown = |name| String::from_utf8(canonical(name).collect()).unwrap();
        assert_eq!(shown("grpc-status"), "Grpc-Status");
        assert_eq!(shown("ETag"), "Etag");
    }

    #[test]
    fn a_request_may_ask_to_close() {
        let headers = |value| HeaderMap::from_iter([(CONNECTION, HeaderValue::from_static(value))]);
        assert!(asks_to_close(&headers("x, Close")));
        assert!(!asks_to_close(&headers("closed")));
        assert!(!asks_to_close(&HeaderMap::new()));
    }
}
