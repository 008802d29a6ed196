//! What each subcommand does, from its arguments to what a person sees.

use std::{
    io::{IsTerminal as _, stdout},
    process::ExitCode,
};

use bookstore_server::{BuildFacts, ServerConfig};

use crate::{
    build,
    cli::{Color, MeasureArgs, ReportArgs},
    doctor::{Diagnosis, Surroundings},
    error::BenchError,
    load::{self, LoadCommand},
    machine, meter,
    record::Session,
    report,
    session::{self, Finished},
    target::{Target, TargetOptions},
    verify,
};

/// Used when the width of the terminal is unknown, as in a pipe.
const DEFAULT_WIDTH: u16 = 120;

/// `run`: measures, prints the table and the files written.
///
/// # Errors
/// Whatever keeps the result from being complete and valid; a partial table is printed first.
pub fn measure(args: &MeasureArgs) -> Result<ExitCode, BenchError> {
    let Finished {
        session,
        files,
        problem,
    } = session::measure(args)?;
    print_table(&session, args.color);
    anstream::println!("\nWritten:");
    for file in files {
        anstream::println!("  {}", file.display());
    }
    problem.map_or(Ok(ExitCode::SUCCESS), Err)
}

/// `verify`: proves that all styles answer alike.
///
/// # Errors
/// They do not, or the server does not come up.
pub fn verify() -> Result<ExitCode, BenchError> {
    let executable = std::env::current_exe().map_err(|error| BenchError::Opening(error.into()))?;
    let server = Target::spawn(&executable, &TargetOptions::with_workers(1))
        .map_err(|error| BenchError::Opening(error.into()))?;
    let outcome = verify::verify(server.http_address(), server.h2c_address())?;
    if !outcome.differences.is_empty() {
        return Err(BenchError::UnequalAnswers {
            differences: outcome.differences,
        });
    }
    anstream::println!("{} answers compared, all styles agree", outcome.compared);
    Ok(ExitCode::SUCCESS)
}

/// `report`: renders a recorded session again.
///
/// # Errors
/// The file is no session, or the output cannot be written.
pub fn report(args: &ReportArgs) -> Result<ExitCode, BenchError> {
    let session = Session::read(&args.results)?;
    print_table(&session, args.color);
    if let Some(folder) = &args.out {
        for file in report::write_all(&session, folder)? {
            anstream::println!("{}", file.display());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// `doctor`: what this machine is and what to fix.
///
/// # Errors
/// Measuring is impossible here.
pub fn doctor() -> Result<ExitCode, BenchError> {
    let machine = machine::collect(&*meter::system_meter());
    let diagnosis = Diagnosis::of(&Surroundings::of(machine));
    anstream::print!("{diagnosis}");
    if diagnosis.can_measure() {
        Ok(ExitCode::SUCCESS)
    } else {
        Err(BenchError::Doctor)
    }
}

/// `serve`: the target server alone.
///
/// # Errors
/// A port is taken, or the system refuses something.
pub fn serve(config: &ServerConfig) -> Result<ExitCode, BenchError> {
    let facts = BuildFacts {
        version: build::VERSION,
        git_revision: build::GIT_REVISION,
        build_profile: build::PROFILE,
        allocator: build::ALLOCATOR,
    };
    bookstore_server::serve(config, facts)?;
    Ok(ExitCode::SUCCESS)
}

/// `load run`: the compiled load clients alone.
///
/// # Errors
/// An unknown script, or a summary that cannot be written.
pub fn load(command: &LoadCommand) -> Result<ExitCode, BenchError> {
    Ok(load::execute(command)?)
}

/// `schema`: the JSON Schema of `results.json`.
///
/// # Errors
/// None.
pub fn schema() -> Result<ExitCode, BenchError> {
    anstream::print!("{}", report::RESULTS_SCHEMA_JSON);
    Ok(ExitCode::SUCCESS)
}

fn print_table(session: &Session, color: Color) {
    let color = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    let width = match console::Term::stdout().size_checked() {
        Some((_rows, columns)) => columns,
        None => DEFAULT_WIDTH,
    };
    anstream::print!("{}", report::terminal::render(session, width, color));
}
