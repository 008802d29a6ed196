//! How calls reach a server.

mod connection;
mod failure;
mod framing;
mod http2;
mod socket;
mod web;

use std::{rc::Rc, time::Duration};

use bytes::Bytes;
use futures_util::future::LocalBoxFuture;
use http::{HeaderMap, uri::PathAndQuery};
use tokio::sync::mpsc::UnboundedReceiver;

use super::status::Status;
pub(crate) use framing::{begin_frame, end_frame, framed};
pub(crate) use http2::Http2;
pub(crate) use socket::Endpoint;
pub(crate) use web::{HttpVersion, NOTHING_WRITTEN, Web, WebSettings};

/// A way to make calls. One transport is one connection, which is opened again when it was lost;
/// calls of one transport may run side by side. Futures must be polled on the thread and in the
/// runtime of the virtual user.
pub(crate) trait Transport {
    /// Opens the connection.
    fn connect(&self) -> LocalBoxFuture<'_, Result<(), Status>>;

    /// Makes a call and hands over its messages, without their frame, in the order in which they
    /// come. What goes wrong, the deadline included, becomes the status. `incoming` may refuse a
    /// message, which ends the call.
    fn call<'a>(
        &'a self,
        call: &'a Call,
        outgoing: Outgoing,
        incoming: Incoming<'a>,
    ) -> LocalBoxFuture<'a, Ending>;

    /// Closes the connection in order; calls under way end as cancelled.
    fn close(&self) -> LocalBoxFuture<'_, ()>;
}

/// Takes what comes of a call.
pub(crate) trait Receiver {
    /// The headers, before the messages. Only gRPC-Web tells of them ahead of the ending.
    fn headers(&mut self, _headers: &HeaderMap) {}

    /// A message; an error ends the call.
    fn message(&mut self, message: Bytes) -> Result<(), Status>;
}

impl<F: FnMut(Bytes) -> Result<(), Status>> Receiver for F {
    fn message(&mut self, message: Bytes) -> Result<(), Status> {
        self(message)
    }
}

/// Who takes what comes of a call.
pub(crate) type Incoming<'a> = &'a mut dyn Receiver;

/// What a call is made with.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// `/package.Service/Method`.
    pub(crate) path: PathAndQuery,
    /// Headers that the script wants, binary ones already in base64.
    pub(crate) metadata: HeaderMap,
    /// From now until the end of the call; none for as long as it takes.
    pub(crate) timeout: Option<Timeout>,
}

/// How long a call may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Timeout {
    pub(crate) duration: Duration,
    /// Whether the server is told. It is not told of the default: a header that changes with
    /// every call would be part of what is measured.
    pub(crate) announced: bool,
}

/// The messages of a call, each with the room that [`begin_frame`] leaves, filled in.
pub(crate) enum Outgoing {
    /// One message, then the end.
    One(Bytes),
    /// Until the sender is dropped; the function is called for every message that is written.
    Many(UnboundedReceiver<Bytes>, Rc<dyn Fn()>),
}

/// The end of a call.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    pub(crate) status: Status,
    /// Shared with answers that have the same.
    pub(crate) headers: Rc<HeaderMap>,
    pub(crate) trailers: Rc<HeaderMap>,
}

impl Ending {
    pub(crate) fn of(status: Status) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }
}
