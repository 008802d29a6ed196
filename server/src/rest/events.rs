//! `GET /api/events`: changes of stock as server-sent events.

use axum::{
    extract::{Query, State},
    response::Response,
};
use bytes::{BufMut as _, BytesMut};
use futures_util::stream;
use http::Uri;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{RestError, problem::Problem, routes::RestState, scalar};
use crate::{
    domain::{EventKind, StockEvent, Timestamp, USUAL_EVENTS},
    event_stream,
};

/// How many events are asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EventsQuery {
    /// How many; 1,000 when it is not given.
    #[param(minimum = 1, maximum = 1_000_000)]
    count: Option<i32>,
}

/// One server-sent event, for the document alone.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what `write` puts into the stream")]
pub(super) struct StockEventMessage {
    /// A change of one book's stock as a JSON object: `id` and `bookId`, `kind` (SOLD, RETURNED or
    /// DELIVERED), `amount` of copies from 1 on, and the moment `at`.
    #[schema(
        content_media_type = "application/json",
        example = r#"{"id":1,"bookId":1,"kind":"SOLD","amount":2,"at":"2026-01-01T00:00:01Z"}"#
    )]
    data: String,
}

/// A change of one book's stock.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EventReply {
    id: i32,
    book_id: i32,
    kind: KindReply,
    /// Copies.
    amount: i32,
    #[serde(serialize_with = "scalar::moment")]
    at: Timestamp,
}

/// What happened to copies of a book.
#[derive(Debug, Serialize)]
#[serde(rename_all = "UPPERCASE")]
enum KindReply {
    Sold,
    Returned,
    Delivered,
}

/// Changes of stock, one event each
#[utoipa::path(
    get,
    path = "/api/events",
    tag = "Inventory",
    params(EventsQuery),
    responses(
        (
            status = 200,
            description = "The events, in order; the answer ends after the last",
            body = StockEventMessage,
            content_type = "text/event-stream"
        ),
        (
            status = 400,
            description = "The query is not understood",
            body = Problem<'_>,
            content_type = "application/problem+json"
        ),
        (
            status = 422,
            description = "No stream has so many events",
            body = Problem<'_>,
            content_type = "application/problem+json"
        ),
    )
)]
pub(super) async fn watch(State(state): State<RestState>, uri: Uri) -> Result<Response, RestError> {
    let Query(query) = Query::<EventsQuery>::try_from_uri(&uri)
        .map_err(|rejection| RestError::from_events_query(uri.query(), &rejection))?;
    let count = query.count.unwrap_or(USUAL_EVENTS);
    let events = state.store.events().watch(count)?;
    Ok(event_stream::answer(stream::iter(events), write, ""))
}

fn write(event: &StockEvent, buffer: &mut BytesMut) {
    buffer.extend_from_slice(b"data: ");
    serde_json::to_writer(buffer.writer(), &EventReply::from(*event))
        .expect("numbers and a moment of this century have a JSON form");
    buffer.extend_from_slice(b"\n\n");
}

impl From<StockEvent> for EventReply {
    fn from(event: StockEvent) -> Self {
        Self {
            id: event.id,
            book_id: event.book_id,
            kind: match event.kind {
                EventKind::Sold => KindReply::Sold,
                EventKind::Returned => KindReply::Returned,
                EventKind::Delivered => KindReply::Delivered,
            },
            amount: event.amount,
            at: event.at,
        }
    }
}
