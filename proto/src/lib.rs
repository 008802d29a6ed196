//! The one contract of the Bookstore benchmark, generated from `bookstore/bench/v1/*.proto`, and those
//! of the published benchmarks that are measured beside it.
//!
//! Server adapters, the compiled load clients and the tests all use these types, so that the gRPC
//! and gRPC-Web styles cannot drift apart.

/// The source text of `bench.proto`, for tools that compile it at run time.
pub const BENCH_PROTO: &str = include_str!("../bookstore/bench/v1/bench.proto");

/// The compiled contracts as an encoded `google.protobuf.FileDescriptorSet`, imports included;
/// gRPC reflection serves it.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/bench.binpb"));

/// The same for `work.proto`, whose service is no part of what reflection serves.
pub const WORK_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/work.binpb"));

/// The same for `evolution.proto`, which nothing serves.
pub const EVOLUTION_DESCRIPTOR_SET: &[u8] =
    include_bytes!(concat!(env!("OUT_DIR"), "/evolution.binpb"));

/// The code that was generated from `evolution.proto`, as [`evolution`] has it.
pub const EVOLUTION_CODE: &str =
    include_str!(concat!(env!("OUT_DIR"), "/bookstore.evolution.v1.rs"));

/// Messages, clients and servers of package `bookstore.bench.v1`.
#[allow(
    missing_docs,
    unused_qualifications,
    clippy::pedantic,
    reason = "generated code; the documentation is in the .proto files"
)]
pub mod v1 {
    tonic::include_proto!("bookstore.bench.v1");
}

/// Messages, client and server of package `Greet`, the greeting of a published benchmark.
#[allow(
    missing_docs,
    unused_qualifications,
    clippy::pedantic,
    reason = "generated code; the documentation is in greet.proto"
)]
pub mod greet {
    tonic::include_proto!("greet");
}

/// Messages, client and server of package `MeteoriteLandingsService`, of another published benchmark.
#[allow(
    missing_docs,
    unused_qualifications,
    clippy::pedantic,
    reason = "generated code; the documentation is in meteorite_landings.proto"
)]
pub mod meteorite_landings {
    tonic::include_proto!("meteorite_landings_service");
}

/// The message of package `bookstore.evolution.v1`, with a deprecated field.
#[allow(
    missing_docs,
    deprecated,
    clippy::pedantic,
    reason = "generated code; the documentation is in evolution.proto"
)]
pub mod evolution {
    tonic::include_proto!("bookstore.evolution.v1");
}
