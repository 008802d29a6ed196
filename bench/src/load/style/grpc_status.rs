//! The status that ends every gRPC call.

use http::{HeaderMap, HeaderName};
use tonic::Status;

use crate::load::failure::Fault;

const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// Demands status 0 in the trailers.
pub(in crate::load) fn check(trailers: &HeaderMap) -> Result<(), Fault> {
    match trailers.get(GRPC_STATUS) {
        Some(status) if status == "0" => Ok(()),
        Some(_) => Err(not_ok(trailers)),
        None => Err(Fault::Framing(
            "the answer ends without a grpc-status".to_owned(),
        )),
    }
}

fn not_ok(trailers: &HeaderMap) -> Fault {
    let status = Status::from_header_map(trailers)
        .unwrap_or_else(|| Status::unknown("the grpc-status is no number"));
    Fault::Grpc {
        code: status.code().into(),
        name: format!("{:?}", status.code()),
        message: status.message().to_owned(),
    }
}
