//! The greeting of a published benchmark of gRPC against REST.

use std::hint::black_box;

use bookstore_proto::greet::{HelloReply, HelloRequest};
use http::{HeaderValue, Uri};
use prost::Message as _;
use serde::{Deserialize, Serialize};

use super::{
    graphql,
    rest::{expect_ok, parse},
};
use crate::load::{
    failure::Fault,
    wire::{HttpAnswer, HttpRequest},
};

/// Path of `Greeter.SayHello`.
pub(in crate::load) const SAY_HELLO: &str = "/Greet.Greeter/SayHello";

/// The query, with the name as a variable.
const HELLO: &str = include_str!("../../../../k6/lib/documents/hello.graphql");
/// Whom gRPC and GraphQL greet.
const NAME: &str = "gRPC Service";
/// What the gRPC service answers, and REST where both answer the same.
const GREETING: &str = "Hello gRPC Service";
/// What the published REST client asks for.
const OWN_TEXT: &str = "Rest API";

/// Asks REST for the greeting.
pub(in crate::load) fn same_text(host: &HeaderValue) -> HttpRequest {
    let uri = Uri::from_static("/restapi/message/Hello%20gRPC%20Service");
    HttpRequest::get(host, uri)
}

/// The greeting as JSON.
pub(in crate::load) fn check_same_text(answer: &HttpAnswer) -> Result<(), Fault> {
    check_text(answer, GREETING)
}

/// Asks REST for its own text.
pub(in crate::load) fn own_text(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static("/restapi/message/Rest%20API"))
}

/// REST's own text as JSON.
pub(in crate::load) fn check_own_text(answer: &HttpAnswer) -> Result<(), Fault> {
    check_text(answer, OWN_TEXT)
}

fn check_text(answer: &HttpAnswer, expected: &str) -> Result<(), Fault> {
    expect_ok(answer)?;
    let text: String = parse(answer, "a text")?;
    Fault::unless_equal("the text", text.as_str(), expected)
}

/// Greets as the gRPC service.
pub(in crate::load) fn hello() -> HelloRequest {
    HelloRequest {
        name: NAME.to_owned(),
    }
}

/// The greeting.
pub(in crate::load) fn check_reply(answer: &HelloReply) -> Result<(), Fault> {
    Fault::unless_equal("the text", answer.message.as_str(), GREETING)
}

/// Asks GraphQL for the greeting.
pub(in crate::load) fn query(host: &HeaderValue) -> HttpRequest {
    #[derive(Serialize)]
    struct Variables {
        name: &'static str,
    }
    graphql::ask(host, HELLO, Some(Variables { name: NAME }))
}

/// The greeting as GraphQL's data.
pub(in crate::load) fn check_query(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Data {
        hello: String,
    }
    let data: Data = graphql::data(answer)?;
    Fault::unless_equal("the text", data.hello.as_str(), GREETING)
}

/// The greeting to JSON and back.
pub(in crate::load) fn json_and_back() -> Result<(), Fault> {
    let encoded = black_box(serde_json::to_vec(black_box(GREETING)));
    let encoded = encoded.map_err(|source| Fault::json("a text", source, &[]))?;
    let text: String = serde_json::from_slice(&encoded)
        .map_err(|source| Fault::json("a text", source, &encoded))?;
    Fault::unless_equal("the text", text.as_str(), GREETING)
}

/// The greeting to protobuf and back.
pub(in crate::load) fn protobuf_and_back(reply: &HelloReply) -> Result<(), Fault> {
    let encoded = black_box(black_box(reply).encode_to_vec());
    check_reply(&HelloReply::decode(&*encoded)?)
}

/// The greeting itself.
pub(in crate::load) fn reply() -> HelloReply {
    HelloReply {
        message: GREETING.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_has_its_size() {
        let host = HeaderValue::from_static("localhost:5300");
        assert_eq!(query(&host).body_len(), 87);
    }
}
