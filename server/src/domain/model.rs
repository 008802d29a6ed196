//! The things of the domain. None of them knows a wire format.

use std::borrow::Cow;

use uuid::Uuid;

use super::Timestamp;

/// A book of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// 1 to the number of books.
    pub id: i32,
    /// Title as shown on screen.
    pub title: String,
    /// 13 digits.
    pub isbn: String,
    /// Price in hundredths of the currency unit.
    pub price_cents: i32,
    /// The author's [`Author::id`].
    pub author_id: i32,
}

/// An author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Author {
    /// 1 to the number of authors.
    pub id: i32,
    /// Full name.
    pub name: String,
    /// One sentence about the author.
    pub bio: String,
}

/// A review of a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// 1 to the number of reviews; grows with age of the catalogue.
    pub id: i32,
    /// The reviewed [`Book::id`].
    pub book_id: i32,
    /// First name of the reviewer.
    pub reviewer: String,
    /// 1 to 5.
    pub rating: i32,
    /// What the reviewer wrote.
    pub text: String,
    /// When it was written.
    pub created_at: Timestamp,
}

/// How many copies of a book can be reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stock {
    /// The [`Book::id`].
    pub book_id: i32,
    /// Copies.
    pub available: i32,
}

/// Everything that the book-detail screen shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookDetail<'a> {
    /// The book.
    pub book: Cow<'a, Book>,
    /// Its author.
    pub author: Cow<'a, Author>,
    /// Its stock.
    pub stock: Stock,
    /// Its newest reviews, the oldest of them first.
    pub reviews: Cow<'a, [Review]>,
}

/// An order that wants stock reserved, borrowed from the request that carries it.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The caller's order id.
    pub order_id: &'a str,
    /// What to reserve.
    pub lines: &'a [Line<'a>],
}

/// One line of an [`Order`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// 13 digits.
    pub isbn: &'a str,
    /// Copies.
    pub quantity: i32,
}

/// A reservation that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// Unique in the life of the server.
    pub reservation_id: Uuid,
    /// The caller's order id, handed back.
    pub order_id: String,
    /// When the reservation lapses.
    pub expires_at: Timestamp,
}
