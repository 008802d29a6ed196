//! The head of an answer.

use std::{mem::MaybeUninit, str};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::{body::Body, error::ExchangeError};

/// Most bytes of a head: as many as hyper's client takes.
pub(super) const MOST_BYTES: usize = 408 << 10;
/// Most headers of an answer.
const MOST_FIELDS: usize = 128;
/// Bytes of the longest name that a [`HeaderMap`] takes.
const LONGEST_NAME: usize = u16::MAX as usize;

/// The head of an answer. What decides how the connection goes on is read at once, all headers only
/// when somebody asks for them.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    /// Of HTTP/1.0 or HTTP/1.1.
    pub(crate) minor_version: u8,
    /// Whether the server wants to keep the connection.
    pub(super) keeps_alive: bool,
    /// Whether there is a `set-cookie`.
    pub(crate) sets_cookie: bool,
    /// Whether there is a `content-encoding`.
    pub(crate) is_encoded: bool,
    pub(super) bytes: Bytes,
}

/// Everything that a head says in words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    /// The words after the status.
    pub(crate) reason: String,
    pub(crate) headers: HeaderMap,
}

/// A head, what follows it, and how many bytes it had.
pub(super) type Parsed = (Head, Body, usize);

impl Head {
    /// Reads a head; `None` when bytes are missing.
    pub(super) fn parse(bytes: &[u8], method: &Method) -> Result<Option<Parsed>, ExchangeError> {
        parsed(bytes, |response, length| {
            let status = response.code.unwrap_or_default();
            if status < 100 {
                return Err(ExchangeError::Status(status));
            }
            let minor_version = response.version.unwrap_or_default();
            let framing = Framing::read(minor_version, response.headers)?;
            let body = framing.body(status, minor_version, method)?;
            let head = Self {
                status,
                minor_version,
                keeps_alive: framing.keeps_alive && !ends_http(status, method),
                sets_cookie: framing.sets_cookie,
                is_encoded: framing.is_encoded,
                bytes: Bytes::copy_from_slice(&bytes[..length]),
            };
            Ok((head, body, length))
        })
    }

    /// Reads the rest.
    pub(crate) fn fields(&self) -> Fields {
        let read = parsed(&self.bytes, |response, _| {
            let mut headers = HeaderMap::with_capacity(response.headers.len());
            for field in response.headers.iter() {
                let name = HeaderName::from_bytes(field.name.as_bytes());
                // Both are what the parser lets through.
                if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(field.value)) {
                    headers.append(name, value);
                }
            }
            Ok(Fields {
                reason: response.reason.unwrap_or_default().to_owned(),
                headers,
            })
        });
        // It was read before.
        read.ok().flatten().unwrap_or_default()
    }

    /// Whether another head follows, of the same request.
    pub(super) fn is_informational(&self) -> bool {
        self.status < 200 && self.status != 101
    }
}

/// Hands a whole head and its length on; `None` when bytes are missing.
fn parsed<T>(
    bytes: &[u8],
    read: impl FnOnce(&httparse::Response<'_, '_>, usize) -> Result<T, ExchangeError>,
) -> Result<Option<T>, ExchangeError> {
    let mut fields = [const { MaybeUninit::uninit() }; MOST_FIELDS];
    let mut response = httparse::Response::new(&mut []);
    let result = httparse::ParserConfig::default().parse_response_with_uninit_headers(
        &mut response,
        bytes,
        &mut fields,
    )?;
    match result {
        httparse::Status::Partial => Ok(None),
        httparse::Status::Complete(length) => read(&response, length).map(Some),
    }
}

/// Whether an answer turns the connection into something else.
fn ends_http(status: u16, method: &Method) -> bool {
    status == 101 || (*method == Method::CONNECT && (200..300).contains(&status))
}

/// Whether a header says something about the body or the connection, so that [`Framing`] reads it.
pub(super) fn is_framing(name: &[u8]) -> bool {
    let names = [
        "connection",
        "set-cookie",
        "content-length",
        "content-encoding",
        "transfer-encoding",
    ];
    names
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
}

/// What headers say about the body and the connection.
struct Framing {
    keeps_alive: bool,
    sets_cookie: bool,
    is_encoded: bool,
    /// The only length; an error when it is none or there are several, which matters only where a
    /// body follows.
    length: Option<Result<u64, String>>,
    /// Whether the last of the transfer encodings is `chunked`, where there are some.
    chunked: Option<bool>,
}

impl Framing {
    fn read(minor_version: u8, fields: &[httparse::Header<'_>]) -> Result<Self, ExchangeError> {
        let mut framing = Self {
            keeps_alive: minor_version == 1,
            sets_cookie: false,
            is_encoded: false,
            length: None,
            chunked: None,
        };
        let mut closes = false;
        for field in fields {
            let is = |name: &str| field.name.eq_ignore_ascii_case(name);
            match field.name.len() {
                10 if is("connection") => {
                    closes |= has_token(field.value, "close");
                    framing.keeps_alive |= has_token(field.value, "keep-alive");
                }
                10 if is("set-cookie") => framing.sets_cookie = true,
                14 if is("content-length") => framing.add_length(field.value),
                16 if is("content-encoding") => framing.is_encoded = true,
                17 if is("transfer-encoding") => {
                    framing.chunked = Some(last_token_is(field.value, "chunked"));
                }
                LONGEST_NAME.. => return Err(httparse::Error::TooManyHeaders.into()),
                _ => {}
            }
        }
        framing.keeps_alive &= !closes;
        Ok(framing)
    }

    fn add_length(&mut self, value: &[u8]) {
        for token in value.split(|&byte| byte == b',') {
            let length = whole_number(token.trim_ascii());
            self.length = Some(match (length, self.length.take()) {
                (Some(length), None) => Ok(length),
                (Some(length), Some(Ok(known))) if length == known => Ok(known),
                (_, Some(Err(wrong))) => Err(wrong),
                _ => Err(String::from_utf8_lossy(value).into_owned()),
            });
        }
    }

    /// The body that follows (RFC 9112, section 6.3).
    fn body(&self, status: u16, minor_version: u8, method: &Method) -> Result<Body, ExchangeError> {
        let has_none = matches!(status, 100..=199 | 204 | 304) || *method == Method::HEAD;
        if has_none || ends_http(status, method) {
            return Ok(Body::Length(0));
        }
        match (self.chunked, &self.length) {
            (Some(_), _) if minor_version == 0 => Err(ExchangeError::TransferEncoding),
            (Some(true), _) => Ok(Body::chunked()),
            (Some(false), _) | (None, None) => Ok(Body::UntilClose),
            (None, Some(Ok(length))) => Ok(Body::Length(*length)),
            (None, Some(Err(value))) => Err(ExchangeError::ContentLength(value.clone())),
        }
    }
}

/// Digits alone; no sign, no space.
fn whole_number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u64, |number, digit| {
        let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
        number.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// Whether a list has a word.
pub(super) fn has_token(list: &[u8], word: &str) -> bool {
    let mut tokens = list.split(|&byte| byte == b',');
    tokens.any(|token| token.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
}

fn last_token_is(list: &[u8], word: &str) -> bool {
    let token = list.rsplit(|&byte| byte == b',').next();
    let token = token.unwrap_or_default();
    token.trim_ascii().eq_ignore_ascii_case(word.as_bytes())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn parse(head: &str) -> Result<Option<Parsed>, ExchangeError> {
        Head::parse(head.as_bytes(), &Method::GET)
    }

    fn body_of(method: &Method, head: &str) -> Body {
        Head::parse(head.as_bytes(), method).unwrap().unwrap().1
    }

    #[test]
    fn a_head_is_read_and_its_words_when_asked_for() {
        let text = "HTTP/1.1 404 Not here\r\nA: 1\r\na:  2 \r\nSet-Cookie: x=y\r\n\r\n";
        let (head, body, length) = parse(&format!("{text}surplus")).unwrap().unwrap();
        assert_eq!((head.status, head.minor_version), (404, 1));
        assert!(head.sets_cookie && head.keeps_alive && !head.is_encoded);
        assert_eq!((body, length), (Body::UntilClose, text.len()));
        let fields = head.fields();
        assert_eq!(fields.reason, "Not here");
        let values: Vec<_> = fields.headers.get_all("a").iter().collect();
        assert_eq!(values, ["1", "2"]);
        assert!(parse(&text[..text.len() - 1]).unwrap().is_none());
    }

    #[test]
    fn connections_end_where_either_side_says_so() {
        for (head, keeps_alive) in [
            ("HTTP/1.1 200 OK\r\n\r\n", true),
            ("HTTP/1.0 200 OK\r\n\r\n", false),
            ("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n\r\n", true),
            (
                "HTTP/1.1 200 OK\r\nConnection: upgrade, CLOSE\r\n\r\n",
                false,
            ),
            (
                "HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\n\r\n",
                false,
            ),
            ("HTTP/1.1 200 OK\r\nConnection: closed\r\n\r\n", true),
            ("HTTP/1.1 101 Switching\r\n\r\n", false),
        ] {
            let (parsed, ..) = parse(head).unwrap().unwrap();
            assert_eq!(parsed.keeps_alive, keeps_alive, "{head}");
        }
    }

    #[test]
    fn bodies_are_framed_as_rfc_9112_says() {
        let length = "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\ncontent-length: 5\r\n\r\n";
        assert_eq!(body_of(&Method::GET, length), Body::Length(5));
        assert_eq!(body_of(&Method::HEAD, length), Body::Length(0));
        assert_eq!(body_of(&Method::CONNECT, length), Body::Length(0));
        for status in [204, 304, 101, 100] {
            let head = format!("HTTP/1.1 {status} x\r\ncontent-length: wrong\r\n\r\n");
            assert_eq!(body_of(&Method::GET, &head), Body::Length(0));
        }
        let both =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: gzip, Chunked\r\n\r\n";
        assert_eq!(body_of(&Method::GET, both), Body::chunked());
        let odd = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n";
        assert_eq!(body_of(&Method::GET, odd), Body::UntilClose);
    }

    #[test]
    fn heads_that_contradict_themselves_are_refused() {
        for (field, told) in [
            ("content-length: 5, 6", "5, 6"),
            ("content-length: +5", "+5"),
            ("content-length: ", "\"\""),
            (
                "content-length: 18446744073709551616",
                "18446744073709551616",
            ),
            ("no colon", "malformed"),
        ] {
            let error = parse(&format!("HTTP/1.1 200 OK\r\n{field}\r\n\r\n")).unwrap_err();
            assert!(error.to_string().contains(told), "{error}");
        }
        let old = "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert!(matches!(parse(old), Err(ExchangeError::TransferEncoding)));
        assert!(matches!(
            parse("HTTP/1.1 099 x\r\n\r\n"),
            Err(ExchangeError::Status(99))
        ));
        let many = "a: b\r\n".repeat(MOST_FIELDS + 1);
        let error = parse(&format!("HTTP/1.1 200 OK\r\n{many}\r\n")).unwrap_err();
        assert!(error.to_string().contains("too many headers"), "{error}");
    }
}
