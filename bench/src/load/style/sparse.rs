//! REST's resources of the screen, whole or with the fields alone that it needs.

use std::borrow::Cow;

use http::{HeaderValue, Uri};
use serde::Deserialize;

use super::{
    rest::{self, expect_ok, parse},
    screen::check_reviews as check_texts,
};
use crate::load::{
    failure::Fault,
    wire::{HttpAnswer, HttpRequest},
};

/// Which fields are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::load) enum Selection {
    /// All.
    Whole,
    /// Those that the screen shows, and the author's id to find the author by.
    Shown,
}

/// The book.
pub(in crate::load) fn book(host: &HeaderValue, selection: Selection) -> HttpRequest {
    let shown = "/api/books/1?fields=id,title,price,authorId";
    get(host, selection, rest::book, shown)
}

/// Its stock.
pub(in crate::load) fn stock(host: &HeaderValue, selection: Selection) -> HttpRequest {
    let shown = "/api/books/1/stock?fields=available";
    get(host, selection, rest::stock, shown)
}

/// Its two newest reviews.
pub(in crate::load) fn reviews(host: &HeaderValue, selection: Selection) -> HttpRequest {
    let shown = "/api/books/1/reviews?limit=2&fields=reviewer,rating,text";
    get(host, selection, rest::reviews, shown)
}

/// Its author.
pub(in crate::load) fn author(
    host: &HeaderValue,
    author_id: u32,
    selection: Selection,
) -> HttpRequest {
    match selection {
        Selection::Whole => rest::author(host, author_id),
        Selection::Shown => {
            let uri = Uri::try_from(format!("/api/authors/{author_id}?fields=name"))
                .expect("digits are allowed in a path");
            HttpRequest::get(host, uri)
        }
    }
}

fn get(
    host: &HeaderValue,
    selection: Selection,
    whole: fn(&HeaderValue) -> HttpRequest,
    shown: &'static str,
) -> HttpRequest {
    match selection {
        Selection::Whole => whole(host),
        Selection::Shown => HttpRequest::get(host, Uri::from_static(shown)),
    }
}

/// 200 and a stock; whose it is, a whole one tells.
pub(in crate::load) fn check_stock(answer: &HttpAnswer, selection: Selection) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Stock {
        #[expect(dead_code, reason = "must be there and be a number")]
        available: i64,
    }
    if selection == Selection::Whole {
        return rest::check_stock(answer);
    }
    expect_ok(answer)?;
    parse::<Stock>(answer, "a stock and nothing else").map(|_| ())
}

/// 200 and two reviews.
pub(in crate::load) fn check_reviews(
    answer: &HttpAnswer,
    selection: Selection,
) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Review<'a> {
        #[serde(borrow)]
        reviewer: Cow<'a, str>,
        #[expect(dead_code, reason = "must be there and be a number")]
        rating: i32,
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    if selection == Selection::Whole {
        return rest::check_book_reviews(answer);
    }
    expect_ok(answer)?;
    let reviews: Vec<Review> = parse(answer, "a list of what reviews show")?;
    let texts = reviews.iter();
    check_texts(texts.map(|review| (review.reviewer.as_ref(), review.text.as_ref())))
}

/// 200 and an author; with which id, a whole one tells.
pub(in crate::load) fn check_author(
    answer: &HttpAnswer,
    author_id: u32,
    selection: Selection,
) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Author<'a> {
        #[serde(borrow)]
        name: Cow<'a, str>,
    }
    if selection == Selection::Whole {
        return rest::check_author(answer, author_id);
    }
    expect_ok(answer)?;
    let author: Author = parse(answer, "an author's name and nothing else")?;
    Fault::if_empty("the author's name", &author.name)
}
