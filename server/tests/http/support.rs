//! A server to ask, by call or by socket.

use std::net::SocketAddr;

use axum::{Router, body::Body};
use bookstore_server::{Addresses, App, BuildFacts, Server, ServerConfig};
use clap::Parser;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
};
use tower::ServiceExt;

pub const BUILD: BuildFacts = BuildFacts {
    version: "1.2.3",
    git_revision: Some("abcdef012345"),
    build_profile: "debug",
    allocator: "system",
};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

/// The settings of a command line; free ports unless it says otherwise.
pub fn config(arguments: &[&str]) -> ServerConfig {
    let free_ports = ["serve", "--http-port=0", "--h2c-port=0", "--workers=1"];
    let mut command_line = free_ports.to_vec();
    command_line.retain(|free| {
        let flag = free.split('=').next().unwrap();
        !arguments.iter().any(|given| given.starts_with(flag))
    });
    command_line.extend(arguments);
    Command::try_parse_from(command_line).unwrap().server
}

pub fn app(arguments: &[&str]) -> App {
    bookstore_server::app(&config(arguments), BUILD)
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

/// Calls the routes without a socket.
pub async fn call(router: &Router, request: Request<Body>) -> Answer {
    let (head, body) = router.clone().oneshot(request).await.unwrap().into_parts();
    Answer {
        status: head.status,
        headers: head.headers,
        body: body.collect().await.unwrap().to_bytes().to_vec(),
    }
}

pub async fn get(router: &Router, path: &str) -> Answer {
    call(router, Request::get(path).body(Body::empty()).unwrap()).await
}

pub async fn post_order(router: &Router, body: impl Into<Body>) -> Answer {
    let request = Request::post("/api/reservations").header("content-type", "application/json");
    call(router, request.body(body.into()).unwrap()).await
}

/// An order for one copy of each of the first `lines` books.
pub fn order_json(lines: usize) -> String {
    let lines: Vec<String> = (1..=lines)
        .map(|id| format!(r#"{{"isbn":"97800000{id:05}","quantity":1}}"#))
        .collect();
    format!(r#"{{"orderId":"ord-1","lines":[{}]}}"#, lines.join(","))
}

/// A server with sockets, running in the background.
pub struct Running {
    pub addresses: Addresses,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    pub async fn start(arguments: &[&str]) -> Self {
        let server = Server::bind(&config(arguments), BUILD).await.unwrap();
        let (stop, stopped) = oneshot::channel();
        Self {
            addresses: server.addresses(),
            stop,
            server: tokio::spawn(server.run(async {
                stopped.await.unwrap();
            })),
        }
    }

    /// Asks it to stop; what is returned ends when the server has.
    pub fn stop(self) -> JoinHandle<()> {
        self.stop.send(()).unwrap();
        self.server
    }

    /// Fails unless a fresh connection is answered.
    pub async fn assert_serving(&self) {
        let reply = exchange(
            self.addresses.http1,
            b"GET /api/books/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        )
        .await;
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
    }
}

/// Sends these bytes and returns all that comes back until the server closes.
pub async fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply).await.unwrap();
    String::from_utf8(reply).unwrap()
}

/// Reads until what was read contains `end`.
pub async fn read_until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = String::new();
    while !text.contains(end) {
        let mut piece = [0; 4_096];
        let length = stream.read(&mut piece).await.unwrap();
        assert!(length > 0, "closed after {text:?}");
        text.push_str(std::str::from_utf8(&piece[..length]).unwrap());
    }
    text
}
