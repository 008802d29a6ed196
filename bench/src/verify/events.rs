//! A thousand events by every kind of stream.

use std::hash::{DefaultHasher, Hash, Hasher};

use bookstore_proto::v1;
use futures_util::{SinkExt as _, StreamExt as _};
use http::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    client_async,
    tungstenite::{Message, client::IntoClientRequest as _},
};

use super::{
    Answer,
    peer::{BoxError, Peer, Transport, VerifyError, bounded, unreadable},
};

const COUNT: i32 = 1_000;
/// The GraphQL document that the load sends too.
const DOCUMENT: &str = include_str!("../../../k6/lib/documents/events.graphql");

/// How many events there were, and a hash of what they said: a thousand of them are no message.
#[derive(Debug, PartialEq)]
pub(crate) struct Events {
    /// How many.
    pub(crate) count: usize,
    hash: u64,
}

/// Asks for the events in every style.
pub(super) async fn ask(peer: Peer) -> Result<Vec<Answer<Events>>, VerifyError> {
    let of = |style, content| Answer { style, content };
    Ok(vec![
        of("gRPC", rpc(peer, Transport::Grpc).await?),
        of("gRPC-Web", rpc(peer, Transport::Web).await?),
        of("REST by server-sent events", sse(peer).await?),
        of("GraphQL by server-sent events", graphql_sse(peer).await?),
        of("GraphQL over a WebSocket", web_socket(peer).await?),
    ])
}

/// By gRPC or gRPC-Web.
pub(crate) async fn rpc(peer: Peer, transport: Transport) -> Result<Events, VerifyError> {
    let request = v1::WatchEventsRequest { count: COUNT };
    let method = "EventService/WatchEvents";
    let events: Vec<v1::StockEvent> = peer.messages(transport, method, &request).await?;
    let said = events.iter().map(|event| {
        let kind = event.kind().as_str_name();
        (
            i64::from(event.id),
            i64::from(event.book_id),
            kind.trim_start_matches("STOCK_EVENT_KIND_").to_owned(),
            i64::from(event.amount),
            event.at.map_or(0, |at| at.seconds),
        )
    });
    Ok(Events::of(said))
}

/// By REST.
pub(crate) async fn sse(peer: Peer) -> Result<Events, VerifyError> {
    let path = format!("/api/events?count={COUNT}");
    let reply = peer.exchange(Method::GET, &path, &[], "").await?;
    said(&path, &data(&path, &reply.body)?)
}

/// By GraphQL over HTTP.
pub(crate) async fn graphql_sse(peer: Peer) -> Result<Events, VerifyError> {
    let headers = [
        ("content-type", "application/json"),
        ("accept", "text/event-stream"),
    ];
    let body = subscription().to_string();
    let reply = peer
        .exchange(Method::POST, "/graphql", &headers, body)
        .await?;
    let answers = data("POST /graphql", &reply.body)?;
    let events: Vec<Value> = answers
        .into_iter()
        .map(|mut answer| answer["data"]["events"].take())
        .collect();
    said("POST /graphql", &events)
}

/// By GraphQL over a WebSocket.
pub(crate) async fn web_socket(peer: Peer) -> Result<Events, VerifyError> {
    let what = "a subscription over a WebSocket";
    let events = bounded(what, peer.http1, converse(peer)).await?;
    said(what, &events)
}

async fn converse(peer: Peer) -> Result<Vec<Value>, BoxError> {
    let mut request = format!("ws://{}/graphql", peer.http1).into_client_request()?;
    let protocol = "graphql-transport-ws".parse()?;
    let headers = request.headers_mut();
    headers.insert("sec-websocket-protocol", protocol);
    let stream = TcpStream::connect(peer.http1).await?;
    let (mut socket, _) = client_async(request, stream).await?;
    let init = json!({ "type": "connection_init" });
    socket.send(Message::text(init.to_string())).await?;
    let subscribe = json!({ "id": "1", "type": "subscribe", "payload": subscription() });
    socket.send(Message::text(subscribe.to_string())).await?;
    let mut events = Vec::new();
    while let Some(message) = socket.next().await {
        let mut message: Value = serde_json::from_str(message?.to_text()?)?;
        match message["type"].as_str() {
            Some("next") => events.push(message["payload"]["data"]["events"].take()),
            Some("complete") => break,
            _ => {}
        }
    }
    Ok(events)
}

fn subscription() -> Value {
    json!({ "query": DOCUMENT, "variables": { "count": COUNT } })
}

/// The data of server-sent events, as JSON; those without data are left out.
pub(super) fn data(what: &str, body: &[u8]) -> Result<Vec<Value>, VerifyError> {
    let unread =
        |error: serde_json::Error, data: &str| unreadable(what, &format!("{error}: {data}"));
    String::from_utf8_lossy(body)
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter(|data| !data.is_empty())
        .map(|data| serde_json::from_str(data).map_err(|error| unread(error, data)))
        .collect()
}

fn said(what: &str, events: &[Value]) -> Result<Events, VerifyError> {
    let one = |event: &Value| {
        let number = |name: &str| event[name].as_i64();
        let at: jiff::Timestamp = event["at"].as_str()?.parse().ok()?;
        Some((
            number("id")?,
            number("bookId")?,
            event["kind"].as_str()?.to_owned(),
            number("amount")?,
            at.as_second(),
        ))
    };
    let said: Option<Vec<_>> = events.iter().map(one).collect();
    let said = said.ok_or_else(|| unreadable(what, "an event lacks a member"))?;
    Ok(Events::of(said))
}

impl Events {
    fn of(events: impl IntoIterator<Item = (i64, i64, String, i64, i64)>) -> Self {
        let mut hasher = DefaultHasher::new();
        let mut count = 0;
        for event in events {
            event.hash(&mut hasher);
            count += 1;
        }
        Self {
            count,
            hash: hasher.finish(),
        }
    }
}
