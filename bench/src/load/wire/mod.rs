//! Connections of the virtual users.

mod body;
mod driver;
mod endpoint;
mod framing;
mod http1;
mod http2;

pub(super) use endpoint::{Endpoint, resolve};
pub(super) use framing::{Frame, append_framed, split_frame};
pub(super) use http1::{HttpAnswer, HttpConnection, HttpRequest};
pub(super) use http2::{GrpcMethod, Http2Connection};
