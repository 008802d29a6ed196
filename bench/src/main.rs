//! `bookstore-bench`: one executable that measures, and starts itself again as server and as load.

use std::process::ExitCode;

use bookstore_bench::{
    cli::{Cli, Command},
    command, files,
    print::tell,
};
use clap::Parser as _;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = Cli::parse();
    files::raise_limit();
    let outcome = match cli.command {
        None => command::measure(&cli.measure),
        Some(Command::Run(args)) => command::measure(&args),
        Some(Command::Cells) => command::cells(),
        Some(Command::Verify) => command::verify(),
        Some(Command::Claims(args)) => command::claims(&args),
        Some(Command::Compare(args)) => command::compare(&args),
        Some(Command::Report(args)) => command::report(&args),
        Some(Command::Doctor) => command::doctor(),
        Some(Command::Serve(config)) => command::serve(&config),
        Some(Command::Load(load)) => command::load(&load),
        Some(Command::Script(script)) => command::script(&script),
        Some(Command::Relay(relay)) => command::relay(&relay),
        Some(Command::Schema(args)) => command::schema(&args),
    };
    outcome.unwrap_or_else(|error| {
        tell(&format!("error: {error}"));
        ExitCode::from(error.exit_code())
    })
}
