//! Operations of several calls, each of which needs the answer to the one before.

use std::rc::Rc;

use bookstore_proto::v1::{BookDetail, GetBookDetailRequest};
use http::Uri;

use super::{Client, http_request::checked};
use crate::load::{
    failure::{Fault, OperationError},
    style::{message, screen::BOOK_ID},
    wire::{Endpoint, GrpcMethod, Http2Connection, HttpAnswer, HttpConnection, HttpRequest},
};

/// Gives the id in the right answer for a book.
type Check = fn(&HttpAnswer, i32) -> Result<i32, Fault>;

/// Asks for the first book, then for the one after that which was found, until all requests were sent,
/// over one HTTP/1.1 connection.
#[derive(Debug)]
pub(in crate::load) struct HttpInTurn {
    connection: HttpConnection,
    requests: Rc<[HttpRequest]>,
    check: Check,
}

impl HttpInTurn {
    /// `requests` are those for the books from the first on.
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        requests: Rc<[HttpRequest]>,
        check: Check,
    ) -> Self {
        Self {
            connection: HttpConnection::new(endpoint),
            requests,
            check,
        }
    }
}

impl Client for HttpInTurn {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let mut book = BOOK_ID;
        while let Some(request) = place(book).and_then(|place| self.requests.get(place)) {
            let answer = self.connection.exchange(request).await?;
            book = checked(request, (self.check)(&answer, book))? + 1;
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// The same over gRPC.
#[derive(Debug)]
pub(in crate::load) struct GrpcInTurn {
    connection: Http2Connection,
    method: GrpcMethod,
    messages: Rc<[GetBookDetailRequest]>,
}

impl GrpcInTurn {
    /// `messages` are those for the books from the first on.
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        uri: Uri,
        messages: Rc<[GetBookDetailRequest]>,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri),
            messages,
        }
    }
}

impl Client for GrpcInTurn {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let mut book = BOOK_ID;
        while let Some(message) = place(book).and_then(|place| self.messages.get(place)) {
            let answer: BookDetail = self.connection.call(&self.method, message).await?;
            let found = message::check_book_detail_of(&answer, book);
            let found = found.map_err(|fault| OperationError::Answer {
                request: self.method.name(),
                fault,
            })?;
            book = found + 1;
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Where the request for a book stands.
fn place(book: i32) -> Option<usize> {
    usize::try_from(book - BOOK_ID).ok()
}
