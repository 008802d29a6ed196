//! Compiles the contracts with a pure-Rust compiler, so that no `protoc` is needed.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;

const PROTOS: [&str; 3] = [
    "bookstore/bench/v1/bench.proto",
    "greet.proto",
    "meteorite_landings.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    for proto in PROTOS {
        println!("cargo::rerun-if-changed={proto}");
    }
    let descriptors = protox::compile(PROTOS, ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("bench.binpb"), descriptors.encode_to_vec())?;
    tonic_prost_build::configure()
        .build_transport(false)
        .compile_fds(descriptors)?;
    Ok(())
}
