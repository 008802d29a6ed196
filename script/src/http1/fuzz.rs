//! Answers of every kind, cut anywhere, against hyper's client.
//!
//! `PROPTEST_CASES` sets the number of cases of each property; 256 when it is not set.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method};
use http_body_util::{BodyExt, Full};
use hyper::ext::ReasonPhrase;
use hyper_util::rt::TokioIo;
use proptest::{collection::vec, prelude::*, sample::Index};
use tokio::runtime;

use super::{
    Connection, ExchangeError, Request, body::Body, head::Head, last_head::LastHead, wire::Wire,
};

/// What a client makes of an answer.
#[derive(Debug, PartialEq)]
struct Read {
    status: u16,
    reason: Option<String>,
    headers: HeaderMap,
    body: Bytes,
}

async fn ours(wire: Wire, method: &Method) -> Result<(Read, bool), ExchangeError> {
    let mut connection = Connection::new(wire);
    let request = Request {
        method,
        head: b"GET / HTTP/1.1\r\n\r\n",
        body: &Bytes::new(),
        closes: false,
    };
    let head = connection.send(&request).await?;
    let body = connection.collect().await?;
    let fields = head.fields();
    let usual = http::StatusCode::from_u16(head.status).unwrap();
    let reason = Some(fields.reason).filter(|reason| usual.canonical_reason() != Some(reason));
    let read = Read {
        status: head.status,
        reason,
        headers: fields.headers,
        body,
    };
    Ok((read, connection.is_reusable()))
}

async fn hypers(wire: Wire, method: &Method) -> Result<Read, hyper::Error> {
    let io = TokioIo::new(wire);
    let (mut sender, driver) = hyper::client::conn::http1::handshake(io).await?;
    let mut request = http::Request::new(Full::new(Bytes::new()));
    *request.method_mut() = method.clone();
    if *method == Method::CONNECT {
        *request.uri_mut() = http::Uri::from_static("host:80");
    }
    let exchange = async {
        let (parts, body) = sender.send_request(request).await?.into_parts();
        let reason = parts.extensions.get::<ReasonPhrase>();
        let reason = reason.map(|reason| String::from_utf8_lossy(reason.as_bytes()).into_owned());
        Ok(Read {
            status: parts.status.as_u16(),
            reason,
            headers: parts.headers,
            body: body.collect().await?.to_bytes(),
        })
    };
    let (read, _) = tokio::join!(exchange, driver);
    read
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(future)
}

/// Cuts bytes at some places.
fn cut(bytes: &[u8], places: &[Index]) -> Vec<Vec<u8>> {
    let mut places: Vec<usize> = places.iter().map(|at| at.index(bytes.len() + 1)).collect();
    places.extend([0, bytes.len()]);
    places.sort_unstable();
    let pairs = places.windows(2);
    pairs.map(|pair| bytes[pair[0]..pair[1]].to_vec()).collect()
}

fn methods() -> impl Strategy<Value = Method> {
    prop_oneof![
        6 => Just(Method::GET),
        1 => Just(Method::HEAD),
        1 => Just(Method::CONNECT),
    ]
}

/// A line of a head, of the kinds that decide something and others.
fn fields() -> impl Strategy<Value = String> {
    prop_oneof![
        (0_u64..40).prop_map(|length| format!("Content-Length: {length}")),
        "content-length: [0-9 ,+]{0,12}",
        "Transfer-Encoding: (chunked|gzip, chunked|Chunked|chunked, gzip|x)",
        "Connection: (close|keep-alive|Close, x|upgrade|)",
        "[a-zA-Z-]{1,8}:[ \t]{0,2}[ -~]{0,12}",
        "(Set-Cookie|ETag|Location): [!-~]{0,8}",
        Just("Content-Length: 5".to_owned()),
        Just("Transfer-Encoding: chunked".to_owned()),
    ]
}

fn heads() -> impl Strategy<Value = String> {
    let statuses = prop_oneof![
        8 => Just(200_u16),
        1 => Just(100),
        1 => Just(101),
        1 => Just(204),
        1 => Just(304),
        2 => 0_u16..1000,
    ];
    let reasons = prop_oneof![Just(" OK"), Just(""), Just(" "), Just(" Odd one")];
    let ends = prop_oneof![5 => Just("\r\n"), 1 => Just("\n")];
    (0_u8..3, statuses, reasons, vec(fields(), 0..4), ends).prop_map(
        |(minor, status, reason, fields, end)| {
            let mut head = format!("HTTP/1.{} {status:03}{reason}{end}", minor.min(1));
            for field in fields {
                head.push_str(&field);
                head.push_str(end);
            }
            head + end
        },
    )
}

fn bodies() -> impl Strategy<Value = Vec<u8>> {
    let chunks = vec(
        (vec(any::<u8>(), 1..20), "(;[a-z=\"]{0,6})?|[ \t]{1,2}"),
        0..4,
    );
    let chunked = (chunks, "([a-z]{1,4}: [a-z]{0,4}\r\n){0,2}").prop_map(|(chunks, trailers)| {
        let mut body = Vec::new();
        for (data, extension) in chunks {
            body.extend(format!("{:X}{extension}\r\n", data.len()).into_bytes());
            body.extend(data);
            body.extend(b"\r\n");
        }
        body.extend(format!("0\r\n{trailers}\r\n").into_bytes());
        body
    });
    prop_oneof![
        2 => chunked,
        2 => Just(b"hello".to_vec()),
        1 => vec(any::<u8>(), 0..60),
    ]
}

/// Bytes that begin like an answer, some of them damaged.
fn answers() -> impl Strategy<Value = Vec<u8>> {
    let parts = (vec(heads(), 1..3), bodies());
    let damage = vec((any::<Index>(), any::<u8>()), 0..3);
    let is_damaged = prop::bool::weighted(0.4);
    (parts, damage, is_damaged).prop_map(|((heads, body), damage, is_damaged)| {
        // Most have one head; a second one is the body of the first, unless that is informational.
        let mut bytes = heads.concat().into_bytes();
        bytes.extend(body);
        if is_damaged {
            for (place, byte) in damage {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
        }
        bytes
    })
}

proptest! {
    /// Where hyper reads an answer, so do we, and the same.
    #[test]
    fn hyper_reads_the_same(
        bytes in answers(),
        method in methods(),
        places in vec(any::<Index>(), 0..5),
    ) {
        let hypers = block_on(hypers(Wire::new(cut(&bytes, &places)), &method));
        let ours = block_on(ours(Wire::new(cut(&bytes, &places)), &method));
        if let Ok(hypers) = hypers {
            let (ours, _) = ours.map_err(|error| {
                TestCaseError::fail(format!("{error} instead of {hypers:?}"))
            })?;
            prop_assert_eq!(ours, hypers);
        }
    }

    /// How an answer is cut makes no difference.
    #[test]
    fn cuts_change_nothing(
        bytes in answers(),
        method in methods(),
        places in vec(any::<Index>(), 0..8),
    ) {
        let whole = block_on(ours(Wire::new([bytes.clone()]), &method));
        let parts = block_on(ours(Wire::new(cut(&bytes, &places)), &method));
        match (whole, parts) {
            (Ok((whole, _)), Ok((parts, _))) => prop_assert_eq!(whole, parts),
            (Err(_), Err(_)) => {}
            (whole, parts) => prop_assert!(false, "{whole:?} is not {parts:?}"),
        }
    }

    /// A head means the same whatever head came before it on the connection.
    #[test]
    fn the_last_head_changes_nothing(
        first in answers(),
        values in vec((any::<Index>(), "[ -~\t\r\n\u{7f}\u{e4}]{0,3}"), 0..3),
        method in methods(),
    ) {
        let mut second = first.clone();
        for (place, value) in values {
            let place = place.index(second.len() + 1);
            let end = (place + 1).min(second.len());
            second.splice(place..end, value.into_bytes());
        }
        let mut last = LastHead::default();
        let _ = last.parse(&first, &method);
        let known = format!("{:?}", last.parse(&second, &method));
        let read = format!("{:?}", Head::parse(&second, &method));
        prop_assert_eq!(known, read);
    }

    /// Noise is an error or an answer, never a panic; and nothing is left when the answer says that
    /// the connection goes on.
    #[test]
    fn noise_ends(bytes in vec(any::<u8>(), 0..300), places in vec(any::<Index>(), 0..8)) {
        let _ = block_on(ours(Wire::new(cut(&bytes, &places)), &Method::GET));
        let _ = Head::parse(&bytes, &Method::GET);
    }

    /// An announced length takes no memory before the bytes are there.
    #[test]
    fn memory_is_taken_for_what_came_alone(length in 100_u64.., bytes in vec(any::<u8>(), 0..99)) {
        for mut body in [Body::Length(length), Body::chunked()] {
            let prefix = match body {
                Body::Length(_) => String::new(),
                _ => format!("{length:x}\r\n"),
            };
            let mut input = BytesMut::from([prefix.as_bytes(), &bytes].concat().as_slice());
            let mut output = BytesMut::new();
            prop_assert!(body.whole(&mut input).is_none());
            prop_assert!(!body.decode(&mut input, &mut output).unwrap());
            prop_assert_eq!(&output[..], &bytes[..]);
            prop_assert!(output.capacity() <= 256, "{}", output.capacity());
        }
    }
}
