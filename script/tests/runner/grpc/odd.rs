//! A gRPC server that echoes, or misbehaves as the metadata `x-do` says.

use std::{net::SocketAddr, sync::mpsc, thread, time::Duration};

use bytes::Bytes;
use h2::{
    Reason, RecvStream,
    server::{self, SendResponse},
};
use http::{HeaderMap, HeaderValue, Request, Response};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    runtime,
    sync::{oneshot, watch},
    task::LocalSet,
};

/// Ends with the value.
pub struct OddServer {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl OddServer {
    pub fn start() -> Self {
        let (stop, stopped) = oneshot::channel();
        let (started, address) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            LocalSet::new().block_on(&runtime, async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                started.send(listener.local_addr().unwrap()).unwrap();
                tokio::select! {
                    _ = stopped => {}
                    () = accept(listener) => {}
                }
            });
        });
        Self {
            address: address.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for OddServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}

async fn accept(listener: TcpListener) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        tokio::task::spawn_local(serve(stream));
    }
}

/// How a connection ends before its client wants it to.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Lives,
    GoesAway,
    Breaks,
}

/// Serves one connection.
pub async fn serve<S: AsyncRead + AsyncWrite + Unpin>(stream: S) {
    let Ok(mut connection) = server::handshake(stream).await else {
        return;
    };
    let (fate, mut fated) = watch::channel(Fate::Lives);
    loop {
        tokio::select! {
            request = connection.accept() => {
                let Some(Ok((request, respond))) = request else {
                    return;
                };
                let fate = fate.clone();
                tokio::task::spawn_local(answer(request, respond, fate));
            }
            Ok(()) = fated.changed() => match *fated.borrow() {
                Fate::Lives => {}
                Fate::GoesAway => connection.graceful_shutdown(),
                Fate::Breaks => return,
            }
        }
    }
}

async fn answer(
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    fate: watch::Sender<Fate>,
) {
    let (head, body) = request.into_parts();
    let wanted = head
        .headers
        .get("x-do")
        .map(|value| value.to_str().unwrap().to_owned());
    let wanted = wanted.unwrap_or_default();
    let (what, number) = wanted.split_once(':').unwrap_or((&wanted, ""));
    match what {
        "" if head.uri.path().ends_with("/Chat") => return chat(body, respond).await,
        "" | "twice" | "nothing" | "garbage" | "large" | "compressed" | "odd-flag" | "cut"
        | "no-trailers" | "status" | "details" | "headers" | "timeout" => {}
        "reset" => return respond.send_reset(Reason::from(number.parse::<u32>().unwrap())),
        "hang" => return hang(body, respond).await,
        "break" => {
            let _ = fate.send(Fate::Breaks);
            return std::future::pending().await;
        }
        "go-away" => {
            let _ = fate.send(Fate::GoesAway);
        }
        "http" => return http_status(&mut respond, number),
        other => panic!("{other:?}"),
    }
    // A refusal comes at once, whatever the client still wants to send.
    let mut frame = match what {
        "status" => Vec::new(),
        _ => read_all(body).await,
    };
    match what {
        "twice" => frame = [&frame[..], &frame[..]].concat(),
        "nothing" => frame.clear(),
        "garbage" => frame = vec![0, 0, 0, 0, 2, 0x72, 9],
        "compressed" => frame = vec![1, 0, 0, 0, 0],
        "odd-flag" => frame = vec![0x80, 0, 0, 0, 0],
        "cut" => frame = vec![0, 0, 0, 0, 9, 1],
        "large" => frame = large(number.parse().unwrap()),
        _ => {}
    }
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    match what {
        "status" => {
            trailers.insert("grpc-status", HeaderValue::try_from(number).unwrap());
            let text = HeaderValue::from_static("it%20went%20wr%C3%B6ng");
            trailers.insert("grpc-message", text);
        }
        "details" => details(&mut trailers, number),
        "headers" => {
            trailers.append("x-trailer", HeaderValue::from_static("a"));
            trailers.append("x-trailer", HeaderValue::from_static("b"));
        }
        _ => {}
    }
    let mut response = Response::builder().header("content-type", "application/grpc");
    if what == "headers" {
        for (name, value) in &head.headers {
            response = response.header(format!("echo-{name}"), value);
        }
    }
    if what == "timeout" {
        let seen = head.headers.get("grpc-timeout");
        let seen = seen.cloned().unwrap_or(HeaderValue::from_static("none"));
        response = response.header("echo-timeout", seen);
    }
    let mut stream = respond
        .send_response(response.body(()).unwrap(), false)
        .unwrap();
    let ends = what == "no-trailers";
    // The client may have gone away.
    let _ = stream.send_data(frame.into(), ends);
    if !ends {
        let _ = stream.send_trailers(trailers);
    }
}

/// Sends every piece back at once.
async fn chat(mut body: RecvStream, mut respond: SendResponse<Bytes>) {
    let head = Response::builder().header("content-type", "application/grpc");
    let mut stream = respond
        .send_response(head.body(()).unwrap(), false)
        .unwrap();
    while let Some(Ok(piece)) = body.data().await {
        let _ = body.flow_control().release_capacity(piece.len());
        if stream.send_data(piece, false).is_err() {
            return;
        }
    }
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    let _ = stream.send_trailers(trailers);
}

/// Never answers, but notices when nobody waits any more.
async fn hang(mut body: RecvStream, mut respond: SendResponse<Bytes>) {
    while let Some(Ok(_)) = body.data().await {}
    let gone = std::future::poll_fn(|cx| respond.poll_reset(cx));
    let _ = tokio::time::timeout(Duration::from_secs(30), gone).await;
}

fn http_status(respond: &mut SendResponse<Bytes>, number: &str) {
    let head = Response::builder()
        .status(number.parse::<u16>().unwrap())
        .header("content-type", "text/html");
    let mut stream = respond
        .send_response(head.body(()).unwrap(), false)
        .unwrap();
    let _ = stream.send_data(Bytes::from_static(b"<html>"), true);
}

/// A message whose string has so many bytes.
fn large(bytes: usize) -> Vec<u8> {
    let mut message = vec![0x72];
    prost::encoding::encode_varint(bytes as u64, &mut message);
    message.resize(message.len() + bytes, b'x');
    let length = u32::try_from(message.len()).unwrap();
    [&[0], &length.to_be_bytes()[..], &message].concat()
}

/// `google.rpc.Status` with a detail of the type that is named.
fn details(trailers: &mut HeaderMap, type_name: &str) {
    use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};
    use prost::Message;
    let detail = prost_types::Any {
        type_url: format!("type.googleapis.com/{type_name}"),
        // int32_value = 7 of Everything.
        value: vec![0x18, 7],
    };
    let mut status = vec![0x08, 9, 0x1a];
    detail.encode_length_delimited(&mut status).unwrap();
    let value = BASE64_STANDARD_NO_PAD.encode(status);
    trailers.insert("grpc-status", HeaderValue::from_static("9"));
    trailers.insert(
        "grpc-status-details-bin",
        HeaderValue::try_from(value).unwrap(),
    );
}

async fn read_all(mut body: RecvStream) -> Vec<u8> {
    let mut content = Vec::new();
    while let Some(Ok(piece)) = body.data().await {
        let _ = body.flow_control().release_capacity(piece.len());
        content.extend_from_slice(&piece);
    }
    content
}
