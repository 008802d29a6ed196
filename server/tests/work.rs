//! Work behind two hops whose caller gives up.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{net::SocketAddr, time::Duration};

use bookstore_proto::v1::{WorkReply, WorkRequest};
use bookstore_server::{BuildFacts, Server, ServerConfig};
use bytes::Bytes;
use clap::Parser as _;
use http::{HeaderMap, Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message as _;
use tokio::{
    net::TcpStream,
    time::{sleep, timeout},
};

#[derive(clap::Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

/// A server that ends with the test's runtime.
struct Peer {
    http1: SocketAddr,
    h2c: SocketAddr,
}

impl Peer {
    async fn start(relayed_work: &str) -> Self {
        let switch = format!("--relayed-work={relayed_work}");
        let arguments = ["serve", "--http-port=0", "--h2c-port=0", &switch];
        let config = Command::try_parse_from(arguments).unwrap().server;
        let build = BuildFacts {
            version: "1.2.3",
            git_revision: None,
            build_profile: "debug",
            allocator: "system",
        };
        let server = Server::bind(&config, build).await.unwrap();
        let addresses = server.addresses();
        tokio::spawn(server.run(std::future::pending()));
        Self {
            http1: addresses.http1,
            h2c: addresses.h2c,
        }
    }

    async fn get(&self, path: &str) -> Response<Incoming> {
        let stream = TcpStream::connect(self.http1).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .unwrap();
        tokio::spawn(connection);
        let request = Request::get(path).header("host", "bookstore.test");
        let request = request.body(Full::<Bytes>::default()).unwrap();
        sender.send_request(request).await.unwrap()
    }

    /// A call of `WorkService`; the head of its answer, its body and its trailers.
    async fn call(&self, method: &str, ms: i32, timeout: Option<&str>) -> (HeaderMap, Bytes) {
        let message = WorkRequest { duration_ms: ms }.encode_to_vec();
        let mut body = vec![0, 0, 0, 0, u8::try_from(message.len()).unwrap()];
        body.extend(message);
        let uri = format!("http://bookstore.test/bookstore.bench.v1.WorkService/{method}");
        let mut request = Request::post(uri)
            .header("content-type", "application/grpc")
            .header("te", "trailers");
        if let Some(timeout) = timeout {
            request = request.header("grpc-timeout", timeout);
        }
        let stream = TcpStream::connect(self.h2c).await.unwrap();
        let (mut sender, connection) =
            hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                .await
                .unwrap();
        tokio::spawn(connection);
        let request = request.body(Full::new(Bytes::from(body))).unwrap();
        let (head, body) = sender.send_request(request).await.unwrap().into_parts();
        let body = body.collect().await.unwrap();
        let mut headers = head.headers;
        headers.extend(body.trailers().cloned().unwrap_or_default());
        (headers, body.to_bytes())
    }

    async fn account(&self, name: &str) -> f64 {
        let answer = self.get("/metrics/work").await;
        let text = answer.into_body().collect().await.unwrap().to_bytes();
        let text = std::str::from_utf8(&text).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().trim().parse().unwrap()
    }

    /// The time is a bound for a test that fails; one that passes does not wait for it.
    async fn is_idle(&self) {
        let idle = async {
            while self.account("work_running ").await > 0.0 {
                sleep(Duration::from_millis(5)).await;
            }
        };
        assert!(timeout(Duration::from_mins(1), idle).await.is_ok());
    }
}

#[tokio::test]
async fn work_is_done_in_front_and_behind_in_both_styles() {
    let peer = Peer::start("on").await;
    for path in ["/api/work?ms=10", "/api/work/relayed?ms=10"] {
        let answer = peer.get(path).await;
        assert_eq!(answer.status(), 200, "{path}");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(body.starts_with(br#"{"cpuUs":"#), "{body:?}");
    }
    for method in ["DoWork", "RelayWork"] {
        let (headers, body) = peer.call(method, 10, None).await;
        assert_eq!(headers["grpc-status"], "0", "{method}");
        assert!(WorkReply::decode(&body[5..]).unwrap().cpu_us >= 1_000);
    }
    let begun = peer.account("work_begun_total ").await;
    assert!((3.5..4.5).contains(&begun), "{begun}");
}

/// All of a second's work burns 100 ms, so a call that was cut burns less than half of it.
#[tokio::test]
async fn work_behind_both_hops_ends_at_the_deadline() {
    let peer = Peer::start("on").await;
    let (headers, _) = peer.call("RelayWork", 1_000, Some("10m")).await;
    assert_eq!(headers["grpc-status"], "4");
    peer.is_idle().await;
    let cpu_s = peer.account("work_cpu_seconds_total ").await;
    assert!(cpu_s < 0.05, "{cpu_s}");
}

#[tokio::test]
async fn work_behind_both_hops_ends_when_a_rest_caller_closes_its_connection() {
    let peer = Peer::start("on").await;
    let asked = peer.get("/api/work/relayed?ms=1000");
    let begun = async {
        while peer.account("work_running ").await < 1.0 {
            sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::select! {
        _ = asked => panic!("the work takes a second"),
        () = begun => {}
    }
    peer.is_idle().await;
    let cpu_s = peer.account("work_cpu_seconds_total ").await;
    assert!(cpu_s < 0.1, "{cpu_s}");
}

#[tokio::test]
async fn work_that_cannot_be_is_refused_with_its_value() {
    let peer = Peer::start("on").await;
    for (path, status, named) in [
        ("/api/work?ms=0", 422, "0 ms"),
        ("/api/work/relayed?ms=1001", 422, "1001 ms"),
        ("/api/work?ms=long", 400, "ms=long"),
        ("/api/work/relayed", 400, "send ms=N"),
    ] {
        let answer = peer.get(path).await;
        assert_eq!(answer.status(), status, "{path}");
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&body).contains(named), "{body:?}");
    }
    for method in ["DoWork", "RelayWork"] {
        let (headers, _) = peer.call(method, 1_001, None).await;
        assert_eq!(headers["grpc-status"], "3");
    }
}

#[tokio::test]
async fn nothing_of_it_is_served_unless_asked_for() {
    let peer = Peer::start("off").await;
    for path in ["/api/work?ms=1", "/api/work/relayed?ms=1", "/metrics/work"] {
        assert_eq!(peer.get(path).await.status(), 404, "{path}");
    }
    let (headers, _) = peer.call("DoWork", 1, None).await;
    assert_eq!(headers["grpc-status"], "12");
}
