//! Connections of the virtual users.

mod body;
mod driver;
mod endpoint;
mod framing;
mod http1;
mod http2;
mod stream;
mod web_socket;

pub(super) use endpoint::{Encryption, Endpoint, resolve};
pub(super) use framing::{Frame, append_framed, frame_length, split_frame};
pub(super) use http1::{HttpAnswer, HttpConnection, HttpRequest};
pub(super) use http2::{GrpcMethod, Http2Connection};
pub(super) use web_socket::WebSocketConnection;
