//! Every kind of stream says the same.

use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::peer::{
    Peer, Seen, get, graphql_sse, grpc, grpc_web, heard, of_events, of_frames, of_json, say,
    subscription,
};

const COUNT: i32 = 1_000;

async fn by_web_socket(peer: &Peer) -> Vec<Seen> {
    let mut socket = peer.web_socket().await;
    let subscribe = json!({ "id": "1", "type": "subscribe", "payload": subscription(COUNT) });
    say(&mut socket, &subscribe).await;
    let mut seen = Vec::new();
    loop {
        let message = heard(&mut socket).await;
        if message == json!({ "id": "1", "type": "complete" }) {
            return seen;
        }
        assert_eq!(message["type"], "next");
        seen.push(of_json(&message["payload"]["data"]["events"]));
    }
}

#[tokio::test]
async fn the_events_are_equal_in_every_style() {
    let peer = Peer::start().await;
    let body = async |response: http::Response<hyper::body::Incoming>| {
        assert_eq!(response.status(), 200);
        response.into_body().collect().await.unwrap().to_bytes()
    };
    let expected = of_frames(&body(peer.h2c(grpc(COUNT)).await).await);
    assert_eq!(expected.len(), 1_000);
    assert_eq!(expected[0], (1, 1, "SOLD".to_owned(), 2, 1_767_225_601));

    let web = of_frames(&body(peer.http1(grpc_web(COUNT)).await).await);
    assert!(web == expected, "gRPC-Web");

    let sse = body(peer.http1(get("/api/events?count=1000")).await).await;
    let sse = of_events(std::str::from_utf8(&sse).unwrap());
    let data = sse
        .iter()
        .map(|(_, data)| serde_json::from_str(data).unwrap());
    assert!(
        data.map(|event: Value| of_json(&event))
            .eq(expected.iter().cloned())
    );

    let sse = body(peer.http1(graphql_sse(&subscription(COUNT))).await).await;
    let mut sse = of_events(std::str::from_utf8(&sse).unwrap());
    assert_eq!(sse.pop(), Some(("complete".to_owned(), String::new())));
    let data = sse.iter().map(|(kind, data)| {
        assert_eq!(kind, "next");
        serde_json::from_str::<Value>(data).unwrap()
    });
    assert!(
        data.map(|answer| of_json(&answer["data"]["events"]))
            .eq(expected.iter().cloned())
    );

    assert!(
        by_web_socket(&peer).await == expected,
        "GraphQL over a WebSocket"
    );
}

#[tokio::test]
async fn a_number_left_out_means_a_thousand() {
    let peer = Peer::start().await;
    let body = peer.http1(get("/api/events")).await.into_body();
    let body = body.collect().await.unwrap().to_bytes();
    assert_eq!(of_events(std::str::from_utf8(&body).unwrap()).len(), 1_000);
    let body = peer.h2c(grpc(0)).await.into_body();
    let body = body.collect().await.unwrap().to_bytes();
    assert_eq!(of_frames(&body).len(), 1_000);
}
