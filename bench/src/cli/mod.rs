//! The command line.

mod measure;

use std::path::PathBuf;

use bookstore_server::ServerConfig;
use clap::{Args, Parser, Subcommand};

use script_runner::ScriptArgs;

pub use measure::{MeasureArgs, Profile};

use crate::{load::LoadCommand, relay::RelayArgs};

const EXAMPLE: &str = "\
Example: compare REST and gRPC with 50 lines per order, ten rounds of two seconds:
  bookstore-bench --cells a-rest,a-grpc --lines 50 --rounds 10 --duration 2s

Exit codes: 0 measured; 1 failed; 2 usage; 3 wrong answers, failed operations, debug build or no
valid row; 130 interrupted (the partial result is kept).";

/// Measures the same Bookstore operations in REST, gRPC, gRPC-Web and GraphQL on this machine and
/// reports the server's CPU time per operation beside throughput, latency and bytes.
#[derive(Debug, Parser)]
#[command(
    name = "bookstore-bench",
    version,
    args_conflicts_with_subcommands = true,
    args_override_self = true,
    max_term_width = 100,
    after_help = EXAMPLE,
    after_long_help = EXAMPLE
)]
pub struct Cli {
    /// What to do; measuring when absent.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to measure.
    #[command(flatten)]
    pub measure: MeasureArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure (the default).
    #[command(after_help = EXAMPLE, after_long_help = EXAMPLE)]
    Run(Box<MeasureArgs>),
    /// List the cells that can be measured.
    Cells,
    /// Prove that all styles give equal answers, without measuring.
    Verify,
    /// Render tables and report again from a results file.
    Report(ReportArgs),
    /// Print what this machine is, what can be measured on it, and what to fix.
    Doctor,
    /// Run the target server alone.
    Serve(Box<ServerConfig>),
    /// Run the compiled load clients alone; the command line is that of `k6`.
    #[command(subcommand)]
    Load(LoadCommand),
    /// Run k6 scripts with the embedded runner; the command line is that of `k6`.
    #[command(subcommand)]
    Script(ScriptCommand),
    /// Relay TCP connections over a slow link: a delay and a rate in each direction.
    Relay(RelayArgs),
    /// Print the JSON Schema of `results.json`.
    Schema,
}

/// `script`, with the subcommand of k6 that the embedded runner knows.
#[derive(Debug, Subcommand)]
pub enum ScriptCommand {
    /// Run a script.
    Run(Box<ScriptArgs>),
}

/// `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results.json of a session, complete or partial.
    pub results: PathBuf,
    /// Write results.md, results.csv and report.html into this folder too.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// When to colour the table.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
