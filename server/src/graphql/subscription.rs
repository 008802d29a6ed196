//! What can be subscribed to.

#![expect(
    clippy::unused_async,
    reason = "async-graphql takes only async functions as resolvers"
)]

use async_graphql::{Enum, Object, Result, Subscription};
use futures_util::{Stream, stream};

use super::{landings::LandingNode, types::domain_error};
use crate::{
    domain::{EventFeed, EventKind, StockEvent, USUAL_EVENTS},
    meteorites::landings,
};

/// What can be subscribed to.
#[derive(Debug)]
pub struct Subscriptions {
    feed: EventFeed,
}

impl Subscriptions {
    /// The streams of `feed`.
    pub fn new(feed: EventFeed) -> Self {
        Self { feed }
    }
}

/// What can be subscribed to.
#[Subscription(name = "Subscription")]
impl Subscriptions {
    /// Changes of stock, in order.
    async fn events(
        &self,
        #[graphql(desc = "How many; 1,000 when left out.")] count: Option<i32>,
    ) -> Result<impl Stream<Item = EventNode> + use<>> {
        match self.feed.watch(count.unwrap_or(USUAL_EVENTS)) {
            Ok(events) => Ok(stream::iter(events.map(EventNode))),
            Err(error) => Err(domain_error(&error)),
        }
    }

    /// 1,000 landings of meteorites one by one, always the same.
    async fn landings(&self) -> impl Stream<Item = LandingNode> + use<> {
        stream::iter(landings().iter().map(LandingNode))
    }
}

/// A change of one book's stock.
#[derive(Debug)]
pub struct EventNode(StockEvent);

/// A change of one book's stock.
#[Object(name = "StockEvent", serial)]
impl EventNode {
    /// Counts from 1.
    async fn id(&self) -> i32 {
        self.0.id
    }

    /// The book.
    async fn book_id(&self) -> i32 {
        self.0.book_id
    }

    /// What happened.
    async fn kind(&self) -> KindName {
        match self.0.kind {
            EventKind::Sold => KindName::Sold,
            EventKind::Returned => KindName::Returned,
            EventKind::Delivered => KindName::Delivered,
        }
    }

    /// Copies, 1 or more.
    async fn amount(&self) -> i32 {
        self.0.amount
    }

    /// When it happened, RFC 3339 in UTC.
    async fn at(&self) -> String {
        self.0.at.to_string()
    }
}

/// What happened to copies of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
#[graphql(name = "StockEventKind")]
pub enum KindName {
    /// They were sold.
    Sold,
    /// They came back.
    Returned,
    /// They came from the printer.
    Delivered,
}
