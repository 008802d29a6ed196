//! What can be read.
//!
//! async-graphql resolves several root fields side by side, whatever is asked of it, and puts them into the
//! answer in the order in which they end.

use async_graphql::{Context, ID, Object, Result, SelectionField, Value};
use bookstore_proto::v1::{BatchGetRequest, GetAuthorRequest, GetReviewsRequest, GetStockRequest};
use futures_util::{
    future::{OptionFuture, join_all},
    join,
};

use super::{
    super::{published::PublishedQuery, schema::not_a_book_id},
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

    #[graphql(flatten)]
    #[expect(
        clippy::unused_async,
        reason = "async-graphql takes only async functions as resolvers"
    )]
    async fn published(&self) -> PublishedQuery {
        PublishedQuery
    }
}

impl Query {
    async fn find_book(&self, context: &Context<'_>, id: &ID) -> Result<BookNode> {
        let number = id.parse().map_err(|_| not_a_book_id(id))?;
        let book = self.services.book(number).await?;
        let asked = parts_of(context.field(), &book);
        let parts = if asked == BatchGetRequest::default() {
            Parts::default()
        } else if self.services.is_batching {
            self.by_one_call(asked).await
        } else {
            self.by_a_call_each(asked).await
        };
        Ok(BookNode {
            services: self.services.clone(),
            book,
            parts,
        })
    }

    async fn by_one_call(&self, asked: BatchGetRequest) -> Parts {
        let limits: Vec<Option<i32>> = asked.reviews.iter().map(|asked| asked.limit).collect();
        let Ok(found) = self.services.batch(asked).await else {
            return Parts::default();
        };
        let reviews = found.reviews.into_iter().map(answer::reviews);
        Parts {
            author: found.authors.into_iter().next().map(answer::author),
            stock: found.stocks.first().map(|stock| stock.available),
            reviews: limits.into_iter().zip(reviews).collect(),
        }
    }

    /// All calls are made side by side.
    async fn by_a_call_each(&self, asked: BatchGetRequest) -> Parts {
        let services = &self.services;
        let author = OptionFuture::from(
            asked
                .authors
                .first()
                .map(|asked| services.author(asked.author_id)),
        );
        let stock = OptionFuture::from(
            asked
                .stocks
                .first()
                .map(|asked| services.stock(asked.book_id)),
        );
        let reviews = join_all(asked.reviews.into_iter().map(async |asked| {
            let found = services.reviews(asked).await.ok()?;
            Some((asked.limit, found))
        }));
        let (author, stock, reviews) = join!(author, stock, reviews);
        Parts {
            author: author.and_then(Result::ok),
            stock: stock.and_then(Result::ok),
            reviews: reviews.into_iter().flatten().collect(),
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
