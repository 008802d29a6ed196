//! gRPC: the scripts of `k6/`, and what scripts see when servers misbehave.

mod bookstore;
pub mod odd;
mod suite;

use std::path::PathBuf;

pub use bookstore::Bookstore;
use odd::OddServer;
use tempfile::TempDir;

/// The servers and files that gRPC scripts need; they end with the value.
pub struct Grpc {
    bookstore: Bookstore,
    odd: OddServer,
    files: TempDir,
}

impl Grpc {
    pub fn start() -> Self {
        let files = tempfile::tempdir().unwrap();
        let protoset = bookstore_proto::FILE_DESCRIPTOR_SET;
        std::fs::write(files.path().join("bench.binpb"), protoset).unwrap();
        std::fs::write(files.path().join("broken.binpb"), "no protoset").unwrap();
        Self {
            bookstore: Bookstore::start(),
            odd: OddServer::start(),
            files,
        }
    }

    /// Arguments that tell scripts of them.
    pub fn arguments(&self) -> Vec<String> {
        let repository = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
        vec![
            format!("-eGRPC_ADDR={}", self.bookstore.addresses.h2c),
            format!("-eGRPCWEB_ADDR={}", self.bookstore.addresses.http1),
            format!("-eODD_ADDR={}", self.odd.address),
            format!("-eFILES={}", self.files.path().display()),
            format!("-eREPOSITORY={}", repository.display()),
        ]
    }
}
