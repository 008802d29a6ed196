//! The runner as a whole: scripts in, exit code and outputs out.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod answers;
mod bookstore;
mod conformance;
mod digest;
mod encoded;
mod grpc;
mod grpcweb;
mod hostile;
mod outcome;
mod server;
mod signal;
mod suite;
mod tls;
