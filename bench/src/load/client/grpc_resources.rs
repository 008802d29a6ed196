//! The screen from four gRPC calls.

use std::rc::Rc;

use bookstore_proto::v1::{
    Author, Book, GetAuthorRequest, GetBookRequest, GetReviewsRequest, GetStockRequest, Reviews,
    Stock,
};
use http::Uri;

use super::Client;
use crate::load::{
    failure::{Fault, OperationError},
    style::{message, screen::BOOK_ID, screen::REVIEWS},
    wire::{Endpoint, GrpcMethod, Http2Connection},
};

/// Book, stock and reviews, then the author, whose id is in the book, one after the other over one
/// connection.
#[derive(Debug)]
pub(in crate::load) struct GrpcResources {
    connection: Http2Connection,
    book: GrpcMethod,
    stock: GrpcMethod,
    reviews: GrpcMethod,
    author: GrpcMethod,
}

impl GrpcResources {
    /// `method` gives the address of a method of the service by its name.
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        method: impl Fn(&'static str) -> Uri,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            book: GrpcMethod::new(method(message::GET_BOOK)),
            stock: GrpcMethod::new(method(message::GET_STOCK)),
            reviews: GrpcMethod::new(method(message::GET_REVIEWS)),
            author: GrpcMethod::new(method(message::GET_AUTHOR)),
        }
    }
}

impl Client for GrpcResources {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let book_id = BOOK_ID;
        let asked = GetBookRequest { book_id };
        let book: Book = self.connection.call(&self.book, &asked).await?;
        checked(&self.book, message::check_book(&book))?;
        let asked = GetStockRequest { book_id };
        let stock: Stock = self.connection.call(&self.stock, &asked).await?;
        checked(&self.stock, message::check_stock(stock))?;
        let asked = GetReviewsRequest {
            book_id,
            limit: Some(REVIEWS),
        };
        let reviews: Reviews = self.connection.call(&self.reviews, &asked).await?;
        checked(&self.reviews, message::check_reviews_of_book(&reviews))?;
        let author_id = book.author_id;
        let asked = GetAuthorRequest { author_id };
        let author: Author = self.connection.call(&self.author, &asked).await?;
        checked(&self.author, message::check_author(&author, author_id))
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Says which call had the wrong answer.
fn checked(method: &GrpcMethod, result: Result<(), Fault>) -> Result<(), OperationError> {
    result.map_err(|fault| OperationError::Answer {
        request: method.name(),
        fault,
    })
}
