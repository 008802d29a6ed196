//! What failures of the protocol mean.

use h2::Reason;

use crate::module::grpc::status::Status;

/// The status of a call that ended with this error
/// (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md#errors>).
pub(super) fn status_of(error: &h2::Error) -> Status {
    if error.is_io() {
        return Status::unavailable(format!("error reading from server: {error}"));
    }
    if error.is_go_away() {
        return Status::unavailable(format!("the connection is closing: {error}"));
    }
    let text = format!("stream terminated: {error}");
    match error.reason() {
        Some(Reason::REFUSED_STREAM) => Status::unavailable(text),
        Some(Reason::CANCEL) => Status::canceled(text),
        Some(Reason::ENHANCE_YOUR_CALM) => Status::resource_exhausted(text),
        Some(Reason::INADEQUATE_SECURITY) => Status::permission_denied(text),
        _ => Status::internal(text),
    }
}
