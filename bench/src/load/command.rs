//! `load run` as a process of its own.

use std::process::ExitCode;

use super::{
    LoadCommand, LoadError,
    engine::{Signals, drive, environment},
    settings::Settings,
    summary::Line,
    summary_file::SummaryFile,
};

/// What k6 exits with after SIGINT or SIGTERM.
const INTERRUPTED: u8 = 105;

/// Carries out the command, leaves the summary in the file that `BENCH_SUMMARY` names, if it names
/// one, and prints a line for people. Success means that there is a summary; failed operations are
/// in it.
///
/// # Errors
/// See [`LoadError`].
pub fn execute(command: &LoadCommand) -> Result<ExitCode, LoadError> {
    let LoadCommand::Run(args) = command;
    let settings = Settings::resolve(args, environment)?;
    let file = settings
        .summary
        .as_deref()
        .map(SummaryFile::create)
        .transpose()?;
    let outcome = drive(settings, Signals::listen)?;
    if !args.quiet {
        anstream::println!("{}", Line(&outcome.summary));
    }
    if let Some(file) = file {
        file.finish(&outcome.summary)?;
    }
    Ok(if outcome.interrupted {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}
