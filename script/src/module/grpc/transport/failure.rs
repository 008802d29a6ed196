//! What failures of the protocol mean.

use crate::{
    http2::{Failure, Reason},
    module::grpc::status::Status,
};

/// The status of a call that ended with this failure
/// (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors>).
pub(super) fn status_of(failure: &Failure) -> Status {
    let reason = match failure {
        Failure::Left => return closing(),
        Failure::Closed => return Status::unavailable(failure.to_string()),
        Failure::Io(_) => {
            return Status::unavailable(format!("error reading from server: {failure}"));
        }
        Failure::GoneAway(_) => {
            return Status::unavailable(format!("the connection is closing: {failure}"));
        }
        Failure::Reset(reason) => *reason,
        Failure::Malformed(..) | Failure::Violation(..) => Reason::PROTOCOL_ERROR,
    };
    let text = format!("stream terminated: {failure}");
    match reason {
        Reason::REFUSED_STREAM => Status::unavailable(text),
        Reason::CANCEL => Status::canceled(text),
        Reason::ENHANCE_YOUR_CALM => Status::resource_exhausted(text),
        Reason::INADEQUATE_SECURITY => Status::permission_denied(text),
        _ => Status::internal(text),
    }
}

/// What calls of a closed connection end with.
pub(super) fn closing() -> Status {
    Status::canceled("grpc: the client connection is closing")
}
