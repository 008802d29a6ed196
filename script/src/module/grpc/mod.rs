//! The modules `k6/net/grpc` and `k6/x/grpcweb`.
//!
//! A call goes `client` (or `stream`) → `plan`, which makes bytes of the message → `transport` →
//! `response`. Everything but the transport is the same for every protocol that carries gRPC.

mod call;
mod channel;
mod client;
mod definition;
mod events;
mod health;
mod method;
mod module;
mod params;
mod plan;
mod protocol;
mod reflection;
mod response;
mod samples;
mod status;
mod stream;
mod transport;
mod web;

pub(super) use module::{Grpc, GrpcWeb};
