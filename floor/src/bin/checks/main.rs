//! What `scripts/` runs beside the tests: the target's cost against a floor server's, the load
//! process against other load generators, the embedded runner against both, the server under
//! different drivers, and counted bytes against a capture of the wire.

mod baseline;
mod callgrind;
mod capture;
mod child;
mod cli;
mod clients;
mod drivers;
mod files;
mod goals;
mod instructions;
mod limits;
mod load;
mod oha;
mod order;
mod process;
mod programs;
mod progress;
mod ratio;
mod rivals;
mod row;
mod runner;
mod server;
mod startup;
mod streams;
mod table;
mod time;
mod words;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Checks, Command};

fn main() -> ExitCode {
    let checks = Checks::parse();
    let outcome = match &checks.command {
        Command::Limits(options) => limits::run(&checks.programs, options),
        Command::Drivers(options) => drivers::run(&checks.programs, options),
        Command::Capture(options) => capture::run(&checks.programs, options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            progress::say(&format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}
