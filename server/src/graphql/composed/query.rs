//! What can be read.

use async_graphql::{Context, ID, Object, Result, SelectionField, Value};
use bookstore_proto::v1::{BatchGetRequest, GetAuthorRequest, GetReviewsRequest, GetStockRequest};

use super::{
    super::schema::not_a_book_id,
    Services, answer,
    book::{BookNode, Parts},
};
use crate::domain::Book;

/// What can be read.
pub struct Query {
    /// Who is asked.
    pub services: Services,
}

/// What can be read.
#[Object]
impl Query {
    /// One book; null with an error when it does not exist.
    async fn book(&self, context: &Context<'_>, id: ID) -> Option<Result<BookNode>> {
        Some(self.find_book(context, &id).await)
    }
}

impl Query {
    async fn find_book(&self, context: &Context<'_>, id: &ID) -> Result<BookNode> {
        let number = id.parse().map_err(|_| not_a_book_id(id))?;
        let book = self.services.book(number).await?;
        let parts = if self.services.is_batching {
            self.parts(context.field(), &book).await
        } else {
            Parts::default()
        };
        Ok(BookNode {
            services: self.services.clone(),
            book,
            parts,
        })
    }

    /// Everything that the selection needs beside the book itself, by one call.
    async fn parts(&self, selected: SelectionField<'_>, book: &Book) -> Parts {
        let asked = parts_of(selected, book);
        if asked == BatchGetRequest::default() {
            return Parts::default();
        }
        let reviews_asked = asked.reviews.clone();
        match self.services.batch(asked).await {
            None => Parts::default(),
            Some(found) => Parts {
                author: found.authors.into_iter().next().map(answer::author),
                stock: found.stocks.first().map(|stock| stock.available),
                reviews: reviews_asked
                    .into_iter()
                    .map(|asked| asked.limit)
                    .zip(found.reviews.into_iter().map(answer::reviews))
                    .collect(),
            },
        }
    }
}

/// What the fields selected of a book need, each once.
fn parts_of(selected: SelectionField<'_>, book: &Book) -> BatchGetRequest {
    let mut asked = BatchGetRequest::default();
    for field in selected.selection_set() {
        match field.name() {
            "author" if asked.authors.is_empty() => asked.authors.push(GetAuthorRequest {
                author_id: book.author_id,
            }),
            "stock" if asked.stocks.is_empty() => {
                asked.stocks.push(GetStockRequest { book_id: book.id });
            }
            "reviews" => {
                let one = GetReviewsRequest {
                    book_id: book.id,
                    limit: last(&field),
                };
                if !asked.reviews.contains(&one) {
                    asked.reviews.push(one);
                }
            }
            _ => {}
        }
    }
    asked
}

/// The argument `last`, where it is a number.
fn last(field: &SelectionField<'_>) -> Option<i32> {
    let arguments = field.arguments().ok()?;
    let (_, value) = arguments.into_iter().find(|(name, _)| name == "last")?;
    match value {
        Value::Number(number) => i32::try_from(number.as_i64()?).ok(),
        _ => None,
    }
}
