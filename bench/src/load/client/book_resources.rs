//! The screen from four REST resources.

use std::rc::Rc;

use futures_util::join;
use http::HeaderValue;

use super::{Client, http_request::checked};
use crate::load::{
    failure::OperationError,
    style::rest,
    wire::{Endpoint, HttpConnection, HttpRequest},
};

/// Book, stock and reviews in parallel over three connections, then the author, whose id is in the
/// book, over the first.
#[derive(Debug)]
pub(in crate::load) struct BookResources {
    host: HeaderValue,
    connections: [HttpConnection; 3],
    book: HttpRequest,
    stock: HttpRequest,
    reviews: HttpRequest,
    /// The request for the author with this id; built again when a book names another one.
    author: Option<(u32, HttpRequest)>,
}

impl BookResources {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>, host: &HeaderValue) -> Self {
        Self {
            host: host.clone(),
            connections: std::array::from_fn(|_| HttpConnection::new(endpoint)),
            book: rest::book(host),
            stock: rest::stock(host),
            reviews: rest::reviews(host),
            author: None,
        }
    }
}

impl Client for BookResources {
    async fn open(&mut self) -> Result<(), OperationError> {
        for connection in &mut self.connections {
            connection.open().await?;
        }
        Ok(())
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let [first, second, third] = &mut self.connections;
        // All three to the end, also after an error: a half-read answer would spoil its connection.
        let (book, stock, reviews) = join!(
            first.exchange(&self.book),
            second.exchange(&self.stock),
            third.exchange(&self.reviews),
        );
        let (book, stock, reviews) = (book?, stock?, reviews?);
        let author_id = checked(&self.book, rest::check_book(&book))?;
        checked(&self.stock, rest::check_stock(&stock))?;
        checked(&self.reviews, rest::check_book_reviews(&reviews))?;

        let (_, request) = match &mut self.author {
            Some(known) if known.0 == author_id => known,
            other => other.insert((author_id, rest::author(&self.host, author_id))),
        };
        let author = first.exchange(request).await?;
        checked(request, rest::check_author(&author, author_id))
    }

    fn reset(&mut self) {
        self.connections.iter_mut().for_each(HttpConnection::reset);
    }

    async fn close(self) {
        let [first, second, third] = self.connections;
        join!(first.close(), second.close(), third.close());
    }
}
