//! The four reads that a book-detail screen needs when it asks for each thing by itself.

use axum::{
    extract::{FromRequestParts, Query, State},
    response::Response,
};
use http::request::Parts;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::{
    RestError,
    fields::{Fields, Wanted},
    id::Id,
    problem::Problem,
    refusals::ReadRefusals,
    reply,
    routes::RestState,
    scalar,
    sparse::{SparseAuthor, SparseBook, SparseReviews, SparseStock},
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
    #[schema(required = false)]
    id: i32,
    #[schema(required = false)]
    title: &'a str,
    /// 13 digits.
    #[schema(required = false)]
    isbn: &'a str,
    /// In units of the currency, with up to two decimals.
    #[serde(serialize_with = "scalar::price")]
    #[schema(value_type = f64, required = false)]
    price: i32,
    #[schema(required = false)]
    author_id: i32,
}

/// An author.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": 1, "name": "Anna-Liisa Virtanen", "bio": "Writes about APIs..!"
}))]
pub(super) struct AuthorReply<'a> {
    #[schema(required = false)]
    id: i32,
    #[schema(required = false)]
    name: &'a str,
    /// One sentence about the author.
    #[schema(required = false)]
    bio: &'a str,
}

/// How many copies of a book can be reserved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "bookId": 1, "available": 42 }))]
pub(super) struct StockReply {
    #[schema(required = false)]
    book_id: i32,
    #[schema(minimum = 0, required = false)]
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
    #[schema(required = false)]
    id: i32,
    #[schema(required = false)]
    book_id: i32,
    #[schema(required = false)]
    reviewer: &'a str,
    #[schema(minimum = 1, maximum = 5, required = false)]
    rating: i32,
    #[schema(required = false)]
    text: &'a str,
    #[serde(serialize_with = "scalar::moment")]
    #[schema(value_type = String, format = DateTime, required = false)]
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
    /// Only these fields of each, by their names with commas between; all when it is not given.
    #[param(ignore)]
    fields: Option<Fields>,
}

impl<S: Send + Sync> FromRequestParts<S> for ReviewsQuery {
    type Rejection = RestError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RestError> {
        // Nearly every request has one of these two, for which axum's general reader is dear.
        match parts.uri.query() {
            None => {
                return Ok(Self {
                    limit: None,
                    fields: None,
                });
            }
            Some(query) => {
                if let Some(limit) = plain_limit(query) {
                    return Ok(Self {
                        limit: Some(limit),
                        fields: None,
                    });
                }
            }
        }
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(query)) => Ok(query),
            Err(rejection) => Err(RestError::from_query(parts.uri.query(), &rejection)),
        }
    }
}

/// The number in `limit=123`, written in digits alone.
fn plain_limit(query: &str) -> Option<i32> {
    let digits = query.strip_prefix("limit=")?;
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_plain)
}

/// A book
#[utoipa::path(
    get,
    path = "/api/books/{id}",
    tag = "Catalog",
    params(Id, SparseBook<'_>),
    responses(
        (status = 200, description = "The book, or the fields of it that `fields` names", body = BookReply<'_>),
        ReadRefusals
    )
)]
pub(super) async fn book(
    State(state): State<RestState>,
    Wanted { id, fields }: Wanted,
) -> Result<Response, RestError> {
    let book = state.store.book(id)?;
    match fields {
        None => reply::json(&BookReply::from(&*book)),
        Some(fields) => reply::json(&SparseBook::of(&book, &fields)?),
    }
}

/// The stock of a book
#[utoipa::path(
    get,
    path = "/api/books/{id}/stock",
    tag = "Catalog",
    params(Id, SparseStock),
    responses(
        (status = 200, description = "Its stock, or the fields of it that `fields` names", body = StockReply),
        ReadRefusals
    )
)]
pub(super) async fn stock(
    State(state): State<RestState>,
    Wanted { id, fields }: Wanted,
) -> Result<Response, RestError> {
    let stock = state.store.stock(id)?;
    match fields {
        None => reply::json(&StockReply {
            book_id: stock.book_id,
            available: stock.available,
        }),
        Some(fields) => reply::json(&SparseStock::of(stock, &fields)?),
    }
}

/// The newest reviews of a book, the oldest of them first
#[utoipa::path(
    get,
    path = "/api/books/{id}/reviews",
    tag = "Catalog",
    params(Id, ReviewsQuery, SparseReviews<'_>),
    responses(
        (status = 200, description = "Its reviews, or the fields of them that `fields` names", body = Vec<ReviewReply<'_>>),
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
    query: ReviewsQuery,
) -> Result<Response, RestError> {
    let reviews = state.store.reviews(id, query.limit)?;
    match query.fields {
        None => reply::json(&ReviewList(&reviews)),
        Some(fields) => reply::json(&SparseReviews::of(&reviews, &fields)?),
    }
}

/// An author
#[utoipa::path(
    get,
    path = "/api/authors/{id}",
    tag = "Catalog",
    params(Id, SparseAuthor<'_>),
    responses(
        (status = 200, description = "The author, or the fields of it that `fields` names", body = AuthorReply<'_>),
        ReadRefusals
    )
)]
pub(super) async fn author(
    State(state): State<RestState>,
    Wanted { id, fields }: Wanted,
) -> Result<Response, RestError> {
    let author = state.store.author(id)?;
    match fields {
        None => reply::json(&AuthorReply::from(&*author)),
        Some(fields) => reply::json(&SparseAuthor::of(&author, &fields)?),
    }
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

#[cfg(test)]
mod tests {
    use http::Uri;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_plain_limit_is_what_the_general_reader_reads(text in "limit=[0-9+%&a=-]{0,12}") {
            let uri: Uri = format!("/?{text}").parse().expect("every character may stand in a query");
            let general = Query::<ReviewsQuery>::try_from_uri(&uri);
            if let Some(limit) = plain_limit(&text) {
                prop_assert_eq!(general.ok().and_then(|query| query.limit), Some(limit));
            }
        }
    }

    #[test]
    fn digits_alone_are_plain() {
        assert_eq!(plain_limit("limit=2"), Some(2));
        assert_eq!(plain_limit("limit=2147483647"), Some(i32::MAX));
        for other in [
            "limit=",
            "limit=+2",
            "limit=-2",
            "limit=2147483648",
            "limit=2&",
            "Limit=2",
        ] {
            assert_eq!(plain_limit(other), None, "{other}");
        }
    }
}
