//! The suite's messages and service, generated from its own .proto files.

#![allow(
    dead_code,
    missing_docs,
    unused_qualifications,
    clippy::pedantic,
    reason = "generated code; the documentation is in the suite's .proto files"
)]

/// The suite's messages and service as an encoded `google.protobuf.FileDescriptorSet`.
pub const FILE_DESCRIPTOR_SET: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/suite.binpb"));

tonic::include_proto!("connectrpc.conformance.v1");
