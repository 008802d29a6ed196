//! The modules that scripts import, one file or directory each.
//!
//! To add one, implement [`rquickjs::module::ModuleDef`] for a unit struct (declare the exports,
//! then set them) and name it in `builtin`. The README of the crate shows how.

pub(crate) mod builtin;
mod bytes;
mod check;
mod core;
mod data;
mod encoding;
mod execution;
mod grpc;
mod http;
mod metrics;
mod shared_arrays;
mod timers;

pub use bytes::bytes_of;
pub(crate) use http::Response;
