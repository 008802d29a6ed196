//! REST: JSON bodies and status codes.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderValue, StatusCode, Uri};
use serde::Deserialize;

use super::{
    Order,
    reservation::Reservation,
    screen::{BOOK_ID, Screen, check_reviews},
};
use crate::load::{
    failure::Fault,
    wire::{HttpAnswer, HttpRequest},
};

pub(super) const JSON: &str = "application/json";

/// `POST /api/reservations`.
pub(in crate::load) fn reserve_stock(host: &HeaderValue, order: &Order) -> HttpRequest {
    let body = serde_json::to_vec(order).expect("an order has nothing that JSON cannot hold");
    let uri = Uri::from_static("/api/reservations");
    HttpRequest::post(host, uri, JSON, Bytes::from(body))
}

/// 201 and a reservation for our order.
pub(in crate::load) fn check_reservation(answer: &HttpAnswer) -> Result<(), Fault> {
    expect_status(answer, StatusCode::CREATED)?;
    parse::<Reservation>(answer, "a reservation")?.check()
}

/// The screen in one request, from the backend for this frontend.
pub(in crate::load) fn screen(host: &HeaderValue) -> HttpRequest {
    screen_of(host, BOOK_ID)
}

/// The same of another book.
pub(in crate::load) fn screen_of(host: &HeaderValue, book: i32) -> HttpRequest {
    let uri = Uri::try_from(format!("/api/screens/book-detail/{book}"))
        .expect("digits are allowed in a path");
    HttpRequest::get(host, uri)
}

/// 200 and the whole screen.
pub(in crate::load) fn check_screen(answer: &HttpAnswer) -> Result<(), Fault> {
    check_screen_of(answer, BOOK_ID).map(drop)
}

/// The same of another book; gives the id in it.
pub(in crate::load) fn check_screen_of(answer: &HttpAnswer, book: i32) -> Result<i32, Fault> {
    expect_status(answer, StatusCode::OK)?;
    let screen: Screen<i32> = parse(answer, "a book-detail screen")?;
    screen.check(&book)?;
    Ok(screen.id)
}

/// The book.
pub(in crate::load) fn book(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static("/api/books/1"))
}

/// Its stock.
pub(in crate::load) fn stock(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static("/api/books/1/stock"))
}

/// Its two newest reviews.
pub(in crate::load) fn reviews(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static("/api/books/1/reviews?limit=2"))
}

/// Its author.
pub(in crate::load) fn author(host: &HeaderValue, author_id: u32) -> HttpRequest {
    let uri =
        Uri::try_from(format!("/api/authors/{author_id}")).expect("digits are allowed in a path");
    HttpRequest::get(host, uri)
}

/// 200 and book 1; gives its author's id.
pub(in crate::load) fn check_book(answer: &HttpAnswer) -> Result<u32, Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Book<'a> {
        id: i32,
        #[serde(borrow)]
        title: Cow<'a, str>,
        author_id: u32,
    }
    expect_status(answer, StatusCode::OK)?;
    let book: Book = parse(answer, "a book")?;
    Fault::unless_equal("the book's id", book.id, BOOK_ID)?;
    Fault::if_empty("the title", &book.title)?;
    Ok(book.author_id)
}

/// 200 and the stock of book 1.
pub(in crate::load) fn check_stock(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Stock {
        book_id: i32,
        #[expect(dead_code, reason = "must be there and be a number")]
        available: i64,
    }
    expect_status(answer, StatusCode::OK)?;
    let stock: Stock = parse(answer, "a stock")?;
    Fault::unless_equal("the stock's bookId", stock.book_id, BOOK_ID)
}

/// 200 and two reviews of book 1.
pub(in crate::load) fn check_book_reviews(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Review<'a> {
        book_id: i32,
        #[serde(borrow)]
        reviewer: Cow<'a, str>,
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    expect_status(answer, StatusCode::OK)?;
    let reviews: Vec<Review> = parse(answer, "a list of reviews")?;
    for review in &reviews {
        Fault::unless_equal("a review's bookId", review.book_id, BOOK_ID)?;
    }
    let texts = reviews.iter();
    check_reviews(texts.map(|review| (review.reviewer.as_ref(), review.text.as_ref())))
}

/// 200 and the author with this id.
pub(in crate::load) fn check_author(answer: &HttpAnswer, author_id: u32) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Author<'a> {
        id: u32,
        #[serde(borrow)]
        name: Cow<'a, str>,
    }
    expect_status(answer, StatusCode::OK)?;
    let author: Author = parse(answer, "an author")?;
    Fault::unless_equal("the author's id", author.id, author_id)?;
    Fault::if_empty("the author's name", &author.name)
}

fn expect_status(answer: &HttpAnswer, expected: StatusCode) -> Result<(), Fault> {
    if answer.status == expected {
        return Ok(());
    }
    Err(Fault::status(answer.status, expected, &answer.body))
}

/// Demands status 200.
pub(super) fn expect_ok(answer: &HttpAnswer) -> Result<(), Fault> {
    expect_status(answer, StatusCode::OK)
}

/// Reads the body as JSON.
pub(super) fn parse<'a, T: Deserialize<'a>>(
    answer: &'a HttpAnswer,
    what: &'static str,
) -> Result<T, Fault> {
    serde_json::from_slice(&answer.body).map_err(|source| Fault::json(what, source, &answer.body))
}
