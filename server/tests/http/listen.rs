//! Ports, protocols and an orderly end.

use std::net::{Ipv4Addr, TcpListener};

use axum::body::Body;
use bookstore_server::{ServeError, Server};
use http::{Request, Version};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::support::{BUILD, Running, config, exchange, order_json, read_until};

#[tokio::test]
async fn port_0_becomes_a_real_port() {
    let server = Running::start(&[]).await;
    let addresses = server.addresses;
    assert_ne!(addresses.http1.port(), 0);
    assert_ne!(addresses.h2c.port(), 0);
    assert_ne!(addresses.http1, addresses.h2c);
    assert_eq!(addresses.http1.ip(), Ipv4Addr::LOCALHOST);
    server.assert_serving().await;
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_taken_port_is_named_with_the_flag_to_change() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    for flag in ["--http-port", "--h2c-port"] {
        let config = config(&[&format!("{flag}={port}")]);
        let error = Server::bind(&config, BUILD).await.unwrap_err();
        assert!(matches!(error, ServeError::PortTaken { .. }), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains(&port.to_string()) && message.contains(flag),
            "{message}"
        );
    }
}

#[tokio::test]
async fn a_second_server_cannot_share_the_port() {
    let server = Running::start(&[]).await;
    let port = format!("--http-port={}", server.addresses.http1.port());
    let error = Server::bind(&config(&[&port]), BUILD).await.unwrap_err();
    assert!(matches!(error, ServeError::PortTaken { .. }), "{error:?}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn one_port_for_both_protocols_is_refused() {
    let config = config(&["--http-port=5300", "--h2c-port=5300"]);
    let error = Server::bind(&config, BUILD).await.unwrap_err();
    assert!(
        matches!(error, ServeError::SamePort { port: 5300 }),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_address_of_another_machine_is_refused() {
    // 192.0.2.0/24 is kept for documentation (RFC 5737).
    let error = Server::bind(&config(&["--bind=192.0.2.1"]), BUILD)
        .await
        .unwrap_err();
    assert!(
        matches!(error, ServeError::NotOurAddress { .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("--bind"), "{error}");
}

#[tokio::test]
async fn the_h2c_port_speaks_http_2() {
    let server = Running::start(&[]).await;
    let stream = TcpStream::connect(server.addresses.h2c).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::post("http://x/no.such.Service/Method")
        .header("content-type", "application/grpc")
        .body(Body::empty())
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.version(), Version::HTTP_2);
    assert_eq!(answer.headers()["grpc-status"], "12");
    drop((sender, answer));
    connection.await.unwrap().unwrap();
    server.stop().await.unwrap();
}

#[tokio::test]
async fn the_other_protocol_is_refused_without_harm() {
    let server = Running::start(&[]).await;
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
    stream.write_all(preface).await.unwrap();
    assert_closed(stream).await;
    let mut stream = TcpStream::connect(server.addresses.h2c).await.unwrap();
    stream
        .write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
    assert_closed(stream).await;
    server.assert_serving().await;
    server.stop().await.unwrap();
}

/// Whatever the server still says, and whether it ends orderly or by a reset.
async fn assert_closed(mut stream: TcpStream) {
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply).await;
    assert!(!reply.starts_with(b"HTTP/1.1 2"), "{reply:?}");
}

#[tokio::test]
async fn one_connection_serves_many_requests() {
    let server = Running::start(&[]).await;
    let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
    for _ in 0..3 {
        let request = "GET /api/books/1/stock HTTP/1.1\r\nHost: x\r\n\r\n";
        stream.write_all(request.as_bytes()).await.unwrap();
        let reply = read_until(&mut stream, "}").await;
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
    }
    server.stop().await.unwrap();
}

/// A request whose head was sent and whose body was not, so that it is in flight.
async fn half_a_request(server: &Running, body: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
    // The server asks for the body when its handler runs: then the request is in flight for sure.
    let head = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    read_until(&mut stream, "HTTP/1.1 100 Continue\r\n\r\n").await;
    stream
}

#[tokio::test]
async fn a_request_in_flight_is_finished_after_the_stop() {
    let server = Running::start(&["--shutdown-grace=60"]).await;
    let address = server.addresses.http1;
    let body = order_json(2);
    let mut in_flight = half_a_request(&server, &body).await;
    let mut idle = TcpStream::connect(address).await.unwrap();
    idle.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        .await
        .unwrap();
    read_until(&mut idle, "reflection and health\n").await;

    let stopping = server.stop();
    // An idle connection is closed, and nobody is let in any more.
    assert_eq!(idle.read(&mut [0; 16]).await.unwrap(), 0);
    assert!(TcpStream::connect(address).await.is_err());
    assert!(!stopping.is_finished());

    in_flight.write_all(body.as_bytes()).await.unwrap();
    let mut reply = String::new();
    in_flight.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 201 Created\r\n"), "{reply}");
    stopping.await.unwrap();
}

#[tokio::test]
async fn the_grace_is_bounded() {
    let server = Running::start(&["--shutdown-grace=0"]).await;
    let in_flight = half_a_request(&server, &order_json(2)).await;
    server.stop().await.unwrap();
    drop(in_flight);
}

#[tokio::test]
async fn a_connection_that_never_spoke_does_not_delay_the_end() {
    let server = Running::start(&["--shutdown-grace=600"]).await;
    let silent = TcpStream::connect(server.addresses.http1).await.unwrap();
    // Accepted in order: when a later connection was served, the silent one was accepted.
    exchange(
        server.addresses.http1,
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    )
    .await;
    server.stop().await.unwrap();
    drop(silent);
}
