//! Work that takes a while behind two hops, to see what becomes of it when its caller gives up. Served
//! only when asked for (`--relayed-work on`).
//!
//! `rest` and `rpc` each have a back, which does the work of a `workshop`, and a front, which has it done
//! by the back over a connection. gRPC passes on what is left of the caller's timeout; REST has nothing
//! to pass on, and learns that its caller is gone from the end of the connection alone.

mod account;
mod caller;
mod error;
mod rest;
mod router;
mod rpc;
mod workshop;

pub use router::serve;
