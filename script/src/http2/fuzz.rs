//! Exchanges of every kind, cut anywhere, against the `h2` crate; and what no server should send.
//!
//! `PROPTEST_CASES` sets the number of cases of each property; 256 when it is not set.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Instant,
};

use bytes::{Bytes, BytesMut};
use futures_util::future::{join, join_all};
use h2::server;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use proptest::{collection::vec, prelude::*};
use tokio::{
    io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex},
    runtime,
};

use super::{
    Connection, Failure, Field,
    state::{Room, State},
};

/// What crosses the connection in one exchange.
#[derive(Clone, Debug, Default)]
struct Planned {
    request: Vec<(String, Vec<u8>)>,
    sent: Vec<Vec<u8>>,
    answer: Vec<(String, Vec<u8>)>,
    received: Vec<Vec<u8>>,
    trailers: Option<Vec<(String, Vec<u8>)>>,
}

/// What a side saw of it.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    headers: HeaderMap,
    body: Vec<u8>,
    trailers: HeaderMap,
}

fn map(fields: &[(String, Vec<u8>)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in fields {
        let name = HeaderName::try_from(name).unwrap();
        headers.append(name, HeaderValue::from_bytes(value).unwrap());
    }
    headers
}

fn fields() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let names = prop_oneof![
        "(content-type|user-agent|authorization|set-cookie|date|x-a|x-b)",
        "x-[a-z0-9_.~-]{0,12}",
    ];
    let values = prop_oneof![
        Just(b"same".to_vec()),
        "[!-~]{0,20}".prop_map(String::into_bytes),
        vec(prop_oneof![0x21..0x7f_u8, 0x80..=0xff_u8], 0..300),
    ];
    vec((names, values), 0..6)
}

fn bodies() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(
        prop_oneof![
            9 => vec(any::<u8>(), 0..40),
            1 => (0_usize..80_000).prop_map(|length| vec![7; length]),
        ],
        0..3,
    )
}

fn exchanges() -> impl Strategy<Value = Planned> {
    (
        fields(),
        bodies(),
        fields(),
        bodies(),
        prop::option::of(fields()),
    )
        .prop_map(|(request, sent, answer, received, trailers)| Planned {
            request,
            sent,
            answer,
            received,
            trailers,
        })
}

/// A stream that gives few bytes at a time.
struct Slow {
    stream: DuplexStream,
    most: usize,
}

impl AsyncRead for Slow {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let mut bytes = vec![0; self.most.min(buffer.remaining())];
        let mut few = ReadBuf::new(&mut bytes);
        let polled = Pin::new(&mut self.stream).poll_read(cx, &mut few);
        buffer.put_slice(few.filled());
        polled
    }
}

impl AsyncWrite for Slow {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let length = bytes.len().min(self.most);
        Pin::new(&mut self.stream).poll_write(cx, &bytes[..length])
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Makes one exchange and tells what came.
async fn ask(connection: Rc<Connection<Slow>>, nth: usize, planned: &Planned) -> Seen {
    let path = format!("/{nth}");
    let headers = map(&planned.request);
    let mut fields: Vec<Field<'_>> = vec![
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":authority", b"host:80"),
        (b":path", path.as_bytes()),
    ];
    let own = headers.iter();
    fields.extend(own.map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes())));
    let exchange = connection.begin(Instant::now(), &fields).await.unwrap();
    for piece in &planned.sent {
        exchange.send(Bytes::copy_from_slice(piece), false);
    }
    exchange.send(Bytes::new(), true);
    let mut seen = Seen {
        headers: (*exchange.head().await.unwrap().headers).clone(),
        ..Seen::default()
    };
    while let Some(piece) = exchange.piece().await.unwrap() {
        seen.body.extend_from_slice(&piece);
    }
    if let Some(trailers) = exchange.trailers() {
        seen.trailers = (*trailers.headers).clone();
    }
    seen
}

/// Answers everything as planned, and tells what was asked.
async fn serve(stream: DuplexStream, most: u32, planned: &[Planned]) -> Vec<Seen> {
    let mut builder = server::Builder::new();
    builder.initial_window_size(most).max_concurrent_streams(3);
    let mut connection = builder.handshake::<_, Bytes>(stream).await.unwrap();
    let mut answers = tokio::task::JoinSet::new();
    while let Some(accepted) = connection.accept().await {
        let (request, mut respond) = accepted.unwrap();
        let (head, mut body) = request.into_parts();
        let nth: usize = head.uri.path()[1..].parse().unwrap();
        let planned = planned[nth].clone();
        answers.spawn_local(async move {
            let mut seen = Seen {
                headers: head.headers,
                ..Seen::default()
            };
            while let Some(piece) = body.data().await {
                let piece = piece.unwrap();
                body.flow_control().release_capacity(piece.len()).unwrap();
                seen.body.extend_from_slice(&piece);
            }
            let mut response = Response::new(());
            *response.headers_mut() = map(&planned.answer);
            let mut stream = respond.send_response(response, false).unwrap();
            for piece in planned.received {
                stream.send_data(piece.into(), false).unwrap();
            }
            match planned.trailers {
                Some(trailers) => stream.send_trailers(map(&trailers)).unwrap(),
                None => stream.send_data(Bytes::new(), true).unwrap(),
            }
            (nth, seen)
        });
    }
    let mut all = answers.join_all().await;
    all.sort_by_key(|(nth, _)| *nth);
    all.into_iter().map(|(_, seen)| seen).collect()
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, future)
}

proptest! {
    /// Several rounds of exchanges at once: what one side sends is what the other sees.
    #[test]
    fn both_sides_see_what_the_other_sent(
        rounds in vec(vec(exchanges(), 1..5), 1..4),
        most in prop_oneof![1_usize..100, Just(70_000)],
        window in prop_oneof![1_u32..1000, Just(65_535), Just(1 << 20)],
    ) {
        // The server's settings come with the answer to the first.
        let rounds = [vec![vec![Planned::default()]], rounds].concat();
        let planned: Vec<Planned> = rounds.concat();
        let (ours, theirs) = duplex(1 << 12);
        let asking = async {
            let connection = Connection::new(Slow { stream: ours, most });
            connection.drive_once().await;
            let mut seen = Vec::new();
            for round in &rounds {
                let first = seen.len();
                let asked = round.iter().enumerate();
                let asked = asked.map(|(nth, planned)| {
                    ask(Rc::clone(&connection), first + nth, planned)
                });
                seen.extend(join_all(asked).await);
            }
            connection.close().await;
            seen
        };
        let (answers, requests) = block_on(join(asking, serve(theirs, window, &planned)));
        for ((answer, request), planned) in answers.iter().zip(&requests).zip(&planned) {
            prop_assert_eq!(&request.headers, &map(&planned.request));
            prop_assert_eq!(&request.body, &planned.sent.concat());
            prop_assert_eq!(&answer.headers, &map(&planned.answer));
            prop_assert_eq!(&answer.body, &planned.received.concat());
            let trailers = planned.trailers.as_deref().map(map).unwrap_or_default();
            prop_assert_eq!(&answer.trailers, &trailers);
        }
        prop_assert_eq!((answers.len(), requests.len()), (planned.len(), planned.len()));
    }

    /// Frames of every type with anything in them end with an answer or a failure, and the memory for
    /// what is to be written stays small.
    #[test]
    fn any_frames_are_taken_or_refused(
        frames in vec((0_u8..11, any::<u8>(), 0_u32..6, vec(any::<u8>(), 0..40)), 0..60),
        cut in 1_usize..50,
    ) {
        let mut state = State::default();
        let ids = [state.begin(&[(b":path", b"/")]), state.begin(&[])];
        let mut bytes = Vec::new();
        for (kind, flags, stream, content) in frames {
            super::frame::put(&mut bytes, kind, flags, stream, &content);
        }
        let mut incoming = BytesMut::new();
        let mut result = Ok(());
        for piece in bytes.chunks(cut) {
            incoming.extend_from_slice(piece);
            result = state.receive(&mut incoming);
            if result.is_err() {
                break;
            }
        }
        if let Err(failure) = result {
            prop_assert!(matches!(failure, Failure::Violation(..)), "{failure:?}");
            state.fail(&failure);
            prop_assert_eq!(state.room(), Room::Never);
            for id in ids {
                while let Some(Ok(Some(_))) = state.take_piece(id) {}
                prop_assert!(state.take_piece(id).is_some());
            }
        }
        prop_assert!(state.out.len() < 100_000);
    }
}

fn received(frames: &[(u8, u8, u32, &[u8])]) -> (State, Result<(), Failure>) {
    let mut state = State::default();
    state.begin(&[(b":path", b"/")]);
    state.out.clear();
    let mut bytes = Vec::new();
    for (kind, flags, stream, content) in frames {
        super::frame::put(&mut bytes, *kind, *flags, *stream, content);
    }
    let result = state.receive(&mut BytesMut::from(&bytes[..]));
    (state, result)
}

#[test]
fn what_breaks_the_connection_is_named() {
    // A head that says 200, with one more header.
    let head = &[0x88, 0x40, 1, b'a', 1, b'b'][..];
    for (frames, expected) in [
        (&[(0, 0, 2, &b"x"[..])][..], "no such stream"),
        (&[(0, 0, 3, b"x")], "no such stream"),
        (&[(1, 0, 1, head), (0, 0, 1, b"")], "interrupted"),
        (&[(9, 4, 1, head)], "interrupted"),
        (&[(1, 0, 1, head), (9, 0, 1, b"")], "does not end"),
        (&[(1, 4, 1, &[0xff, 0xff, 1])], "cannot be read"),
        (&[(4, 0, 0, &[0; 5])], "wrong length"),
        (&[(4, 0, 0, &[0, 4, 0xff, 0, 0, 0])], "too large"),
        (&[(4, 0, 0, &[0, 5, 0, 0, 0, 1])], "impossible"),
        (&[(4, 0, 1, b"")], "no such stream"),
        (&[(5, 4, 1, &[0; 9])], "pushes"),
        (&[(6, 0, 0, b"")], "wrong length"),
        (&[(8, 0, 0, &[0; 4])], "by nothing"),
        (&[(8, 0, 0, &[0x7f, 0xff, 0xff, 0xff])], "too large"),
    ] {
        let failure = received(frames).1.unwrap_err();
        let text = failure.to_string();
        assert!(text.contains(expected), "{frames:?}: {text}");
    }
    let asks: Vec<(u8, u8, u32, &[u8])> = vec![(6, 0, 0, &[0; 8]); 4000];
    let (state, result) = received(&asks);
    assert!(result.unwrap_err().to_string().contains("asks too much"));
    assert!(state.out.len() < 100_000);
}

#[test]
fn an_answer_that_breaks_the_rules_is_reset_and_the_connection_stays() {
    let status = &[0x88][..];
    let upper = &[0x88, 0x40, 1, b'A', 1, b'b'][..];
    let connection = [&[0x88, 0x40, 10], &b"connection"[..], &[1, b'x']].concat();
    for (frames, expected) in [
        (&[(0, 1, 1, &b"x"[..])][..], "before its head"),
        (&[(1, 4, 1, upper)], "malformed"),
        (&[(1, 4, 1, &connection)], "malformed"),
        (&[(1, 4, 1, b"")], "no status"),
        (&[(1, 4, 1, status), (1, 5, 1, status)], "two heads"),
        (&[(1, 4, 1, status), (1, 4, 1, b"")], "after the trailers"),
        (&[(8, 0, 1, &[0; 4])], "by nothing"),
    ] {
        let (mut state, result) = received(frames);
        result.unwrap();
        let _ = state.take_head(1).filter(Result::is_ok);
        let failure = state.take_piece(1).unwrap().unwrap_err();
        let text = failure.to_string();
        assert!(text.contains(expected), "{frames:?}: {text}");
        assert_eq!(state.out[3], 3, "RST_STREAM");
        assert_eq!(state.room(), Room::Now);
    }
}

#[test]
fn an_answer_given_up_is_reset_once() {
    let (mut state, _) = received(&[(1, 4, 1, &[0x88])]);
    state.forget(1);
    assert_eq!((state.out.len(), state.out[3], state.out[12]), (13, 3, 8));
    // What still comes of it is taken and means nothing.
    let mut late = Vec::new();
    super::frame::put(&mut late, 0, 1, 1, b"late");
    state.receive(&mut BytesMut::from(&late[..])).unwrap();
    assert_eq!(state.out.len(), 13);
    // Nor is one that is over.
    let (mut over, _) = received(&[(1, 5, 1, &[0x88])]);
    over.send(1, Bytes::from_static(b"x"), true);
    over.out.clear();
    over.forget(1);
    assert!(over.out.is_empty());
}

#[test]
fn streams_that_the_server_has_not_seen_fail_when_it_goes_away() {
    let (mut state, result) = received(&[(1, 4, 1, &[0x88]), (7, 0, 0, &[0; 8])]);
    result.unwrap();
    assert!(state.take_head(1).unwrap().is_ok());
    assert!(matches!(
        state.take_piece(1),
        Some(Err(Failure::GoneAway(_)))
    ));
    assert_eq!(state.room(), Room::Never);
}

#[test]
fn a_server_that_takes_one_stream_at_once_is_waited_for() {
    let (mut state, result) = received(&[(4, 0, 0, &[0, 3, 0, 0, 0, 1])]);
    result.unwrap();
    assert_eq!(state.room(), Room::Later);
    state.forget(1);
    assert_eq!(state.room(), Room::Now);
}
