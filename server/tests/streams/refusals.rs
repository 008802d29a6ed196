//! Streams that do not exist.

use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use serde_json::{Value, json};

use crate::peer::{Peer, get, graphql_sse, grpc, subscription};

async fn text(response: Response<Incoming>) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

#[tokio::test]
async fn a_number_that_no_stream_has_is_named_in_every_style() {
    let peer = Peer::start().await;
    for count in [-1, 1_000_001] {
        let named = format!("{count} events were asked for");
        let rest = peer.http1(get(&format!("/api/events?count={count}"))).await;
        assert_eq!(rest.status(), 422);
        assert!(text(rest).await.contains(&named));

        let grpc = peer.h2c(grpc(count)).await;
        assert_eq!(grpc.headers()["grpc-status"], "3");
        assert!(
            grpc.headers()["grpc-message"]
                .to_str()
                .unwrap()
                .contains(&count.to_string())
        );

        let graphql = peer.http1(graphql_sse(&subscription(count))).await;
        assert!(text(graphql).await.contains(&named));
    }
}

#[tokio::test]
async fn a_query_that_is_not_understood_is_quoted() {
    let peer = Peer::start().await;
    for query in ["count=many", "limit=3"] {
        let response = peer.http1(get(&format!("/api/events?{query}"))).await;
        assert_eq!(response.status(), 400);
        assert!(text(response).await.contains(query));
    }
}

#[tokio::test]
async fn a_subscription_that_asks_for_one_answer_is_told_how_to_get_many() {
    let peer = Peer::start().await;
    let mut request = graphql_sse(&subscription(1));
    request.headers_mut().remove("accept");
    let answer: Value = serde_json::from_str(&text(peer.http1(request).await).await).unwrap();
    assert_eq!(
        answer["errors"][0]["extensions"]["code"],
        "SUBSCRIPTION_NEEDS_STREAM"
    );
    let message = answer["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("text/event-stream") && message.contains("graphql-transport-ws"));
}

#[tokio::test]
async fn server_sent_events_obey_the_limits_and_answer_queries_with_one() {
    let peer = Peer::start().await;
    let deep = json!({ "query": format!("{}{}", "{a".repeat(70), "}".repeat(70)) });
    let refused = peer.http1(graphql_sse(&deep)).await;
    assert_eq!(refused.status(), 400);
    assert!(text(refused).await.contains("QUERY_TOO_DEEP"));

    let query = json!({ "query": "{ book(id: \"1\") { stock } }" });
    let answer = text(peer.http1(graphql_sse(&query)).await).await;
    assert!(
        answer.starts_with("event: next\ndata: {\"data\":{\"book\":{\"stock\":"),
        "{answer}"
    );
    assert!(
        answer.ends_with("\n\nevent: complete\ndata:\n\n"),
        "{answer}"
    );

    let mut foreign = graphql_sse(&query);
    foreign
        .headers_mut()
        .insert("content-type", "text/plain".parse().unwrap());
    assert_eq!(peer.http1(foreign).await.status(), 415);
}

#[tokio::test]
async fn a_web_socket_without_the_subprotocol_is_refused_with_its_name() {
    let peer = Peer::start().await;
    assert!(peer.bare_web_socket("graphql-ws").await.is_err());
    let request = Request::get("/graphql")
        .header("host", "bookstore.test")
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
        .body(Full::default())
        .unwrap();
    let refused = peer.http1(request).await;
    assert_eq!(refused.status(), 400);
    assert!(text(refused).await.contains("graphql-transport-ws"));
}
