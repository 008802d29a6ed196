//! A reader that leaves half-way, or does not read.

use std::time::Duration;

use futures_util::StreamExt as _;
use http_body_util::BodyExt as _;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::peer::{Peer, Socket, get, graphql_sse, grpc, grpc_web, say, subscription};

/// Far more than any buffer on the way holds.
const MANY: i32 = 1_000_000;

/// The time is a bound for a test that fails; one that passes does not wait for it.
async fn becomes(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !is_so().await {
            sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(
        timeout(Duration::from_mins(1), waiting).await.is_ok(),
        "{what}"
    );
}

/// Tasks of this test's runtime: those of the server's connections among them.
fn tasks() -> usize {
    tokio::runtime::Handle::current()
        .metrics()
        .num_alive_tasks()
}

async fn subscribed(peer: &Peer) -> Socket {
    let mut socket = peer.web_socket().await;
    let subscribe = json!({ "id": "1", "type": "subscribe", "payload": subscription(MANY) });
    say(&mut socket, &subscribe).await;
    socket
}

#[tokio::test]
async fn a_stream_that_is_cut_half_way_leaves_nothing_behind() {
    let peer = Peer::start().await;
    becomes("the server runs", async || {
        peer.metric("event_streams_open ").await == 0
    })
    .await;
    becomes("the question is over", async || tasks() == 1).await;
    for style in ["gRPC", "gRPC-Web", "SSE", "GraphQL SSE"] {
        let response = match style {
            "gRPC" => peer.h2c(grpc(MANY)).await,
            "gRPC-Web" => peer.http1(grpc_web(MANY)).await,
            "SSE" => peer.http1(get(&format!("/api/events?count={MANY}"))).await,
            _ => peer.http1(graphql_sse(&subscription(MANY))).await,
        };
        let mut body = response.into_body();
        body.frame().await.unwrap().unwrap();
        assert_eq!(peer.metric("event_streams_open ").await, 1, "{style}");
        drop(body);
        becomes(style, async || {
            peer.metric("event_streams_open ").await == 0
        })
        .await;
        becomes(style, async || tasks() == 1).await;
    }
    let mut socket = subscribed(&peer).await;
    socket.next().await.unwrap().unwrap();
    assert_eq!(peer.metric("event_streams_open ").await, 1);
    drop(socket);
    becomes("WebSocket", async || {
        peer.metric("event_streams_open ").await == 0
    })
    .await;
    becomes("WebSocket", async || tasks() == 1).await;
}

#[tokio::test]
async fn a_subscription_that_is_completed_by_the_client_ends_and_the_socket_lives_on() {
    let peer = Peer::start().await;
    let mut socket = subscribed(&peer).await;
    say(&mut socket, &json!({ "id": "1", "type": "complete" })).await;
    // What was on its way is still read.
    let last = async {
        loop {
            let message = socket.next().await.unwrap().unwrap();
            if message.to_text().unwrap().contains("complete") {
                return;
            }
        }
    };
    assert!(timeout(Duration::from_mins(1), last).await.is_ok());
    assert_eq!(peer.metric("event_streams_open ").await, 0);
    assert!(peer.metric("events_made_total ").await < u64::from(MANY.unsigned_abs()));
}

/// A reader that stops reading stops the source: no style makes what nobody takes.
#[tokio::test]
async fn nothing_is_made_ahead_of_a_reader_that_waits() {
    for style in ["gRPC", "gRPC-Web", "SSE", "GraphQL SSE", "WebSocket"] {
        let peer = Peer::start().await;
        let held: Box<dyn std::any::Any> = match style {
            "gRPC" => Box::new(peer.h2c(grpc(MANY)).await),
            "gRPC-Web" => Box::new(peer.http1(grpc_web(MANY)).await),
            "SSE" => Box::new(peer.http1(get(&format!("/api/events?count={MANY}"))).await),
            "GraphQL SSE" => Box::new(peer.http1(graphql_sse(&subscription(MANY))).await),
            _ => Box::new(subscribed(&peer).await),
        };
        becomes(style, async || {
            peer.metric("event_streams_open ").await == 1
        })
        .await;
        drop(held);
        becomes(style, async || {
            peer.metric("event_streams_open ").await == 0
        })
        .await;
        let made = peer.metric("events_made_total ").await;
        assert!(made < u64::from(MANY.unsigned_abs()) / 2, "{style}: {made}");
    }
}

#[tokio::test]
async fn a_server_that_stops_waits_for_streams_and_not_for_idle_sockets() {
    let peer = Peer::start().await;
    let body = peer.http1(get("/api/events?count=1000")).await.into_body();
    let idle = peer.web_socket().await;
    let stopped = tokio::spawn(peer.stop());
    assert!(body.collect().await.unwrap().to_bytes().ends_with(b"\n\n"));
    assert!(timeout(Duration::from_mins(1), stopped).await.is_ok());
    drop(idle);
}
