//! `bookstore.bench.v1.EventService`.

use std::{fmt, iter::Map};

use bookstore_proto::v1::{
    self, StockEventKind, WatchEventsRequest, event_service_server::EventService,
};
use futures_util::stream;
use tonic::{Request, Response, Status};

use super::status::status_of;
use crate::domain::{EventFeed, EventKind, Events, StockEvent, USUAL_EVENTS};

/// The service over a feed.
pub struct EventRpc {
    feed: EventFeed,
}

impl EventRpc {
    /// The service over `feed`.
    #[must_use]
    pub fn new(feed: EventFeed) -> Self {
        Self { feed }
    }
}

impl fmt::Debug for EventRpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventRpc").finish_non_exhaustive()
    }
}

/// Events on their way out. None is made before the connection asks for it.
pub type EventStream = stream::Iter<Map<Events, fn(StockEvent) -> Result<v1::StockEvent, Status>>>;

#[tonic::async_trait]
impl EventService for EventRpc {
    type WatchEventsStream = EventStream;

    async fn watch_events(
        &self,
        request: Request<WatchEventsRequest>,
    ) -> Result<Response<EventStream>, Status> {
        let count = match request.get_ref().count {
            0 => USUAL_EVENTS,
            count => count,
        };
        let events = self.feed.watch(count).map_err(|error| status_of(&error))?;
        let sent: fn(StockEvent) -> Result<v1::StockEvent, Status> = |event| Ok(message_of(event));
        Ok(Response::new(stream::iter(events.map(sent))))
    }
}

fn message_of(event: StockEvent) -> v1::StockEvent {
    let kind = match event.kind {
        EventKind::Sold => StockEventKind::Sold,
        EventKind::Returned => StockEventKind::Returned,
        EventKind::Delivered => StockEventKind::Delivered,
    };
    v1::StockEvent {
        id: event.id,
        book_id: event.book_id,
        kind: kind.into(),
        amount: event.amount,
        at: Some(prost_types::Timestamp {
            seconds: event.at.seconds,
            nanos: 0,
        }),
    }
}
