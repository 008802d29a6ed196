//! What the server saw of a call, as the suite wants it told.

use prost::Name;
use prost_types::Any;
use tonic::{Request, Status, metadata::MetadataMap};

use crate::{
    metadata::{from_metadata, timeout_ms},
    suite::{Header, conformance_payload::RequestInfo},
};

/// The head of a call.
#[derive(Debug)]
pub struct Call {
    headers: Vec<Header>,
    timeout_ms: Option<i64>,
}

impl Call {
    /// The head of `request`.
    pub fn of<T>(request: &Request<T>) -> Self {
        Self::of_metadata(request.metadata())
    }

    fn of_metadata(metadata: &MetadataMap) -> Self {
        Self {
            headers: from_metadata(metadata),
            timeout_ms: timeout_ms(metadata),
        }
    }

    /// The head together with the messages seen so far.
    pub fn info(self, requests: Vec<Any>) -> RequestInfo {
        RequestInfo {
            request_headers: self.headers,
            timeout_ms: self.timeout_ms,
            requests,
            connect_get_info: None,
        }
    }
}

/// Information on messages alone, for all answers but the first.
pub fn info_of_messages(requests: Vec<Any>) -> RequestInfo {
    RequestInfo {
        requests,
        ..RequestInfo::default()
    }
}

/// `message` for an echo.
///
/// # Errors
/// `INTERNAL` when it cannot be encoded.
pub fn pack<M: Name>(message: &M) -> Result<Any, Status> {
    Any::from_msg(message).map_err(|error| Status::internal(error.to_string()))
}
