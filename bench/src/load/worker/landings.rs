//! The cells of the two published benchmarks whose operations are the same call again and again.

use std::rc::Rc;

use bookstore_proto::meteorite_landings::{
    EmptyRequest, FirstRequest, ListsRequest, MeteoriteLandingList,
};
use http::HeaderValue;
use prost::Message;

use super::{Check, Worker, call};
use crate::load::{
    LoadError,
    client::{Codec, GrpcRepeated, GrpcStream, HttpRepeated, HttpStream},
    failure::Fault,
    style::{
        greeting,
        landing::{
            self, query,
            streamed::{JsonRecords, Lists, Messages},
        },
        stream::{Format, Items},
    },
    wire::{Endpoint, Http2Connection, HttpAnswer, HttpConnection, HttpRequest},
};

/// Makes a request for a host.
type Ask = fn(&HeaderValue) -> HttpRequest;

impl Worker {
    /// Drives the cells of scenarios m.* and g.codec.
    pub(super) async fn drive_landings(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        cell: &str,
    ) -> Result<u64, LoadError> {
        let over_http: Option<(Ask, Check)> = match cell {
            "m-small-rest" => Some((landing::version, landing::check_version)),
            "m-small-graphql" => Some((query::version, query::check_version)),
            "m-get-rest" => Some((landing::all, landing::check_all)),
            "m-get-graphql" => Some((query::all, query::check_all)),
            "m-post-rest" => Some((landing::upload, landing::check_taken)),
            "m-post-graphql" => Some((query::upload, query::check_taken)),
            _ => None,
        };
        if let Some((request, check)) = over_http {
            return self.repeat_request(endpoint, host, request, check).await;
        }
        if let Some((_, format)) = cell.split_once("codec-") {
            return self.drive_codec(cell, format == "rest").await;
        }
        let records = self.share.settings.records;
        match cell {
            "m-count-rest" => {
                let request = move |host: &HeaderValue| landing::first(host, records);
                let check = move |answer: &HttpAnswer| landing::check_first(answer, records);
                return self.repeat_request(endpoint, host, request, check).await;
            }
            "m-count-grpc" => {
                let message = Rc::new(FirstRequest { records });
                let check = move |answer: &MeteoriteLandingList| {
                    landing::check_first_message(answer, records)
                };
                return self
                    .repeat(endpoint, "GetFirstAsList", message, check)
                    .await;
            }
            _ => {}
        }
        let empty = Rc::new(EmptyRequest {});
        match cell {
            "m-small-grpc" => {
                let check = landing::check_version_message;
                self.repeat(endpoint, "GetVersion", empty, check).await
            }
            "m-get-grpc" => {
                let (name, check) = ("GetLargePayloadAsList", landing::check_list);
                self.repeat(endpoint, name, empty, check).await
            }
            "m-post-grpc" => {
                let (name, check) = ("PostLargePayload", landing::check_taken_message);
                self.repeat(endpoint, name, landing::list(), check).await
            }
            "m-stream-rest" => {
                self.read_json(endpoint, landing::lines(host), Format::Lines)
                    .await
            }
            "m-stream-graphql" => {
                self.read_json(endpoint, query::one_by_one(host), Format::GraphqlSse)
                    .await
            }
            "m-stream-grpc" => {
                self.read_messages::<_, Messages>(endpoint, "GetLargePayload", EmptyRequest {})
                    .await
            }
            _ => {
                let records_per_list = match cell {
                    "m-stream-grpc-10" => 10,
                    "m-stream-grpc-100" => 100,
                    "m-stream-grpc-1000" => 1_000,
                    _ => {
                        let cell = cell.to_owned();
                        return Err(LoadError::NoClient { cell });
                    }
                };
                let (name, lists) = ("GetLargePayloadInLists", ListsRequest { records_per_list });
                self.read_messages::<_, Lists>(endpoint, name, lists).await
            }
        }
    }

    /// Drives operations of the same request, over the HTTP version of the settings.
    async fn repeat_request(
        self,
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        request: impl Fn(&HeaderValue) -> HttpRequest + Copy + 'static,
        check: impl Fn(&HttpAnswer) -> Result<(), Fault> + Copy + 'static,
    ) -> Result<u64, LoadError> {
        let calls = self.share.settings.calls;
        if self.share.settings.http2 {
            let client = || -> HttpRepeated<Http2Connection, _, _> {
                HttpRepeated::new(endpoint, host, request, check, calls)
            };
            self.drive(client).await
        } else {
            let client = || -> HttpRepeated<HttpConnection, _, _> {
                HttpRepeated::new(endpoint, host, request, check, calls)
            };
            self.drive(client).await
        }
    }

    /// Drives operations of streams of JSON.
    async fn read_json(
        self,
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        format: Format,
    ) -> Result<u64, LoadError> {
        let calls = self.share.settings.calls;
        let client = || -> HttpStream<JsonRecords> {
            HttpStream::new(endpoint, request.clone(), format, calls)
        };
        self.drive(client).await
    }

    /// Drives operations of streams of messages of the landings' service.
    async fn read_messages<Q: Message + Copy + 'static, I: Items + 'static>(
        self,
        endpoint: &Rc<Endpoint>,
        name: &str,
        message: Q,
    ) -> Result<u64, LoadError> {
        let uri = call(endpoint, &landing::method(name));
        let calls = self.share.settings.calls;
        let client =
            || -> GrpcStream<Q, I> { GrpcStream::new(endpoint, uri.clone(), message, calls) };
        self.drive(client).await
    }

    /// Drives cells that encode and decode alone.
    async fn drive_codec(self, cell: &str, json: bool) -> Result<u64, LoadError> {
        let calls = self.share.settings.calls;
        let list = landing::list();
        let reply = Rc::new(greeting::reply());
        match (cell.starts_with("g-"), json) {
            (true, true) => {
                let work = greeting::json_and_back;
                self.drive(|| Codec::new("text to JSON and back", work, calls))
                    .await
            }
            (true, false) => {
                let client = || {
                    let reply = Rc::clone(&reply);
                    let work = move || greeting::protobuf_and_back(&reply);
                    Codec::new("text to protobuf and back", work, calls)
                };
                self.drive(client).await
            }
            (false, true) => {
                let work = landing::json_and_back;
                self.drive(|| Codec::new("list to JSON and back", work, calls))
                    .await
            }
            (false, false) => {
                let client = || {
                    let list = Rc::clone(&list);
                    let work = move || landing::protobuf_and_back(&list);
                    Codec::new("list to protobuf and back", work, calls)
                };
                self.drive(client).await
            }
        }
    }

    /// Drives operations of the same call of the landings' service.
    async fn repeat<Q: Message + 'static, A: Message + Default + 'static>(
        self,
        endpoint: &Rc<Endpoint>,
        name: &str,
        message: Rc<Q>,
        check: impl Fn(&A) -> Result<(), Fault> + Copy + 'static,
    ) -> Result<u64, LoadError> {
        let uri = call(endpoint, &landing::method(name));
        let calls = self.share.settings.calls;
        let client = || {
            let (uri, message) = (uri.clone(), Rc::clone(&message));
            GrpcRepeated::new(endpoint, uri, message, check, calls)
        };
        self.drive(client).await
    }
}
