//! Requests in what a client sent over HTTP/1.1.

use std::fmt::Write as _;

use super::traffic::Request;

/// More headers than any client sends.
const MOST_HEADERS: usize = 256;

/// The requests of one connection; bytes that are none stay together at the end.
pub(super) fn requests(mut bytes: &[u8]) -> Vec<Request> {
    let mut requests = Vec::new();
    while !bytes.is_empty() {
        let Some((request, length)) = first(bytes) else {
            requests.push(Request::unreadable(bytes));
            break;
        };
        requests.push(request);
        bytes = &bytes[length..];
    }
    requests
}

/// The first request and how many bytes it takes.
fn first(bytes: &[u8]) -> Option<(Request, usize)> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(body_at) = head.parse(bytes).ok()? else {
        return None;
    };
    let mut form = format!("HTTP/1.{}", head.version?);
    let mut fields = Vec::new();
    for header in head.headers.iter() {
        form += " ";
        form += header.name;
        let value = String::from_utf8_lossy(header.value).into_owned();
        fields.push((header.name.to_ascii_lowercase(), value));
    }
    let rest = &bytes[body_at..];
    let value = |name: &str| {
        let mut found = fields.iter().filter(|(key, _)| key == name);
        found.next().map(|(_, value)| value.as_str())
    };
    let is_chunked =
        value("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
    let (body, length) = if is_chunked {
        chunks(rest, &mut form)?
    } else {
        let length = value("content-length").and_then(|length| length.parse().ok());
        let body = rest.get(..length.unwrap_or(0))?;
        (body.to_vec(), body.len())
    };
    fields.sort();
    let request = Request {
        to: String::new(),
        method: head.method?.to_owned(),
        target: head.path?.to_owned(),
        headers: fields,
        body,
        form,
    };
    Some((request, body_at + length))
}

/// A body in chunks, and the bytes that it takes with its framing. Trailers are taken for a part
/// of the framing.
fn chunks(bytes: &[u8], form: &mut String) -> Option<(Vec<u8>, usize)> {
    let mut body = Vec::new();
    let mut at = 0;
    loop {
        let httparse::Status::Complete((line, size)) =
            httparse::parse_chunk_size(&bytes[at..]).ok()?
        else {
            return None;
        };
        let size = usize::try_from(size).ok()?;
        // Writing to a `String` cannot fail.
        let _ = write!(form, " chunk of {size}");
        at += line;
        if size == 0 {
            return Some((body, at + trailers(&bytes[at..], form)?));
        }
        body.extend_from_slice(bytes.get(at..at.checked_add(size)?)?);
        at += size;
        at += bytes.get(at..)?.starts_with(b"\r\n").then_some(2)?;
    }
}

fn trailers(bytes: &[u8], form: &mut String) -> Option<usize> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let httparse::Status::Complete((length, fields)) =
        httparse::parse_headers(bytes, &mut headers).ok()?
    else {
        return None;
    };
    for field in fields {
        let _ = write!(form, " trailer {}", field.name);
    }
    Some(length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_follow_each_other_on_a_connection() {
        let bytes = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc\
            GET /b?c=1 HTTP/1.1\r\nHost: x\r\nX-Two: 2\r\n\r\n";
        let found = requests(bytes);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].body, b"abc");
        assert_eq!(found[0].form, "HTTP/1.1 Host Content-Length");
        assert_eq!((&*found[1].method, &*found[1].target), ("GET", "/b?c=1"));
        let headers = [("host", "x"), ("x-two", "2")];
        assert_eq!(
            found[1].headers,
            headers.map(|(name, value)| (name.to_owned(), value.to_owned()))
        );
    }

    #[test]
    fn chunks_are_put_together_and_their_sizes_are_form() {
        let bytes = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
            2\r\nab\r\n1\r\nc\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n";
        let found = requests(bytes);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].body, b"abc");
        assert!(found[0].form.ends_with("chunk of 2 chunk of 1 chunk of 0"));
    }

    #[test]
    fn what_is_no_whole_request_is_kept_as_bytes() {
        for bytes in [
            &b"GET / HT"[..],
            b"\x16\x03\x01\x02\x00\x01",
            b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab",
            b"POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nab",
            b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab",
        ] {
            assert_eq!(requests(bytes), [Request::unreadable(bytes)]);
        }
    }
}
