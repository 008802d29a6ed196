//! Bytes of 1,000 events, requests and answers, in every style.

use futures_util::{SinkExt as _, StreamExt as _};
use http_body_util::BodyExt as _;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::peer::{Peer, get, graphql_sse, grpc, grpc_web, subscription};

async fn length(response: http::Response<hyper::body::Incoming>) -> usize {
    response
        .into_body()
        .collect()
        .await
        .unwrap()
        .to_bytes()
        .len()
}

#[tokio::test]
async fn bodies_of_a_thousand_events_have_their_sizes() {
    let peer = Peer::start().await;
    let grpc_bytes = length(peer.h2c(grpc(1_000)).await).await;
    let web_bytes = length(peer.http1(grpc_web(1_000)).await).await;
    let sse_bytes = length(peer.http1(get("/api/events?count=1000")).await).await;
    let graphql_bytes = length(peer.http1(graphql_sse(&subscription(1_000))).await).await;
    assert_eq!(grpc_bytes, 21_873);
    // The trailers are in the body.
    assert_eq!(web_bytes, grpc_bytes + 20);
    let request_bytes = subscription(1_000).to_string().len();
    assert_eq!(
        (sse_bytes, graphql_bytes, request_bytes),
        (83_613, 115_636, 111)
    );
}

#[tokio::test]
async fn messages_of_a_web_socket_have_their_sizes() {
    let peer = Peer::start().await;
    let mut socket = peer.web_socket().await;
    let subscribe = json!({ "id": "1", "type": "subscribe", "payload": subscription(1_000) });
    socket
        .send(Message::text(subscribe.to_string()))
        .await
        .unwrap();
    let mut bytes = 0;
    for _ in 0..1_001 {
        bytes += socket.next().await.unwrap().unwrap().len();
    }
    assert_eq!(bytes, 130_641);
}
