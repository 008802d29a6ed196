//! A second screen, for which REST needs code that GraphQL does not: it is served only when
//! [`RestConfig::second_screen`](super::RestConfig::second_screen) is on, so that a server without it
//! can be asked for it too.

use axum::{extract::State, response::Response};
use serde::Serialize;

use super::{RestError, id::Id, reply, routes::RestState, scalar};
use crate::domain::{BookDetail, Review, Timestamp};

/// Reviews that the card has room for.
const REVIEWS_ON_CARD: i32 = 1;

/// The book-card screen; what the GraphQL query of the same screen selects.
#[derive(Debug, Serialize)]
struct BookCardReply<'a> {
    title: &'a str,
    isbn: &'a str,
    author: AuthorOnCard<'a>,
    reviews: Vec<ReviewOnCard>,
}

#[derive(Debug, Serialize)]
struct AuthorOnCard<'a> {
    name: &'a str,
    bio: &'a str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReviewOnCard {
    rating: i32,
    #[serde(serialize_with = "scalar::moment")]
    created_at: Timestamp,
}

/// `GET /api/screens/book-card/{id}`.
pub(super) async fn book_card(
    State(state): State<RestState>,
    Id(id): Id,
) -> Result<Response, RestError> {
    let detail = state.store.book_detail(id, REVIEWS_ON_CARD)?;
    reply::json(&BookCardReply::from(&detail))
}

impl<'a> From<&'a BookDetail<'_>> for BookCardReply<'a> {
    fn from(detail: &'a BookDetail<'_>) -> Self {
        let on_card = |review: &Review| ReviewOnCard {
            rating: review.rating,
            created_at: review.created_at,
        };
        Self {
            title: &detail.book.title,
            isbn: &detail.book.isbn,
            author: AuthorOnCard {
                name: &detail.author.name,
                bio: &detail.author.bio,
            },
            reviews: detail.reviews.iter().map(on_card).collect(),
        }
    }
}
