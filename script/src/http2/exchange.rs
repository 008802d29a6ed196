//! One request and its answer.

use std::{future::poll_fn, rc::Rc};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{connection::Connection, error::Failure, hpack::Head};

/// A request whose head was sent. Dropping it before the end of the answer tells the server at the next
/// drive of the connection.
#[derive(Debug)]
pub(crate) struct Exchange<S> {
    connection: Rc<Connection<S>>,
    id: u32,
}

impl<S> Exchange<S> {
    pub(super) fn new(connection: Rc<Connection<S>>, id: u32) -> Self {
        Self { connection, id }
    }

    /// Adds to the body of the request. It is written when somebody waits for an answer.
    pub(crate) fn send(&self, piece: Bytes, ends: bool) {
        self.connection
            .state()
            .borrow_mut()
            .send(self.id, piece, ends);
    }

    /// What came after the body; ask when there are no more pieces.
    pub(crate) fn trailers(&self) -> Option<Head> {
        self.connection.state().borrow_mut().take_trailers(self.id)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Exchange<S> {
    /// The head of the answer. Ask once.
    ///
    /// # Errors
    /// When none comes.
    pub(crate) async fn head(&self) -> Result<Head, Failure> {
        let id = self.id;
        poll_fn(|cx| {
            self.connection
                .poll(id, cx, move |state| state.take_head(id))
        })
        .await
    }

    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// When the end does not come.
    pub(crate) async fn piece(&self) -> Result<Option<Bytes>, Failure> {
        let id = self.id;
        poll_fn(|cx| {
            self.connection
                .poll(id, cx, move |state| state.take_piece(id))
        })
        .await
    }
}

impl<S> Drop for Exchange<S> {
    fn drop(&mut self) {
        self.connection.state().borrow_mut().forget(self.id);
        self.connection.leave(self.id);
    }
}
