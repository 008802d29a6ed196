//! gRPC and gRPC-Web adapter.
