//! Answers with the wanted fields alone, in the order of the full ones.

use serde::{Serialize, Serializer};
use utoipa::{
    IntoParams,
    openapi::path::{Parameter, ParameterIn},
};

use super::{
    RestError,
    fields::{Fields, described},
    scalar,
};
use crate::domain::{Author, Book, Review, Stock, Timestamp};

const BOOK_FIELDS: [&str; 5] = ["id", "title", "isbn", "price", "authorId"];
const AUTHOR_FIELDS: [&str; 3] = ["id", "name", "bio"];
const STOCK_FIELDS: [&str; 2] = ["bookId", "available"];
const REVIEW_FIELDS: [&str; 6] = ["id", "bookId", "reviewer", "rating", "text", "createdAt"];

/// Some fields of a book.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseBook<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    isbn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    price: Option<Price>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author_id: Option<i32>,
}

/// Some fields of an author.
#[derive(Debug, Serialize)]
pub(super) struct SparseAuthor<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bio: Option<&'a str>,
}

/// Some fields of a stock.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseStock {
    #[serde(skip_serializing_if = "Option::is_none")]
    book_id: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    available: Option<i32>,
}

/// Some fields of each review.
#[derive(Debug)]
pub(super) struct SparseReviews<'a> {
    reviews: &'a [Review],
    fields: &'a Fields,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SparseReview<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    book_id: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Moment>,
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Price(#[serde(serialize_with = "scalar::price")] i32);

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Moment(#[serde(serialize_with = "scalar::moment")] Timestamp);

impl<'a> SparseBook<'a> {
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn of(book: &'a Book, fields: &Fields) -> Result<Self, RestError> {
        fields.check(&BOOK_FIELDS)?;
        Ok(Self {
            id: fields.wanted("id", book.id),
            title: fields.wanted("title", &book.title),
            isbn: fields.wanted("isbn", &book.isbn),
            price: fields.wanted("price", Price(book.price_cents)),
            author_id: fields.wanted("authorId", book.author_id),
        })
    }
}

impl<'a> SparseAuthor<'a> {
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn of(author: &'a Author, fields: &Fields) -> Result<Self, RestError> {
        fields.check(&AUTHOR_FIELDS)?;
        Ok(Self {
            id: fields.wanted("id", author.id),
            name: fields.wanted("name", &author.name),
            bio: fields.wanted("bio", &author.bio),
        })
    }
}

impl SparseStock {
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn of(stock: Stock, fields: &Fields) -> Result<Self, RestError> {
        fields.check(&STOCK_FIELDS)?;
        Ok(Self {
            book_id: fields.wanted("bookId", stock.book_id),
            available: fields.wanted("available", stock.available),
        })
    }
}

impl<'a> SparseReviews<'a> {
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn of(reviews: &'a [Review], fields: &'a Fields) -> Result<Self, RestError> {
        fields.check(&REVIEW_FIELDS)?;
        Ok(Self { reviews, fields })
    }
}

impl Serialize for SparseReviews<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields;
        serializer.collect_seq(self.reviews.iter().map(|review| SparseReview {
            id: fields.wanted("id", review.id),
            book_id: fields.wanted("bookId", review.book_id),
            reviewer: fields.wanted("reviewer", &review.reviewer),
            rating: fields.wanted("rating", review.rating),
            text: fields.wanted("text", &review.text),
            created_at: fields.wanted("createdAt", Moment(review.created_at)),
        }))
    }
}

impl IntoParams for SparseBook<'_> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        described(&BOOK_FIELDS)
    }
}

impl IntoParams for SparseAuthor<'_> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        described(&AUTHOR_FIELDS)
    }
}

impl IntoParams for SparseStock {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        described(&STOCK_FIELDS)
    }
}

impl IntoParams for SparseReviews<'_> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        described(&REVIEW_FIELDS)
    }
}
