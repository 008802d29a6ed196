//! gRPC and gRPC-Web as a foreign client sees them: bytes over real sockets, one server for
//! HTTP/1.1 and one for h2c, built as the product's own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answer;
mod cancellation;
mod content_types;
mod cross_origin;
mod deadlines;
mod errors;
mod framing;
mod gzip;
mod introspection;
mod operations;
mod peer;
mod requests;
mod sizes;
mod stores;
mod style;
