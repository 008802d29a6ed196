//! The screen from four REST resources.

use std::rc::Rc;

use futures_util::join;
use http::HeaderValue;

use super::{Client, http_request::checked, resource::Resource};
use crate::load::{
    failure::OperationError,
    style::{
        rest,
        sparse::{self, Selection},
    },
    wire::{Endpoint, HttpConnection, HttpRequest},
};

/// Book, stock and reviews in parallel over three connections, then the author, whose id is in the
/// book, over the first.
#[derive(Debug)]
pub(in crate::load) struct BookResources {
    host: HeaderValue,
    selection: Selection,
    resource: fn(HttpRequest) -> Resource,
    connections: [HttpConnection; 3],
    book: Resource,
    stock: Resource,
    reviews: Resource,
    /// The author with this id; built again when a book names another one.
    author: Option<(u32, Resource)>,
}

impl BookResources {
    /// Whole resources, fetched every time.
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>, host: &HeaderValue) -> Self {
        Self::of(endpoint, host, Selection::Whole, Resource::new)
    }

    /// Whole resources, fetched when the virtual user's cache does not have them.
    pub(in crate::load) fn cached(endpoint: &Rc<Endpoint>, host: &HeaderValue) -> Self {
        Self::of(endpoint, host, Selection::Whole, Resource::cached)
    }

    /// The fields alone that the screen needs, fetched every time.
    pub(in crate::load) fn sparse(endpoint: &Rc<Endpoint>, host: &HeaderValue) -> Self {
        Self::of(endpoint, host, Selection::Shown, Resource::new)
    }

    fn of(
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        selection: Selection,
        resource: fn(HttpRequest) -> Resource,
    ) -> Self {
        Self {
            host: host.clone(),
            selection,
            resource,
            connections: std::array::from_fn(|_| HttpConnection::new(endpoint)),
            book: resource(sparse::book(host, selection)),
            stock: resource(sparse::stock(host, selection)),
            reviews: resource(sparse::reviews(host, selection)),
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
            self.book.get(first),
            self.stock.get(second),
            self.reviews.get(third),
        );
        let (book, stock, reviews) = (book?, stock?, reviews?);
        let selection = self.selection;
        let author_id = checked(self.book.request(), rest::check_book(&book))?;
        checked(self.stock.request(), sparse::check_stock(&stock, selection))?;
        checked(
            self.reviews.request(),
            sparse::check_reviews(&reviews, selection),
        )?;

        let (_, resource) = match &mut self.author {
            Some(known) if known.0 == author_id => known,
            other => {
                let request = sparse::author(&self.host, author_id, selection);
                other.insert((author_id, (self.resource)(request)))
            }
        };
        let author = resource.get(first).await?;
        checked(
            resource.request(),
            sparse::check_author(&author, author_id, selection),
        )
    }

    fn reset(&mut self) {
        self.connections.iter_mut().for_each(HttpConnection::reset);
    }

    async fn close(&mut self) {
        let [first, second, third] = &mut self.connections;
        join!(first.close(), second.close(), third.close());
    }
}
