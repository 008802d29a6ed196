//! gRPC-Web: the shared tables of answers and requests, the scripts of `k6/`, and open sockets.

pub mod echo;
mod rows;
mod server;
mod sockets;
mod suite;
