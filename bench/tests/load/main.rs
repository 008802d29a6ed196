//! The compiled clients against small servers of the test's own.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command;
mod compiled;
mod content;
mod encrypted;
mod faults;
mod household;
mod models;
mod product;
mod server;
mod streams;
mod success;

use std::{future::pending, net::SocketAddr};

use bookstore_bench::{
    load::{LoadArgs, run_until},
    record::LoadSummary,
};
use clap::Parser;

#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    args: LoadArgs,
}

/// The arguments of `load run`, with both addresses those of the target.
fn args(line: &str, target: SocketAddr) -> LoadArgs {
    plain_args(&format!(
        "{line} -e BASE_URL=http://{target} -e GRPC_ADDR={target}"
    ))
}

/// The arguments of `load run` as they are.
fn plain_args(line: &str) -> LoadArgs {
    let words = std::iter::once("load").chain(line.split(' '));
    Cli::try_parse_from(words).unwrap().args
}

/// Drives a load to its end.
fn load(line: &str, target: SocketAddr) -> LoadSummary {
    run_until(&args(line, target), pending()).unwrap()
}

/// The one reason why all of the operations failed.
#[track_caller]
fn only_reason(summary: &LoadSummary, failed: u64) -> &str {
    assert_eq!((summary.operations, summary.failed_operations), (0, failed));
    let [failure] = &summary.failures[..] else {
        panic!("not one reason: {:?}", summary.failures);
    };
    assert_eq!(failure.count, failed);
    &failure.reason
}
