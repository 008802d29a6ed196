//! A server over real sockets, and raw clients of its streams.

use std::net::SocketAddr;

use bookstore_proto::v1::{StockEvent, StockEventKind, WatchEventsRequest};
use bookstore_server::{BuildFacts, Server, ServerConfig};
use bytes::Bytes;
use clap::Parser as _;
use futures_util::{SinkExt as _, StreamExt as _};
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message as _;
use serde_json::{Value, json};
use tokio::{net::TcpStream, sync::oneshot, task::JoinHandle};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Message, client::IntoClientRequest as _},
};

pub const SUBSCRIPTION: &str = include_str!("../../../k6/lib/documents/events.graphql");

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

/// A server that ends with the test's runtime.
pub struct Peer {
    pub http1: SocketAddr,
    pub h2c: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

/// An event as every style says it: id, book, kind, copies, seconds since 1970.
pub type Seen = (i64, i64, String, i64, i64);

pub type Socket = WebSocketStream<TcpStream>;

impl Peer {
    pub async fn start() -> Self {
        let arguments = [
            "serve",
            "--http-port=0",
            "--h2c-port=0",
            "--shutdown-grace=5",
        ];
        let config = Command::try_parse_from(arguments).unwrap().server;
        let build = BuildFacts {
            version: "1.2.3",
            git_revision: None,
            build_profile: "debug",
            allocator: "system",
        };
        let server = Server::bind(&config, build).await.unwrap();
        let addresses = server.addresses();
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self {
            http1: addresses.http1,
            h2c: addresses.h2c,
            stop,
            server,
        }
    }

    /// Asks the server to stop and waits until it has.
    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.server.await.unwrap();
    }

    /// The head of an answer over HTTP/1.1, on a connection of its own that ends with the body.
    pub async fn http1(&self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        let stream = TcpStream::connect(self.http1).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .unwrap();
        tokio::spawn(connection);
        sender.send_request(request).await.unwrap()
    }

    /// The same over HTTP/2.
    pub async fn h2c(&self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        let stream = TcpStream::connect(self.h2c).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                .await
                .unwrap();
        tokio::spawn(connection);
        sender.send_request(request).await.unwrap()
    }

    /// A WebSocket whose conversation has begun.
    pub async fn web_socket(&self) -> Socket {
        let mut socket = self.bare_web_socket("graphql-transport-ws").await.unwrap();
        say(&mut socket, &json!({ "type": "connection_init" })).await;
        assert_eq!(
            heard(&mut socket).await,
            json!({ "type": "connection_ack" })
        );
        socket
    }

    pub async fn bare_web_socket(
        &self,
        protocol: &'static str,
    ) -> Result<Socket, tokio_tungstenite::tungstenite::Error> {
        let stream = TcpStream::connect(self.http1).await.unwrap();
        let mut request = format!("ws://{}/graphql", self.http1).into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("sec-websocket-protocol", protocol.try_into().unwrap());
        let (socket, _) = tokio_tungstenite::client_async(request, stream).await?;
        Ok(socket)
    }

    /// A figure of `GET /metrics`.
    pub async fn metric(&self, name: &str) -> u64 {
        let answer = self.http1(get("/metrics")).await;
        let text = answer.into_body().collect().await.unwrap().to_bytes();
        let text = std::str::from_utf8(&text).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().parse().unwrap()
    }
}

pub async fn say(socket: &mut Socket, message: &Value) {
    socket
        .send(Message::text(message.to_string()))
        .await
        .unwrap();
}

pub async fn heard(socket: &mut Socket) -> Value {
    let message = socket.next().await.unwrap().unwrap();
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

pub fn get(path: &str) -> Request<Full<Bytes>> {
    let request = Request::get(path).header("host", "bookstore.test");
    request.body(Full::default()).unwrap()
}

pub fn subscription(count: i32) -> Value {
    json!({ "query": SUBSCRIPTION, "variables": { "count": count } })
}

/// A subscription by server-sent events.
pub fn graphql_sse(body: &Value) -> Request<Full<Bytes>> {
    Request::post("/graphql")
        .header("host", "bookstore.test")
        .header("content-type", "application/json")
        .header("accept", "text/event-stream")
        .body(Full::from(body.to_string()))
        .unwrap()
}

fn framed(count: i32) -> Full<Bytes> {
    let message = WatchEventsRequest { count }.encode_to_vec();
    let mut body = vec![0, 0, 0, 0, u8::try_from(message.len()).unwrap()];
    body.extend(message);
    Full::from(body)
}

const WATCH: &str = "/bookstore.bench.v1.EventService/WatchEvents";

pub fn grpc(count: i32) -> Request<Full<Bytes>> {
    Request::post(format!("http://bookstore.test{WATCH}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .body(framed(count))
        .unwrap()
}

pub fn grpc_web(count: i32) -> Request<Full<Bytes>> {
    Request::post(WATCH)
        .header("host", "bookstore.test")
        .header("content-type", "application/grpc-web+proto")
        .header("x-grpc-web", "1")
        .body(framed(count))
        .unwrap()
}

/// Splits gRPC's frames; those of gRPC-Web's trailers are left out.
pub fn of_frames(mut body: &[u8]) -> Vec<Seen> {
    let mut seen = Vec::new();
    while !body.is_empty() {
        let length = u32::from_be_bytes(body[1..5].try_into().unwrap());
        let (frame, rest) = body[5..].split_at(usize::try_from(length).unwrap());
        if body[0] == 0 {
            seen.push(of_message(&StockEvent::decode(frame).unwrap()));
        }
        body = rest;
    }
    seen
}

fn of_message(event: &StockEvent) -> Seen {
    let kind = event.kind().as_str_name();
    assert_ne!(event.kind(), StockEventKind::Unspecified);
    (
        event.id.into(),
        event.book_id.into(),
        kind.trim_start_matches("STOCK_EVENT_KIND_").to_owned(),
        event.amount.into(),
        event.at.unwrap().seconds,
    )
}

pub fn of_json(event: &Value) -> Seen {
    let number = |name: &str| event[name].as_i64().unwrap();
    let at: jiff::Timestamp = event["at"].as_str().unwrap().parse().unwrap();
    (
        number("id"),
        number("bookId"),
        event["kind"].as_str().unwrap().to_owned(),
        number("amount"),
        at.as_second(),
    )
}

/// The data of server-sent events, each with the type of the event.
pub fn of_events(body: &str) -> Vec<(String, String)> {
    let of_block = |block: &str| {
        let field = |name: &str| {
            let mut lines = block.lines();
            let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            value.unwrap_or_default().trim().to_owned()
        };
        (field("event"), field("data"))
    };
    body.split_terminator("\n\n").map(of_block).collect()
}
