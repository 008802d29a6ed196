//! A floor server's answers against those of the server that it learned from.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use floor::{Memory, Protocol, Teacher};
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, combinators::UnsyncBoxBody};
use hyper::{
    body::{Body, Frame, Incoming, SizeHint},
    client::conn::http2,
    server::conn,
    service::service_fn,
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

type Boxed = UnsyncBoxBody<Bytes, Infallible>;

/// A body of several frames and trailers whose length nobody knows beforehand.
struct Stream(Vec<Frame<Bytes>>);

impl Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = (!self.0.is_empty()).then(|| Ok(self.0.remove(0)));
        std::task::Poll::Ready(next)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::default()
    }
}

async fn target_answer(request: Request<Incoming>) -> Response<Boxed> {
    let path = request.uri().path().to_owned();
    let asked = request.into_body().collect().await.unwrap().to_bytes();
    let mut response = if path == "/stream" {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from_static("0"));
        Response::new(
            Stream(vec![
                Frame::data(Bytes::from_static(b"first,")),
                Frame::data(asked),
                Frame::trailers(trailers),
            ])
            .boxed_unsync(),
        )
    } else {
        let mut response = Response::new(Full::new(asked).boxed_unsync());
        *response.status_mut() = StatusCode::CREATED;
        response
            .headers_mut()
            .insert("location", HeaderValue::from_static("/made/1"));
        response
    };
    response
        .headers_mut()
        .insert("content-type", HeaderValue::from_static("text/x-test"));
    response
}

/// A target that counts the requests it gets.
async fn start_target(protocol: Protocol) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let counter = Arc::clone(&counter);
            let service = service_fn(move |request| {
                counter.fetch_add(1, Ordering::Relaxed);
                async move { Ok::<_, Infallible>(target_answer(request).await) }
            });
            tokio::spawn(async move {
                let stream = TokioIo::new(stream);
                match protocol {
                    Protocol::Http1 => conn::http1::Builder::new()
                        .serve_connection(stream, service)
                        .await
                        .is_ok(),
                    Protocol::H2c => conn::http2::Builder::new(TokioExecutor::new())
                        .serve_connection(stream, service)
                        .await
                        .is_ok(),
                }
            });
        }
    });
    (address, asked)
}

async fn start_floor(protocol: Protocol, target: SocketAddr, answers: usize) -> SocketAddr {
    let teacher = Teacher::new(&format!("http://{target}"), protocol).unwrap();
    let memory: &'static Memory = Box::leak(Box::new(Memory::new(teacher, answers)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(floor::serve(listener, protocol, memory));
    address
}

/// Everything that comes back for one HTTP/1.1 request, with the date blanked.
async fn raw(address: SocketAddr, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: h\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
        .split_inclusive("\r\n")
        .map(|line| {
            if line.starts_with("date: ") {
                "date\r\n"
            } else {
                line
            }
        })
        .collect()
}

fn sorted_lines(answer: &str) -> Vec<&str> {
    let mut lines: Vec<_> = answer.split("\r\n").collect();
    lines.sort_unstable();
    lines
}

#[tokio::test]
async fn http1_answers_equal_the_targets_byte_for_byte_and_are_asked_for_once() {
    let (target, asked) = start_target(Protocol::Http1).await;
    let floor = start_floor(Protocol::Http1, target, 2).await;
    for path in ["/made", "/stream"] {
        let original = raw(target, path, "hello").await;
        let before = asked.load(Ordering::Relaxed);
        for _ in 0..3 {
            let replayed = raw(floor, path, "hello").await;
            assert_eq!(replayed.len(), original.len(), "{replayed}");
            assert_eq!(sorted_lines(&replayed), sorted_lines(&original));
        }
        assert_eq!(asked.load(Ordering::Relaxed), before + 1);
    }
}

#[tokio::test]
async fn a_path_beyond_the_expected_ones_gets_no_answer() {
    let (target, _) = start_target(Protocol::Http1).await;
    let floor = start_floor(Protocol::Http1, target, 1).await;
    assert!(
        raw(floor, "/made", "x")
            .await
            .starts_with("HTTP/1.1 201 Created")
    );
    assert_eq!(raw(floor, "/other", "x").await, "");
}

/// A status with headers, and the frames of its body, trailers last.
type Shown = (StatusCode, HeaderMap, Vec<String>);

async fn over_h2c(address: SocketAddr, path: &str) -> Result<Shown, hyper::Error> {
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (mut sender, connection) = http2::handshake(TokioExecutor::new(), stream).await?;
    tokio::spawn(connection);
    let request = Request::post(format!("http://{address}{path}"))
        .body(Full::new(Bytes::from_static(b"second")))
        .unwrap();
    let (mut head, mut body) = sender.send_request(request).await?.into_parts();
    head.headers.remove("date");
    let mut frames = Vec::new();
    while let Some(frame) = body.frame().await.transpose()? {
        frames.push(match frame.into_data() {
            Ok(data) => format!("{data:?}"),
            Err(trailers) => format!("{:?}", trailers.into_trailers().unwrap()),
        });
    }
    Ok((head.status, head.headers, frames))
}

#[tokio::test]
async fn h2c_answers_keep_frames_and_trailers() {
    let (target, asked) = start_target(Protocol::H2c).await;
    let floor = start_floor(Protocol::H2c, target, 1).await;
    let original = over_h2c(target, "/stream").await.unwrap();
    assert!(original.2.last().unwrap().contains("grpc-status"));
    for _ in 0..2 {
        assert_eq!(over_h2c(floor, "/stream").await.unwrap(), original);
    }
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let unknown = over_h2c(floor, "/made").await.unwrap_err();
    assert!(
        format!("{unknown:?}").contains("INTERNAL_ERROR"),
        "{unknown:?}"
    );
}
