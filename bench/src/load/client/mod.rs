//! How a virtual user carries out one operation.

mod beside;
mod book_resources;
mod codec;
mod expense_call;
mod expense_lists;
mod given_up;
mod grpc_call;
mod grpc_resources;
mod http2_request;
mod http_request;
mod in_turn;
mod repeated;
mod resource;
mod stream;

use http::HeaderValue;

pub(super) use beside::{Beside, Costly};
pub(super) use book_resources::BookResources;
pub(super) use codec::Codec;
pub(super) use expense_call::ExpenseCall;
pub(super) use expense_lists::{OneList, TwoLists};
pub(super) use given_up::{GrpcGivenUp, HttpGivenUp};
pub(super) use grpc_call::GrpcCall;
pub(super) use grpc_resources::GrpcResources;
pub(super) use http_request::HttpOperation;
pub(super) use http2_request::Http2Operation;
pub(super) use in_turn::{GrpcInTurn, HttpInTurn};
pub(super) use repeated::{GrpcRepeated, HttpRepeated};
pub(super) use stream::{GrpcStream, HttpStream, WebSocketEvents};

use super::failure::OperationError;

/// `User-Agent` of every request.
pub(crate) const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("bookstore-bench/", env!("CARGO_PKG_VERSION")));

/// The connections of one virtual user and what it does with them.
pub(super) trait Client {
    /// Opens every connection that is not open.
    async fn open(&mut self) -> Result<(), OperationError>;

    /// Carries out one operation and checks every answer.
    async fn operate(&mut self) -> Result<(), OperationError>;

    /// Drops the connections, whose state is unknown; the next operation opens new ones.
    fn reset(&mut self);

    /// Ends the connections in order; another operation opens new ones.
    async fn close(&mut self);
}
