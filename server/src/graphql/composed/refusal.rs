//! A gRPC status as the GraphQL error that the store's own refusal would be.

use async_graphql::{Error, ErrorExtensions as _};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::super::types::class_name;
use crate::domain::ErrorClass;

/// The error for a call that failed: a refusal of the domain keeps its words, code and class.
pub fn refusal(status: &Status) -> Error {
    let reason = status.get_details_error_info().map(|info| info.reason);
    let error = Error::new(status.message());
    match (class_of(status.code()), reason) {
        (Some(class), Some(code)) => error.extend_with(|_, extensions| {
            extensions.set("code", code.as_str());
            extensions.set("class", class_name(class));
        }),
        _ => error.extend_with(|_, extensions| extensions.set("code", "UPSTREAM_FAILED")),
    }
}

fn class_of(code: Code) -> Option<ErrorClass> {
    match code {
        Code::InvalidArgument => Some(ErrorClass::Invalid),
        Code::NotFound => Some(ErrorClass::NotFound),
        Code::FailedPrecondition => Some(ErrorClass::Conflict),
        _ => None,
    }
}

/// The error for an answer that makes no sense.
pub fn unreadable(what: &str) -> Error {
    let text = format!("the gRPC server's answer has no usable {what}");
    Error::new(text).extend_with(|_, extensions| extensions.set("code", "UPSTREAM_FAILED"))
}
