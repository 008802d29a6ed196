//! The book-detail screen, as one JSON object.

use std::{borrow::Cow, fmt::Display};

use serde::Deserialize;

use crate::load::failure::Fault;

/// The book that is shown.
pub(in crate::load) const BOOK_ID: i32 = 1;
/// How many of its reviews.
pub(in crate::load) const REVIEWS: i32 = 2;

/// The screen in the BFF (`I` is a number) and in GraphQL (`I` is a text).
#[derive(Debug, Deserialize)]
pub(super) struct Screen<'a, I> {
    pub(super) id: I,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[expect(dead_code, reason = "must be there and be a number")]
    price: f64,
    #[serde(borrow)]
    author: Author<'a>,
    #[expect(dead_code, reason = "must be there and be a number")]
    stock: i64,
    #[serde(borrow)]
    reviews: Vec<Review<'a>>,
}

#[derive(Debug, Deserialize)]
struct Author<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

#[derive(Debug, Deserialize)]
struct Review<'a> {
    #[serde(borrow)]
    reviewer: Cow<'a, str>,
    #[expect(dead_code, reason = "must be there and be a number")]
    rating: i32,
    #[serde(borrow)]
    text: Cow<'a, str>,
}

impl<I: PartialEq + Display> Screen<'_, I> {
    pub(super) fn check(&self, id: &I) -> Result<(), Fault> {
        Fault::unless_equal("the book's id", &self.id, id)?;
        Fault::if_empty("the title", &self.title)?;
        Fault::if_empty("the author's name", &self.author.name)?;
        let reviews = self.reviews.iter();
        check_reviews(reviews.map(|review| (review.reviewer.as_ref(), review.text.as_ref())))
    }
}

/// The facts about (reviewer, text) that the reviews of any style must have.
pub(super) fn check_reviews<'a>(
    reviews: impl ExactSizeIterator<Item = (&'a str, &'a str)>,
) -> Result<(), Fault> {
    let count = i32::try_from(reviews.len()).unwrap_or(i32::MAX);
    Fault::unless_equal("the number of reviews", count, REVIEWS)?;
    for (reviewer, text) in reviews {
        Fault::if_empty("a reviewer", reviewer)?;
        Fault::if_empty("a review's text", text)?;
    }
    Ok(())
}
