//! A book, and what belongs to it.
//!
//! Its fields are resolved in series, because async-graphql puts those that wait into the answer in the order
//! in which they end, and not in that of the query.

use std::borrow::Cow;

use async_graphql::{ID, Object, Result};
use bookstore_proto::v1::GetReviewsRequest;

use super::{
    super::types::{AuthorNode, ReviewNode},
    Services,
};
use crate::domain::{Author, Book, Review};

/// A book, and the services that know what belongs to it.
pub struct BookNode {
    /// Who is asked for what is not there.
    pub services: Services,
    /// The book itself.
    pub book: Book,
    /// What was found beforehand. A resolver asks again for what is missing, and so learns why.
    pub parts: Parts,
}

/// What belongs to a book, as far as it is known.
#[derive(Default)]
pub struct Parts {
    /// Its author.
    pub author: Option<Author>,
    /// Copies.
    pub stock: Option<i32>,
    /// Its newest reviews, by how many were asked for.
    pub reviews: Vec<(Option<i32>, Vec<Review>)>,
}

/// A book of the catalogue.
#[Object(name = "Book", serial)]
impl BookNode {
    /// 1 to the number of books.
    async fn id(&self) -> ID {
        ID(self.book.id.to_string())
    }

    /// Title as shown on screen.
    async fn title(&self) -> &str {
        &self.book.title
    }

    /// 13 digits.
    async fn isbn(&self) -> &str {
        &self.book.isbn
    }

    /// Price in the currency's unit.
    async fn price(&self) -> f64 {
        f64::from(self.book.price_cents) / 100.0
    }

    /// Who wrote it.
    async fn author(&self) -> Result<AuthorNode<'_>> {
        if let Some(author) = &self.parts.author {
            return Ok(AuthorNode(Cow::Borrowed(author)));
        }
        let author = self.services.author(self.book.author_id).await?;
        Ok(AuthorNode(Cow::Owned(author)))
    }

    /// Copies that can be reserved.
    async fn stock(&self) -> Result<i32> {
        match self.parts.stock {
            Some(stock) => Ok(stock),
            None => self.services.stock(self.book.id).await,
        }
    }

    /// The newest reviews, the oldest of them first.
    async fn reviews(
        &self,
        #[graphql(desc = "How many of the newest; all when left out.")] last: Option<i32>,
    ) -> Result<Vec<ReviewNode<'_>>> {
        let known = self.parts.reviews.iter().find(|(asked, _)| *asked == last);
        if let Some((_, reviews)) = known {
            let borrowed = reviews
                .iter()
                .map(|review| ReviewNode(Cow::Borrowed(review)));
            return Ok(borrowed.collect());
        }
        let asked = GetReviewsRequest {
            book_id: self.book.id,
            limit: last,
        };
        let reviews = self.services.reviews(asked).await?;
        let owned = reviews
            .into_iter()
            .map(|review| ReviewNode(Cow::Owned(review)));
        Ok(owned.collect())
    }
}
