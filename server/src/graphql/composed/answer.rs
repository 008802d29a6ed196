//! Messages of the contract as things of the domain.

use async_graphql::Result;
use bookstore_proto::v1;
use uuid::Uuid;

use super::refusal::unreadable;
use crate::domain::{Author, Book, Reservation, Review, Timestamp};

pub fn book(message: v1::Book) -> Book {
    Book {
        id: message.id,
        title: message.title,
        isbn: message.isbn,
        price_cents: message.price_cents,
        author_id: message.author_id,
    }
}

pub fn author(message: v1::Author) -> Author {
    Author {
        id: message.id,
        name: message.name,
        bio: message.bio,
    }
}

pub fn reviews(message: v1::Reviews) -> Vec<Review> {
    message.reviews.into_iter().map(review).collect()
}

fn review(message: v1::BookReview) -> Review {
    Review {
        id: message.id,
        book_id: message.book_id,
        reviewer: message.reviewer,
        rating: message.rating,
        text: message.text,
        created_at: moment(message.created_at.unwrap_or_default()),
    }
}

/// # Errors
/// It has no id that is one, or no moment.
pub fn reservation(message: v1::ReserveStockResponse) -> Result<Reservation> {
    let id = Uuid::try_parse(&message.reservation_id).map_err(|_| unreadable("reservation id"))?;
    let expires_at = message.expires_at.ok_or_else(|| unreadable("moment"))?;
    Ok(Reservation {
        reservation_id: id,
        order_id: message.order_id,
        expires_at: moment(expires_at),
    })
}

fn moment(message: prost_types::Timestamp) -> Timestamp {
    Timestamp {
        seconds: message.seconds,
    }
}
