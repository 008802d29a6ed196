//! The head of an answer that is like the one before.

use bytes::Bytes;
use http::Method;

use super::{
    body::Body,
    error::ExchangeError,
    head::{Head, Parsed, is_framing},
};

/// Bytes of the longest head that is remembered: it takes memory in every connection.
const LONGEST: usize = 2 << 10;

/// The last head of a connection. A server says the same again and again, but for an id or the time of
/// day; what was read before is not read again.
#[derive(Clone, Debug, Default)]
pub(super) struct LastHead {
    known: Option<Known>,
}

#[derive(Clone, Debug)]
struct Known {
    head: Head,
    body: Body,
    method: Method,
    lines: Vec<Line>,
}

/// A line of a head.
#[derive(Clone, Copy, Debug)]
struct Line {
    length: usize,
    /// Bytes before a value of which the connection need not know.
    before_value: Option<usize>,
}

impl LastHead {
    /// As [`Head::parse`].
    pub(super) fn parse(
        &mut self,
        bytes: &[u8],
        method: &Method,
    ) -> Result<Option<Parsed>, ExchangeError> {
        let known = self.known.as_ref().filter(|known| known.method == *method);
        if let Some(parsed) = known.and_then(|known| known.parse(bytes)) {
            return Ok(Some(parsed));
        }
        let parsed = Head::parse(bytes, method)?;
        if let Some((head, body, length)) = &parsed
            && *length <= LONGEST
        {
            self.known = Some(Known {
                head: head.clone(),
                body: body.clone(),
                method: method.clone(),
                lines: lines(&head.bytes),
            });
        }
        Ok(parsed)
    }
}

impl Known {
    /// A head that differs from this one in values alone of which the connection need not know.
    fn parse(&self, bytes: &[u8]) -> Option<Parsed> {
        let (mut known, mut rest) = (&self.head.bytes[..], bytes);
        let mut is_same = true;
        for line in &self.lines {
            let (known_line, known_rest) = known.split_at(line.length);
            known = known_rest;
            rest = if let Some(rest) = rest.strip_prefix(known_line) {
                rest
            } else {
                is_same = false;
                after_value(rest.strip_prefix(&known_line[..line.before_value?])?)?
            };
        }
        let length = bytes.len() - rest.len();
        let head = Head {
            bytes: if is_same {
                self.head.bytes.clone()
            } else {
                Bytes::copy_from_slice(&bytes[..length])
            },
            ..self.head
        };
        Some((head, self.body.clone(), length))
    }
}

/// What follows a value and the end of its line.
fn after_value(bytes: &[u8]) -> Option<&[u8]> {
    let is_text = |byte: u8| byte == b'\t' || (byte >= b' ' && byte != 0x7f);
    let end = bytes.iter().position(|&byte| !is_text(byte))?;
    bytes[end..].strip_prefix(b"\r\n")
}

fn lines(head: &[u8]) -> Vec<Line> {
    let mut follows_status = false;
    let line = |line: &[u8]| {
        let colon = line.iter().position(|&byte| byte == b':');
        let before_value = colon
            .filter(|&colon| follows_status && !is_framing(&line[..colon]))
            .map(|colon| colon + 1);
        // Empty lines may come before that of the status.
        follows_status |= !line.trim_ascii().is_empty();
        Line {
            length: line.len(),
            before_value,
        }
    };
    head.split_inclusive(|&byte| byte == b'\n')
        .map(line)
        .collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const FIRST: &str = "HTTP/1.1 201 Created: well\r\nLocation: /a/1\r\nContent-Length: 5\r\n\r\n";

    fn known() -> LastHead {
        let mut last = LastHead::default();
        last.parse(FIRST.as_bytes(), &Method::GET).unwrap().unwrap();
        last
    }

    /// Whether a head is known by the first one.
    fn is_known(head: &str) -> bool {
        known().known.unwrap().parse(head.as_bytes()).is_some()
    }

    #[test]
    fn heads_that_differ_in_values_are_known_and_keep_their_own_words() {
        let mut last = known();
        let again = last.parse(FIRST.as_bytes(), &Method::GET).unwrap().unwrap();
        assert_eq!(again.0.fields().headers["location"], "/a/1");
        let other = FIRST.replace("/a/1", "/a/234\t\u{e4}");
        assert!(is_known(FIRST) && is_known(&other));
        let surplus = format!("{other}hello");
        let (head, body, length) = last
            .parse(surplus.as_bytes(), &Method::GET)
            .unwrap()
            .unwrap();
        assert_eq!(
            head.fields().headers["location"].as_bytes(),
            "/a/234\t\u{e4}".as_bytes()
        );
        assert_eq!(
            (head.status, head.keeps_alive, body, length),
            (201, true, Body::Length(5), other.len())
        );
    }

    #[test]
    fn heads_that_mean_something_else_are_read() {
        for (from, to) in [
            ("201", "404"),
            (": well", ": ill"),
            ("Length: 5", "Length: 6"),
            ("Location", "Lokation"),
            ("/a/1", "/a/1\r\nConnection: close"),
            ("/a/1", "/a\x7f"),
            ("/a/1\r\n", "/a\r"),
            ("\r\n\r\n", "\r\nA: b\r\n\r\n"),
            ("\r\n\r\n", "\r\n"),
        ] {
            assert!(!is_known(&FIRST.replace(from, to)), "{from:?} to {to:?}");
        }
        // To another method the same words mean something else.
        let mut last = known();
        let (_, body, _) = last
            .parse(FIRST.as_bytes(), &Method::HEAD)
            .unwrap()
            .unwrap();
        assert_eq!(body, Body::Length(0));
    }

    #[test]
    fn long_heads_are_not_remembered() {
        let long = FIRST.replace("/a/1", &"x".repeat(LONGEST));
        let mut last = LastHead::default();
        last.parse(long.as_bytes(), &Method::GET).unwrap().unwrap();
        assert!(last.known.is_none());
    }
}
