//! Runs a script as the wrapper does: `cargo run -p script-runner --example run -- FILE -d 5s`.

use std::process::ExitCode;

use clap::Parser;
use script_runner::{ScriptArgs, run};

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    script: ScriptArgs,
}

fn main() -> ExitCode {
    ExitCode::from(run(&Cli::parse().script).exit_code)
}
