//! The backend for one frontend: everything that a screen shows in one answer.

use axum::{extract::State, response::Response};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::{RestError, id::Id, refusals::ReadRefusals, reply, routes::RestState, scalar};
use crate::domain::{BookDetail, Review};

/// Reviews that the screen has room for.
const REVIEWS_ON_SCREEN: i32 = 2;

/// The book-detail screen; what the GraphQL query of the same screen selects.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "id": 1,
    "title": "Practical API Measurement",
    "price": 49.9,
    "author": { "name": "Anna-Liisa Virtanen" },
    "stock": 42,
    "reviews": [
        { "reviewer": "Deniz", "rating": 5, "text": "Clear and to point" },
        { "reviewer": "Mika", "rating": 4, "text": "Useful numbers.!" }
    ]
}))]
pub(super) struct BookDetailReply<'a> {
    id: i32,
    title: &'a str,
    /// In units of the currency, with up to two decimals.
    #[serde(serialize_with = "scalar::price")]
    #[schema(value_type = f64)]
    price: i32,
    author: AuthorOnScreen<'a>,
    /// Copies that can be reserved.
    #[schema(minimum = 0)]
    stock: i32,
    /// The newest two, the older first.
    #[serde(serialize_with = "reviews_on_screen")]
    #[schema(value_type = Vec<ReviewOnScreen<'_>>, max_items = 2)]
    reviews: &'a [Review],
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct AuthorOnScreen<'a> {
    name: &'a str,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ReviewOnScreen<'a> {
    reviewer: &'a str,
    #[schema(minimum = 1, maximum = 5)]
    rating: i32,
    text: &'a str,
}

/// Everything that the book-detail screen shows
#[utoipa::path(
    get,
    path = "/api/screens/book-detail/{id}",
    tag = "Screens",
    params(Id),
    responses(
        (status = 200, description = "The screen", body = BookDetailReply<'_>),
        ReadRefusals
    )
)]
pub(super) async fn book_detail(
    State(state): State<RestState>,
    Id(id): Id,
) -> Result<Response, RestError> {
    let detail = state.store.book_detail(id, REVIEWS_ON_SCREEN)?;
    reply::json(&BookDetailReply::from(&detail))
}

impl<'a> From<&'a BookDetail<'_>> for BookDetailReply<'a> {
    fn from(detail: &'a BookDetail<'_>) -> Self {
        Self {
            id: detail.book.id,
            title: &detail.book.title,
            price: detail.book.price_cents,
            author: AuthorOnScreen {
                name: &detail.author.name,
            },
            stock: detail.stock.available,
            reviews: &detail.reviews,
        }
    }
}

/// Written one by one, without a list of replies in between.
fn reviews_on_screen<S: Serializer>(reviews: &[Review], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(reviews.iter().map(|review| ReviewOnScreen {
        reviewer: &review.reviewer,
        rating: review.rating,
        text: &review.text,
    }))
}
