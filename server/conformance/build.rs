//! Compiles the suite's .proto files from the folder that `CONFORMANCE_PROTO_DIR` names.

use std::{env, error::Error, fs, path::PathBuf};

use prost::Message as _;
use tonic_prost_build::Config;

const FOLDER: &str = "CONFORMANCE_PROTO_DIR";
const FILES: [&str; 2] = [
    "connectrpc/conformance/v1/server_compat.proto",
    "connectrpc/conformance/v1/service.proto",
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    if env::var_os("CARGO_FEATURE_SUITE").is_none() {
        return Ok(());
    }
    let folder = env::var(FOLDER).map_err(|_| {
        format!(
            "{FOLDER} is not set; it names the folder `proto` of the Go module \
             connectrpc.com/conformance, and `scripts/conformance server` sets it"
        )
    })?;
    println!("cargo::rerun-if-changed={folder}");
    let descriptors = protox::compile(FILES, [&folder])
        .map_err(|error| format!("{FOLDER}={folder} does not hold the suite: {error}"))?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("suite.binpb"), descriptors.encode_to_vec())?;
    let mut config = Config::new();
    config
        .enable_type_names()
        .type_name_domain(["."], "type.googleapis.com");
    tonic_prost_build::configure()
        .build_transport(false)
        .build_client(false)
        // The suite has a method that must not be implemented.
        .generate_default_stubs(true)
        .compile_fds_with_config(descriptors, config)?;
    Ok(())
}
