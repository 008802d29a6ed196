//! Compiles the contracts with a pure-Rust compiler, so that no `protoc` is needed.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;

const PROTOS: [&str; 4] = [
    "bookstore/bench/v1/bench.proto",
    "bookstore/bench/v1/events.proto",
    "greet.proto",
    "meteorite_landings.proto",
];

const WORK_PROTO: &str = "bookstore/bench/v1/work.proto";
const EVOLUTION_PROTO: &str = "bookstore/evolution/v1/evolution.proto";

fn main() -> Result<(), Box<dyn Error>> {
    for proto in PROTOS {
        println!("cargo::rerun-if-changed={proto}");
    }
    let descriptors = protox::compile(PROTOS, ["."])?;
    // Apart, because a server has this service only when asked to.
    println!("cargo::rerun-if-changed={WORK_PROTO}");
    let work = protox::compile([WORK_PROTO], ["."])?;
    println!("cargo::rerun-if-changed={EVOLUTION_PROTO}");
    let evolution = protox::compile([EVOLUTION_PROTO], ["."])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("bench.binpb"), descriptors.encode_to_vec())?;
    fs::write(out.join("work.binpb"), work.encode_to_vec())?;
    fs::write(out.join("evolution.binpb"), evolution.encode_to_vec())?;
    let mut all = descriptors;
    all.file.extend(work.file);
    all.file.extend(evolution.file);
    tonic_prost_build::configure()
        .build_transport(false)
        .compile_fds(all)?;
    Ok(())
}
