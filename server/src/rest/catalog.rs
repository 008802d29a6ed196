//! The four reads that a book-detail screen needs when it asks for each thing by itself.

use axum::{
    extract::{Query, RawQuery, State, rejection::QueryRejection},
    response::Response,
};
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::{
    RestError, id::Id, problem::Problem, refusals::ReadRefusals, reply, routes::RestState, scalar,
};
use crate::domain::{Author, Book, Review, Timestamp};

/// A book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": 1,
    "title": "Practical API Measurement",
    "isbn": "9780000000001",
    "price": 49.9,
    "authorId": 1
}))]
pub(super) struct BookReply<'a> {
    id: i32,
    title: &'a str,
    /// 13 digits.
    isbn: &'a str,
    /// In units of the currency, with up to two decimals.
    #[serde(serialize_with = "scalar::price")]
    #[schema(value_type = f64)]
    price: i32,
    author_id: i32,
}

/// An author.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": 1, "name": "Anna-Liisa Virtanen", "bio": "Writes about APIs..!"
}))]
pub(super) struct AuthorReply<'a> {
    id: i32,
    name: &'a str,
    /// One sentence about the author.
    bio: &'a str,
}

/// How many copies of a book can be reserved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "bookId": 1, "available": 42 }))]
pub(super) struct StockReply {
    book_id: i32,
    #[schema(minimum = 0)]
    available: i32,
}

/// A review of a book.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({
    "id": 3,
    "bookId": 1,
    "reviewer": "Deniz",
    "rating": 5,
    "text": "Clear and to point",
    "createdAt": "2026-01-05T00:00:00Z"
}))]
pub(super) struct ReviewReply<'a> {
    id: i32,
    book_id: i32,
    reviewer: &'a str,
    #[schema(minimum = 1, maximum = 5)]
    rating: i32,
    text: &'a str,
    #[serde(serialize_with = "scalar::moment")]
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

/// Which reviews are asked for.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ReviewsQuery {
    /// How many of the newest reviews; all when it is not given.
    #[param(minimum = 0, maximum = 2_147_483_647)]
    limit: Option<i32>,
}

/// A book
#[utoipa::path(
    get,
    path = "/api/books/{id}",
    tag = "Catalog",
    params(Id),
    responses(
        (status = 200, description = "The book", body = BookReply<'_>),
        ReadRefusals
    )
)]
pub(super) async fn book(
    State(state): State<RestState>,
    Id(id): Id,
) -> Result<Response, RestError> {
    reply::json(&BookReply::from(&*state.store.book(id)?))
}

/// The stock of a book
#[utoipa::path(
    get,
    path = "/api/books/{id}/stock",
    tag = "Catalog",
    params(Id),
    responses(
        (status = 200, description = "Its stock", body = StockReply),
        ReadRefusals
    )
)]
pub(super) async fn stock(
    State(state): State<RestState>,
    Id(id): Id,
) -> Result<Response, RestError> {
    let stock = state.store.stock(id)?;
    reply::json(&StockReply {
        book_id: stock.book_id,
        available: stock.available,
    })
}

/// The newest reviews of a book, the oldest of them first
#[utoipa::path(
    get,
    path = "/api/books/{id}/reviews",
    tag = "Catalog",
    params(Id, ReviewsQuery),
    responses(
        (status = 200, description = "Its reviews", body = Vec<ReviewReply<'_>>),
        ReadRefusals,
        (
            status = 422,
            description = "The limit is negative",
            body = Problem<'_>,
            content_type = "application/problem+json"
        ),
    )
)]
pub(super) async fn reviews(
    State(state): State<RestState>,
    Id(id): Id,
    RawQuery(raw): RawQuery,
    query: Result<Query<ReviewsQuery>, QueryRejection>,
) -> Result<Response, RestError> {
    let Query(query) =
        query.map_err(|rejection| RestError::from_query(raw.as_deref(), &rejection))?;
    reply::json(&ReviewList(&state.store.reviews(id, query.limit)?))
}

/// An author
#[utoipa::path(
    get,
    path = "/api/authors/{id}",
    tag = "Catalog",
    params(Id),
    responses(
        (status = 200, description = "The author", body = AuthorReply<'_>),
        ReadRefusals
    )
)]
pub(super) async fn author(
    State(state): State<RestState>,
    Id(id): Id,
) -> Result<Response, RestError> {
    reply::json(&AuthorReply::from(&*state.store.author(id)?))
}

/// Written one by one, without a list of replies in between.
struct ReviewList<'a>(&'a [Review]);

impl Serialize for ReviewList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(ReviewReply::from))
    }
}

impl<'a> From<&'a Book> for BookReply<'a> {
    fn from(book: &'a Book) -> Self {
        Self {
            id: book.id,
            title: &book.title,
            isbn: &book.isbn,
            price: book.price_cents,
            author_id: book.author_id,
        }
    }
}

impl<'a> From<&'a Author> for AuthorReply<'a> {
    fn from(author: &'a Author) -> Self {
        Self {
            id: author.id,
            name: &author.name,
            bio: &author.bio,
        }
    }
}

impl<'a> From<&'a Review> for ReviewReply<'a> {
    fn from(review: &'a Review) -> Self {
        Self {
            id: review.id,
            book_id: review.book_id,
            reviewer: &review.reviewer,
            rating: review.rating,
            text: &review.text,
            created_at: review.created_at,
        }
    }
}
