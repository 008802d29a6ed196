//! The greeting of a published benchmark of gRPC against REST.

use bookstore_proto::greet::{HelloReply, HelloRequest};
use http::{HeaderValue, Uri};

use super::rest::{expect_ok, parse};
use crate::load::{
    failure::Fault,
    wire::{HttpAnswer, HttpRequest},
};

/// Path of `Greeter.SayHello`.
pub(in crate::load) const SAY_HELLO: &str = "/Greet.Greeter/SayHello";

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
        name: "gRPC Service".to_owned(),
    }
}

/// The greeting.
pub(in crate::load) fn check_reply(answer: &HelloReply) -> Result<(), Fault> {
    Fault::unless_equal("the text", answer.message.as_str(), GREETING)
}
