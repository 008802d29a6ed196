//! Flags.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::programs::Programs;

/// Checks that need more than `cargo test`.
#[derive(Parser)]
#[command(version)]
pub struct Checks {
    #[command(flatten)]
    pub programs: Programs,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Compare the target's cost per operation with a floor server's
    Limits(Limits),
    /// Compare the server's cost under the embedded runner with that under the compiled clients
    Drivers(Drivers),
    /// Compare the bytes that `load` counts with a capture of the wire
    Capture(Capture),
}

/// Options of `limits`. Without a mode both time and instructions are measured.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag, and clap allows one of the modes at most"
)]
#[derive(Args)]
#[command(
    after_help = "Examples:\n  scripts/limits --time --cells a-rest,b-rest\n  scripts/limits --runner --quick\n  scripts/limits --check"
)]
pub struct Limits {
    /// Measure CPU time only
    #[arg(long, group = "mode", help_heading = "What to measure")]
    pub time: bool,
    /// Count user-space instructions only
    #[arg(long, group = "mode", help_heading = "What to measure")]
    pub instructions: bool,
    /// Compare the load process's own CPU with wrk's and h2load's
    #[arg(long, group = "mode", help_heading = "What to measure")]
    pub clients: bool,
    /// Compare the embedded runner's own CPU with load's and oha's, and measure its start-up
    #[arg(long, group = "mode", help_heading = "What to measure")]
    pub runner: bool,
    /// With --runner: shorter runs, no oha unless it is there, at most 1,000 virtual users
    #[arg(
        long,
        requires = "runner",
        conflicts_with_all = ["rounds", "duration_ms", "warmup_ms"],
        help_heading = "What to measure"
    )]
    pub quick: bool,
    /// Count instructions and compare each ratio with the committed baseline
    #[arg(long, group = "mode", help_heading = "What to measure")]
    pub check: bool,
    /// Count instructions and write them as the new baseline
    #[arg(long, group = "mode", help_heading = "What to measure")]
    pub update_baseline: bool,
    /// Only these cells, by their id in k6/scenarios.json
    #[arg(
        long,
        value_name = "ID",
        value_delimiter = ',',
        help_heading = "What to measure"
    )]
    pub cells: Vec<String>,

    /// Rounds; an interval needs 6
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "How")]
    pub rounds: u32,
    /// Length of a measured run, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..=600_000), help_heading = "How")]
    pub duration_ms: u32,
    /// Length of the warm-up before it, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500, value_parser = clap::value_parser!(u32).range(100..=600_000), help_heading = "How")]
    pub warmup_ms: u32,
    /// Virtual users while time is measured
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "How")]
    pub vus: u32,
    /// Worker threads of both servers while time is measured
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "How")]
    pub workers: u16,
    /// Operations of the longer of the two runs that instructions are counted in
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u32).range(200..=100_000), help_heading = "How")]
    pub operations: u32,
    /// Seed of the order of runs
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "How")]
    pub seed: u64,

    /// Print Markdown for docs/performance.md
    #[arg(long, help_heading = "Output")]
    pub markdown: bool,
    /// The committed instruction counts
    #[arg(
        long,
        value_name = "FILE",
        default_value = "floor/baseline.json",
        help_heading = "Output"
    )]
    pub baseline: PathBuf,
}

/// Options of `drivers`.
#[derive(Args)]
#[command(after_help = "Example:\n  scripts/drivers --cells a-rest,a-grpc --rate 1000 --rounds 12")]
pub struct Drivers {
    /// Only these cells, by their id in k6/scenarios.json
    #[arg(
        long,
        value_name = "ID",
        value_delimiter = ',',
        help_heading = "What to measure"
    )]
    pub cells: Vec<String>,
    /// Operations per second, the same for every cell and driver
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "How")]
    pub rate: u32,
    /// Rounds, each with a session of either driver; an interval needs 6
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "How")]
    pub rounds: u32,
    /// Length of a measured run, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1000..=600_000), help_heading = "How")]
    pub duration_ms: u32,
    /// Length of the warm-up before it, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1000..=600_000), help_heading = "How")]
    pub warmup_ms: u32,
    /// Virtual users
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000), help_heading = "How")]
    pub vus: u32,
    /// Worker threads of the server and of either driver
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "How")]
    pub workers: u16,
    /// Seed of the order of runs
    #[arg(long, value_name = "SEED", default_value_t = 1, help_heading = "How")]
    pub seed: u64,
    /// Measure a debug build all the same
    #[arg(long, help_heading = "How")]
    pub allow_debug: bool,
    /// Print Markdown for docs/performance.md
    #[arg(long, help_heading = "Output")]
    pub markdown: bool,
}

/// Options of `capture`.
#[derive(Args)]
pub struct Capture {
    /// Only these cells, by their id in k6/scenarios.json
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub cells: Vec<String>,
    /// Operations per cell
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub operations: u32,
    /// Virtual users
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub vus: u32,
}
