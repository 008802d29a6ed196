//! The rest of the subprotocol `graphql-transport-ws`.

use futures_util::StreamExt as _;
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::peer::{Peer, heard, say};

#[tokio::test]
async fn queries_and_refusals_travel_over_the_socket_as_well() {
    let peer = Peer::start().await;
    let mut socket = peer.web_socket().await;
    let query = json!({ "query": "{ book(id: \"1\") { title } }" });
    say(
        &mut socket,
        &json!({ "id": "q", "type": "subscribe", "payload": query }),
    )
    .await;
    let answer = heard(&mut socket).await;
    assert_eq!(
        (&answer["type"], &answer["id"]),
        (&json!("next"), &json!("q"))
    );
    assert!(answer["payload"]["data"]["book"]["title"].is_string());
    assert_eq!(heard(&mut socket).await["type"], "complete");

    let costly = json!({ "query": "subscription { events { id nope } }" });
    say(
        &mut socket,
        &json!({ "id": "c", "type": "subscribe", "payload": costly }),
    )
    .await;
    let answer = heard(&mut socket).await;
    assert!(
        answer["payload"]["errors"][0]["message"]
            .as_str()
            .unwrap()
            .contains("nope")
    );
    assert_eq!(heard(&mut socket).await["type"], "complete");

    say(&mut socket, &json!({ "type": "ping" })).await;
    assert_eq!(heard(&mut socket).await["type"], "pong");
}

#[tokio::test]
async fn what_is_no_message_of_the_protocol_closes_the_socket() {
    let peer = Peer::start().await;
    for message in [json!({ "type": "sing" }), json!(1)] {
        let mut socket = peer.web_socket().await;
        say(&mut socket, &message).await;
        let closed = socket.next().await.unwrap().unwrap();
        assert!(matches!(closed, Message::Close(Some(_))), "{closed:?}");
    }
    let mut early = peer.bare_web_socket("graphql-transport-ws").await.unwrap();
    let query = json!({ "query": "{ book(id: \"1\") { title } }" });
    say(
        &mut early,
        &json!({ "id": "1", "type": "subscribe", "payload": query }),
    )
    .await;
    let closed = early.next().await.unwrap().unwrap();
    assert!(matches!(closed, Message::Close(Some(_))), "{closed:?}");
}
