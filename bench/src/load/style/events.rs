//! Streams of stock events: what is asked for, and the events of an answer as they arrive.

use bookstore_proto::v1::{StockEvent, StockEventKind, WatchEventsRequest};
use bytes::Bytes;
use http::{HeaderValue, Uri, header::ACCEPT};
use prost::Message as _;
use serde::{Deserialize, Serialize};

use super::{
    grpc_web,
    stream::{Format, Items},
};
use crate::load::{failure::Fault, wire::HttpRequest};

/// Events of one operation.
pub(in crate::load) const EVENTS: u32 = 1_000;
/// The stream's method.
pub(in crate::load) const WATCH_EVENTS: &str = "/bookstore.bench.v1.EventService/WatchEvents";
/// The subscription, with the number of events as a variable.
const SUBSCRIPTION: &str = include_str!("../../../../k6/lib/documents/events.graphql");

/// The message that asks for the events.
pub(in crate::load) fn watch_request() -> WatchEventsRequest {
    let count = i32::try_from(EVENTS).unwrap_or(i32::MAX);
    WatchEventsRequest { count }
}

/// `EventService.WatchEvents` by gRPC-Web.
pub(in crate::load) fn by_grpc_web(host: &HeaderValue) -> HttpRequest {
    grpc_web::post(host, WATCH_EVENTS, &watch_request())
}

/// Server-sent events of REST.
pub(in crate::load) fn by_sse(host: &HeaderValue) -> HttpRequest {
    let uri = Uri::from_static("/api/events?count=1000");
    HttpRequest::get(host, uri).with_header(ACCEPT, EVENT_STREAM)
}

/// The subscription by server-sent events.
pub(in crate::load) fn by_graphql_sse(host: &HeaderValue) -> HttpRequest {
    let body = serde_json::to_vec(&subscription())
        .expect("a document and a number have nothing that JSON cannot hold");
    let uri = Uri::from_static("/graphql");
    HttpRequest::post(host, uri, "application/json", Bytes::from(body))
        .with_header(ACCEPT, EVENT_STREAM)
}

pub(super) const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");

/// A GraphQL request for the events.
#[derive(Clone, Copy, Debug, Serialize)]
pub(in crate::load) struct Subscription {
    query: &'static str,
    variables: Variables,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Variables {
    count: u32,
}

/// The subscription.
pub(in crate::load) fn subscription() -> Subscription {
    Subscription {
        query: SUBSCRIPTION,
        variables: Variables { count: EVENTS },
    }
}

/// How many events have come, each checked.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::load) struct EventCount(u32);

/// An event as JSON has it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::load) struct JsonEvent<'a> {
    id: u32,
    book_id: u32,
    kind: &'a str,
    amount: u32,
    at: &'a str,
}

/// A GraphQL answer with one event.
#[derive(Debug, Deserialize)]
pub(in crate::load) struct EventAnswer<'a> {
    #[serde(borrow)]
    data: Option<EventData<'a>>,
    #[serde(default)]
    errors: Vec<GraphqlError>,
}

#[derive(Debug, Deserialize)]
struct EventData<'a> {
    #[serde(borrow)]
    events: JsonEvent<'a>,
}

#[derive(Debug, Deserialize)]
struct GraphqlError {
    message: String,
}

impl EventCount {
    /// Takes the next event in.
    fn next(&mut self, id: u32, book_id: u32, amount: u32) -> Result<(), Fault> {
        self.0 += 1;
        Fault::unless_equal("an event's id", id, self.0)?;
        let plausible = (1..=50).contains(&book_id) && (1..=9).contains(&amount);
        if plausible {
            return Ok(());
        }
        Err(Fault::Framing(format!(
            "event {id} is about {amount} copies of book {book_id}"
        )))
    }

    /// Takes an event in JSON in.
    fn json(&mut self, event: &JsonEvent<'_>) -> Result<(), Fault> {
        Fault::if_empty("an event's time", event.at)?;
        if !matches!(event.kind, "SOLD" | "RETURNED" | "DELIVERED") {
            return Err(Fault::Framing(format!(
                "event {} has the kind {:?}",
                event.id, event.kind
            )));
        }
        self.next(event.id, event.book_id, event.amount)
    }

    /// Takes the event of a GraphQL answer in.
    pub(in crate::load) fn answer(&mut self, answer: &EventAnswer<'_>) -> Result<(), Fault> {
        match (&answer.data, answer.errors.first()) {
            (_, Some(error)) => Err(Fault::GraphQl(error.message.clone())),
            (Some(data), None) => self.json(&data.events),
            (None, None) => Err(Fault::GraphQl("an answer has no data".to_owned())),
        }
    }

    fn message(&mut self, event: &StockEvent) -> Result<(), Fault> {
        if event.kind() == StockEventKind::Unspecified || event.at.is_none() {
            return Err(Fault::Framing(format!(
                "event {} has no kind or no time",
                event.id
            )));
        }
        let number = |value: i32| u32::try_from(value).unwrap_or(0);
        self.next(
            number(event.id),
            number(event.book_id),
            number(event.amount),
        )
    }
}

impl Items for EventCount {
    const ALL: usize = EVENTS as usize;

    fn take(&mut self, format: Format, item: &[u8]) -> Result<(), Fault> {
        match format {
            Format::Grpc | Format::GrpcWeb => self.message(&StockEvent::decode(item)?),
            Format::Sse | Format::Lines => self.json(&parse(item)?),
            Format::GraphqlSse => self.answer(&EventAnswer::parse(item)?),
        }
    }

    fn seen(&self) -> usize {
        self.0 as usize
    }

    fn check(&self) -> Result<(), Fault> {
        Fault::unless_equal("the number of events", self.0, EVENTS)
    }
}

impl<'a> EventAnswer<'a> {
    /// Reads an answer in JSON.
    pub(in crate::load) fn parse(json: &'a [u8]) -> Result<Self, Fault> {
        parse(json)
    }
}

fn parse<'a, T: Deserialize<'a>>(data: &'a [u8]) -> Result<T, Fault> {
    serde_json::from_slice(data).map_err(|source| Fault::json("a stock event", source, data))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: HeaderValue = HeaderValue::from_static("localhost:5300");

    #[test]
    fn request_bodies_have_their_sizes() {
        assert_eq!(by_grpc_web(&HOST).body_len(), 8);
        assert_eq!(by_sse(&HOST).body_len(), 0);
        assert_eq!(by_graphql_sse(&HOST).body_len(), 111);
    }
}
