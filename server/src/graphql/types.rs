//! The types of the schema, each a thin view of a thing of the domain.
//!
//! Their fields are resolved in series: the store answers at once, so there is nothing to wait for
//! side by side, and a task for each field would cost more than the field.

#![expect(
    clippy::unused_async,
    reason = "async-graphql takes only async functions as resolvers"
)]

use std::borrow::Cow;

use async_graphql::{Error, ErrorExtensions, ID, Object, Result};

use crate::domain::{Author, Book, Bookstore, DomainError, ErrorClass, Reservation, Review};

/// The answer to `reserveStock`.
#[derive(Debug)]
pub struct ReserveStockPayload(pub Reservation);

/// The answer to `reserveStock`.
#[Object(serial)]
impl ReserveStockPayload {
    /// The reservation that was made.
    async fn reservation(&self) -> ReservationNode<'_> {
        ReservationNode(&self.0)
    }
}

/// A reservation.
#[derive(Debug)]
pub struct ReservationNode<'a>(&'a Reservation);

/// A reservation that was made.
#[Object(name = "Reservation", serial)]
impl ReservationNode<'_> {
    /// Unique in the life of the server.
    async fn reservation_id(&self) -> ID {
        ID(self.0.reservation_id.to_string())
    }

    /// The caller's order id.
    async fn order_id(&self) -> &str {
        &self.0.order_id
    }

    /// When the reservation lapses, RFC 3339 in UTC.
    async fn expires_at(&self) -> String {
        self.0.expires_at.to_string()
    }
}

/// A book, and the store that knows what belongs to it.
pub struct BookNode<'a> {
    /// Where author, stock and reviews come from.
    pub store: &'a dyn Bookstore,
    /// The book itself.
    pub book: Cow<'a, Book>,
}

/// A book of the catalogue.
#[Object(name = "Book", serial)]
impl BookNode<'_> {
    /// 1 to the number of books.
    async fn id(&self) -> ID {
        ID(self.book.id.to_string())
    }

    /// Title as shown on screen.
    async fn title(&self) -> &str {
        &self.book.title
    }

    /// 13 digits.
    async fn isbn(&self) -> &str {
        &self.book.isbn
    }

    /// Price in the currency's unit.
    async fn price(&self) -> f64 {
        f64::from(self.book.price_cents) / 100.0
    }

    /// Who wrote it.
    async fn author(&self) -> Result<AuthorNode<'_>> {
        match self.store.author(self.book.author_id) {
            Ok(author) => Ok(AuthorNode(author)),
            Err(error) => Err(domain_error(&error)),
        }
    }

    /// Copies that can be reserved.
    async fn stock(&self) -> Result<i32> {
        match self.store.stock(self.book.id) {
            Ok(stock) => Ok(stock.available),
            Err(error) => Err(domain_error(&error)),
        }
    }

    /// The newest reviews, the oldest of them first.
    async fn reviews(
        &self,
        #[graphql(desc = "How many of the newest; all when left out.")] last: Option<i32>,
    ) -> Result<Vec<ReviewNode<'_>>> {
        match self.store.reviews(self.book.id, last) {
            Ok(Cow::Borrowed(reviews)) => Ok(reviews
                .iter()
                .map(|review| ReviewNode(Cow::Borrowed(review)))
                .collect()),
            Ok(Cow::Owned(reviews)) => Ok(reviews
                .into_iter()
                .map(|review| ReviewNode(Cow::Owned(review)))
                .collect()),
            Err(error) => Err(domain_error(&error)),
        }
    }
}

/// An author.
#[derive(Debug)]
pub struct AuthorNode<'a>(pub Cow<'a, Author>);

/// The author of a book.
#[Object(name = "Author", serial)]
impl AuthorNode<'_> {
    /// 1 to the number of authors.
    async fn id(&self) -> ID {
        ID(self.0.id.to_string())
    }

    /// Full name.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// One sentence about the author.
    async fn bio(&self) -> &str {
        &self.0.bio
    }
}

/// A review.
#[derive(Debug)]
pub struct ReviewNode<'a>(pub Cow<'a, Review>);

/// A review of a book.
#[Object(name = "Review", serial)]
impl ReviewNode<'_> {
    /// 1 to the number of reviews.
    async fn id(&self) -> ID {
        ID(self.0.id.to_string())
    }

    /// First name of the reviewer.
    async fn reviewer(&self) -> &str {
        &self.0.reviewer
    }

    /// 1 to 5.
    async fn rating(&self) -> i32 {
        self.0.rating
    }

    /// What the reviewer wrote.
    async fn text(&self) -> &str {
        &self.0.text
    }

    /// When it was written, RFC 3339 in UTC.
    async fn created_at(&self) -> String {
        self.0.created_at.to_string()
    }
}

/// A refusal of the domain as a GraphQL error, with the domain's code and class as extensions.
pub fn domain_error(error: &DomainError) -> Error {
    Error::new(error.to_string()).extend_with(|_, extensions| {
        extensions.set("code", error.code());
        extensions.set("class", class_name(error.class()));
    })
}

/// The class of a refusal, as the extension `class` has it.
pub fn class_name(class: ErrorClass) -> &'static str {
    match class {
        ErrorClass::Invalid => "INVALID",
        ErrorClass::NotFound => "NOT_FOUND",
        ErrorClass::Conflict => "CONFLICT",
    }
}
