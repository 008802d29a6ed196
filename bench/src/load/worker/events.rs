//! The cells that read a stream of events.

use std::rc::Rc;

use http::HeaderValue;

use super::{Worker, call};
use crate::load::{
    LoadError,
    client::{GrpcStream, HttpStream, WebSocketEvents},
    style::{
        events::{self, EventCount, WATCH_EVENTS, watch_request},
        stream::Format,
    },
    wire::{Endpoint, HttpRequest},
};

impl Worker {
    /// Drives the cells of scenario s.stream.
    pub(super) async fn drive_events(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        cell: &str,
    ) -> Result<u64, LoadError> {
        match cell {
            "s-stream-grpc" => {
                let uri = call(endpoint, WATCH_EVENTS);
                let client = || -> GrpcStream<_, EventCount> {
                    GrpcStream::new(endpoint, uri.clone(), watch_request(), 1)
                };
                self.drive(client).await
            }
            "s-stream-grpcweb" => {
                self.read(endpoint, events::by_grpc_web(host), Format::GrpcWeb)
                    .await
            }
            "s-stream-sse" => self.read(endpoint, events::by_sse(host), Format::Sse).await,
            "s-stream-graphql-sse" => {
                self.read(endpoint, events::by_graphql_sse(host), Format::GraphqlSse)
                    .await
            }
            "s-stream-graphql-ws" => self.drive(|| WebSocketEvents::new(endpoint)).await,
            _ => Err(LoadError::NoClient {
                cell: cell.to_owned(),
            }),
        }
    }

    /// Reads streams over HTTP/1.1.
    async fn read(
        self,
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        format: Format,
    ) -> Result<u64, LoadError> {
        let client =
            || -> HttpStream<EventCount> { HttpStream::new(endpoint, request.clone(), format, 1) };
        self.drive(client).await
    }
}
