//! `bookstore.bench.v1.ResourceService`.

use std::fmt;

use bookstore_proto::v1::{
    self, BatchGetRequest, BatchGetResponse, GetAuthorRequest, GetBookRequest, GetReviewsRequest,
    GetStockRequest, resource_service_server::ResourceService,
};
use tonic::{Request, Response, Status};

use super::status::status_of;
use crate::domain::{Author, Book, DomainError, Review, SharedBookstore, reach};

/// The service over a store.
pub struct ResourceRpc {
    store: SharedBookstore,
}

impl ResourceRpc {
    /// The service over `store`.
    #[must_use]
    pub fn new(store: SharedBookstore) -> Self {
        Self { store }
    }

    fn book(&self, asked: GetBookRequest) -> Result<v1::Book, DomainError> {
        let book = self.store.book(asked.book_id)?;
        Ok(book_message(book.into_owned()))
    }

    fn author(&self, asked: GetAuthorRequest) -> Result<v1::Author, DomainError> {
        let author = self.store.author(asked.author_id)?;
        Ok(author_message(author.into_owned()))
    }

    fn stock(&self, asked: GetStockRequest) -> Result<v1::Stock, DomainError> {
        let stock = self.store.stock(asked.book_id)?;
        Ok(v1::Stock {
            book_id: stock.book_id,
            available: stock.available,
        })
    }

    fn reviews(&self, asked: &GetReviewsRequest) -> Result<v1::Reviews, DomainError> {
        let reviews = self.store.reviews(asked.book_id, asked.limit)?;
        let reviews = reviews.iter().map(review_message).collect();
        Ok(v1::Reviews { reviews })
    }

    fn batch(&self, asked: &BatchGetRequest) -> Result<BatchGetResponse, DomainError> {
        let books = asked.books.iter().map(|&asked| self.book(asked));
        let authors = asked.authors.iter().map(|&asked| self.author(asked));
        let stocks = asked.stocks.iter().map(|&asked| self.stock(asked));
        let reviews = asked.reviews.iter().map(|asked| self.reviews(asked));
        Ok(BatchGetResponse {
            books: books.collect::<Result<_, _>>()?,
            authors: authors.collect::<Result<_, _>>()?,
            stocks: stocks.collect::<Result<_, _>>()?,
            reviews: reviews.collect::<Result<_, _>>()?,
        })
    }
}

impl fmt::Debug for ResourceRpc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceRpc").finish_non_exhaustive()
    }
}

#[tonic::async_trait]
impl ResourceService for ResourceRpc {
    async fn get_book(
        &self,
        request: Request<GetBookRequest>,
    ) -> Result<Response<v1::Book>, Status> {
        reach(&*self.store).await;
        answer(self.book(request.into_inner()))
    }

    async fn get_author(
        &self,
        request: Request<GetAuthorRequest>,
    ) -> Result<Response<v1::Author>, Status> {
        reach(&*self.store).await;
        answer(self.author(request.into_inner()))
    }

    async fn get_stock(
        &self,
        request: Request<GetStockRequest>,
    ) -> Result<Response<v1::Stock>, Status> {
        reach(&*self.store).await;
        answer(self.stock(request.into_inner()))
    }

    async fn get_reviews(
        &self,
        request: Request<GetReviewsRequest>,
    ) -> Result<Response<v1::Reviews>, Status> {
        reach(&*self.store).await;
        answer(self.reviews(request.get_ref()))
    }

    async fn batch_get(
        &self,
        request: Request<BatchGetRequest>,
    ) -> Result<Response<BatchGetResponse>, Status> {
        reach(&*self.store).await;
        answer(self.batch(request.get_ref()))
    }
}

fn answer<T>(found: Result<T, DomainError>) -> Result<Response<T>, Status> {
    found.map(Response::new).map_err(|error| status_of(&error))
}

fn book_message(book: Book) -> v1::Book {
    v1::Book {
        id: book.id,
        title: book.title,
        isbn: book.isbn,
        price_cents: book.price_cents,
        author_id: book.author_id,
    }
}

fn author_message(author: Author) -> v1::Author {
    v1::Author {
        id: author.id,
        name: author.name,
        bio: author.bio,
    }
}

fn review_message(review: &Review) -> v1::BookReview {
    v1::BookReview {
        id: review.id,
        book_id: review.book_id,
        reviewer: review.reviewer.clone(),
        rating: review.rating,
        text: review.text.clone(),
        created_at: Some(prost_types::Timestamp {
            seconds: review.created_at.seconds,
            nanos: 0,
        }),
    }
}
