//! gRPC-Web, over HTTP/1.1 and HTTP/2
//! (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md>).
//!
//! `request` makes bytes of a call. `answer` makes a status and messages of what comes back, by way
//! of `body` (undoes compression and base64, cuts into frames), `trailer` and `gzip`. None of these
//! knows of sockets. `transport` and `http1` carry the bytes.

mod answer;
mod body;
mod content_type;
#[cfg(test)]
mod fuzz;
mod gzip;
mod http1;
mod request;
mod text;
mod trailer;
mod transport;

pub(crate) use request::{HttpVersion, WebSettings};
pub(crate) use transport::{NOTHING_WRITTEN, Web};
