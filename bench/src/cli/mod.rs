//! The command line.

mod claims;
mod example;
mod measure;

use std::path::PathBuf;

use bookstore_server::ServerConfig;
use clap::{Args, Parser, Subcommand};

use script_runner::ScriptArgs;

pub use claims::{ClaimsArgs, CompareArgs, Pace};
pub use measure::{MeasureArgs, MethodArgs, Profile};

use crate::{load::LoadCommand, relay::RelayArgs, script_compare::ScriptCompareArgs};

/// Measures the same Bookstore operations in REST, gRPC, gRPC-Web and GraphQL on this machine and
/// reports the server's CPU time per operation beside throughput, latency and bytes.
#[derive(Debug, Parser)]
#[command(
    name = "bookstore-bench",
    version,
    args_conflicts_with_subcommands = true,
    args_override_self = true,
    max_term_width = 100,
    after_help = example::MEASURE,
    after_long_help = example::MEASURE
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
    #[command(after_help = example::MEASURE, after_long_help = example::MEASURE)]
    Run(Box<MeasureArgs>),
    /// List the cells that can be measured.
    #[command(after_help = example::CELLS, after_long_help = example::CELLS)]
    Cells,
    /// Prove that all styles give equal answers, without measuring.
    Verify,
    /// Check what others have claimed about API styles on this machine.
    #[command(after_help = example::CLAIMS, after_long_help = example::CLAIMS)]
    Claims(Box<ClaimsArgs>),
    /// Compare two results files, or one with the article's table.
    #[command(after_help = example::COMPARE, after_long_help = example::COMPARE)]
    Compare(CompareArgs),
    /// Render tables and report again from a results file.
    #[command(after_help = example::REPORT, after_long_help = example::REPORT)]
    Report(ReportArgs),
    /// Print what this machine is, what can be measured on it, and what to fix.
    Doctor,
    /// Run the target server alone.
    #[command(after_help = example::SERVE, after_long_help = example::SERVE)]
    Serve(Box<ServerConfig>),
    /// Run the compiled load clients alone; the command line is that of `k6`.
    #[command(subcommand)]
    Load(LoadCommand),
    /// Run k6 scripts with the embedded runner; the command line is that of `k6`.
    #[command(subcommand)]
    Script(ScriptCommand),
    /// Relay TCP connections over a slow link: a delay and a rate in each direction.
    #[command(after_help = example::RELAY, after_long_help = example::RELAY)]
    Relay(RelayArgs),
    /// Print the JSON Schema of `results.json`, or of `claims.json`.
    Schema(SchemaArgs),
}

/// `script`: what can be done with a k6 script.
#[derive(Debug, Subcommand)]
pub enum ScriptCommand {
    /// Run a script.
    #[command(after_help = example::SCRIPT, after_long_help = example::SCRIPT)]
    Run(Box<ScriptArgs>),
    /// Run a script here and in your own k6, and print every difference.
    Compare(Box<ScriptCompareArgs>),
}

/// `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// The results.json of a session or the claims.json of claims, complete or partial.
    pub results: PathBuf,
    /// Write results.md, results.csv and report.html (of claims: claims.md) into this folder too.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Of claims: write the findings into this Markdown file.
    #[arg(long, value_name = "FILE")]
    pub findings: Option<PathBuf>,
    /// When to colour the table.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Which file's.
    #[arg(value_enum, default_value_t, value_name = "FILE")]
    pub file: SchemaFile,
}

/// A file that has a published schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum SchemaFile {
    /// `results.json` of a session.
    #[default]
    Results,
    /// `claims.json` of claims.
    Claims,
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
