//! What each subcommand does, from its arguments to what a person sees.

use std::{
    fmt::Write as _,
    io::{IsTerminal as _, stdout},
    path::PathBuf,
    process::ExitCode,
};

use bookstore_server::{BuildFacts, ServerConfig};

use crate::{
    build,
    catalogue::Catalogue,
    claims::{self, Claims},
    cli::{
        ClaimsArgs, Color, CompareArgs, MeasureArgs, ReportArgs, SchemaArgs, SchemaFile,
        ScriptCommand,
    },
    compare,
    doctor::{Diagnosis, Surroundings},
    error::BenchError,
    load::{self, LoadCommand},
    machine, meter,
    print::{print, tell},
    record::{ClaimsRecord, Session},
    relay::{self, RelayArgs},
    replace::replace,
    report, script_compare,
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
    let printed = print(&(table(&session, args.method.color) + &written(&files)));
    problem.map_or(printed, Err)?;
    Ok(ExitCode::SUCCESS)
}

/// `cells`: what can be measured.
///
/// # Errors
/// It cannot be printed.
pub fn cells() -> Result<ExitCode, BenchError> {
    print(&report::cells::render(&Catalogue::built_in(), width()))?;
    Ok(ExitCode::SUCCESS)
}

/// `verify`: proves that all styles answer alike, and that every cell's own client gets what it should.
///
/// # Errors
/// They do not, or the server does not come up.
pub fn verify() -> Result<ExitCode, BenchError> {
    let executable = std::env::current_exe().map_err(|error| BenchError::Opening(error.into()))?;
    let start = |options: &TargetOptions| Target::spawn(&executable, options);
    let opened =
        |options: &TargetOptions| start(options).map_err(|error| BenchError::Opening(error.into()));
    let plain = TargetOptions::with_workers(1);
    let server = opened(&plain)?;
    let mut verified = verify::verify(server.http_address(), server.h2c_address())?;
    let server = opened(&plain.clone().with_expenses())?;
    verified.add(verify::verify_household(
        server.http_address(),
        server.h2c_address(),
    )?);
    let server = opened(&plain.clone().with_flag("relayed-work", "on"))?;
    verified.add(verify::verify_work(
        server.http_address(),
        server.h2c_address(),
    )?);
    let tried = verify::try_cells(&Catalogue::built_in(), |flags| {
        let with = |options: TargetOptions, (name, value): (&String, &String)| {
            options.with_flag(name, value)
        };
        start(&flags.iter().fold(plain.clone(), with))
    })
    .map_err(|error| BenchError::Opening(error.into()))?;
    let mut differences = verified.answers.differences.clone();
    differences.extend(tried.iter().filter_map(verify::Tried::failure));
    if !differences.is_empty() {
        return Err(BenchError::UnequalAnswers { differences });
    }
    print(&verify::render(&verified, &tried, width()))?;
    Ok(ExitCode::SUCCESS)
}

/// `claims`: checks or lists claims, prints the table and the files written.
///
/// # Errors
/// Whatever keeps the result from being complete and valid; a partial table is printed first.
pub fn claims(args: &ClaimsArgs) -> Result<ExitCode, BenchError> {
    if args.list {
        let claims = Claims::built_in();
        let selected = claims.selected(&args.source, &args.id)?;
        print(&claims::render::list::render(&selected, width()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let claims::Finished {
        record,
        files,
        problem,
    } = claims::check(args)?;
    let printed = print(&(claims_table(&record, args.method.color) + &written(&files)));
    if matches!(problem, Some(BenchError::Interrupted { .. })) {
        tell("to go on, repeat the command with --out and the folder of claims.json");
    }
    problem.map_or(printed, Err)?;
    Ok(ExitCode::SUCCESS)
}

/// `compare`: two results side by side.
///
/// # Errors
/// A file cannot be read, or they have nothing in common.
pub fn compare(args: &CompareArgs) -> Result<ExitCode, BenchError> {
    let old = compare::Side::read(&args.old)?;
    let new = compare::Side::read(&args.new)?;
    let compared = compare::Comparison::of(&old, &new)?;
    print(&compare::render(&compared, width(), in_colour(args.color)))?;
    Ok(ExitCode::SUCCESS)
}

/// `report`: renders a recorded session, or recorded claims, again.
///
/// # Errors
/// The file is neither, or the output cannot be written.
pub fn report(args: &ReportArgs) -> Result<ExitCode, BenchError> {
    if ClaimsRecord::is_at(&args.results) {
        return report_claims(args);
    }
    if args.findings.is_some() {
        // Says that it is no record of claims.
        ClaimsRecord::read(&args.results)?;
    }
    let session = Session::read(&args.results)?;
    let mut text = table(&session, args.color);
    if let Some(folder) = &args.out {
        text += &written(&report::write_all(&session, folder)?);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn report_claims(args: &ReportArgs) -> Result<ExitCode, BenchError> {
    let record = ClaimsRecord::read(&args.results)?;
    let folder = args.out.as_ref().map(|folder| folder.join("claims.md"));
    let files: Vec<PathBuf> = folder.into_iter().chain(args.findings.clone()).collect();
    for file in &files {
        let markdown = claims::render::markdown::render(&record);
        let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder
            .and_then(|()| replace(file, &markdown))
            .map_err(|source| report::ReportError::Write {
                path: file.display().to_string(),
                source,
            })?;
    }
    let mut text = claims_table(&record, args.color);
    if !files.is_empty() {
        text += &written(&files);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// `doctor`: what this machine is and what to fix.
///
/// # Errors
/// Measuring is impossible here.
pub fn doctor() -> Result<ExitCode, BenchError> {
    let machine = machine::collect(&*meter::system_meter());
    let diagnosis = Diagnosis::of(&Surroundings::of(machine));
    print(&on_terminal(&diagnosis.to_string()))?;
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

/// `script run`: the embedded runner alone, with k6's exit codes. `script compare`: the runner
/// against the user's k6.
///
/// # Errors
/// Of a run none: what goes wrong is printed as k6 prints it. A comparison that is impossible or
/// finds differences.
pub fn script(command: &ScriptCommand) -> Result<ExitCode, BenchError> {
    match command {
        ScriptCommand::Run(args) => Ok(ExitCode::from(script_runner::run(args).exit_code)),
        ScriptCommand::Compare(args) => {
            let comparison = script_compare::compare(args)?;
            print(&comparison.to_string())?;
            match comparison.differences.len() {
                0 => Ok(ExitCode::SUCCESS),
                count => Err(BenchError::RunnersDiffer { count }),
            }
        }
    }
}

/// `relay`: a slow link between load and server.
///
/// # Errors
/// It cannot listen, or is less exact than it has to be.
pub fn relay(args: &RelayArgs) -> Result<ExitCode, BenchError> {
    relay::execute(args)?;
    Ok(ExitCode::SUCCESS)
}

/// `schema`: the JSON Schema of `results.json` or `claims.json`.
///
/// # Errors
/// It cannot be printed.
pub fn schema(args: &SchemaArgs) -> Result<ExitCode, BenchError> {
    print(match args.file {
        SchemaFile::Results => report::RESULTS_SCHEMA_JSON,
        SchemaFile::Claims => report::CLAIMS_SCHEMA_JSON,
    })?;
    Ok(ExitCode::SUCCESS)
}

fn table(session: &Session, color: Color) -> String {
    report::terminal::render(session, width(), in_colour(color))
}

fn claims_table(record: &ClaimsRecord, color: Color) -> String {
    claims::render::terminal::render(record, width(), in_colour(color))
}

fn in_colour(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        // An empty value counts as none: https://no-color.org
        Color::Auto => {
            stdout().is_terminal()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// Lines of a list as the terminal is wide; as they are for a file or a pipe.
fn on_terminal(list: &str) -> String {
    match console::Term::stdout().size_checked() {
        Some((_rows, columns)) => wrapped(list, columns),
        None => list.to_owned(),
    }
}

/// Each line wrapped below its own sign.
fn wrapped(list: &str, columns: u16) -> String {
    let options = textwrap::Options::new(columns.max(40).into()).subsequent_indent("  ");
    let lines: Vec<String> = list
        .split('\n')
        .map(|line| textwrap::fill(line, &options))
        .collect();
    lines.join("\n")
}

/// Columns of the terminal.
fn width() -> u16 {
    console::Term::stdout()
        .size_checked()
        .map_or(DEFAULT_WIDTH, |(_rows, columns)| columns)
}

/// The files written, for the end of the output.
fn written(files: &[PathBuf]) -> String {
    let mut text = "\nWritten:\n".to_owned();
    for file in files {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {}", file.display());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_list_are_wrapped_below_their_signs() {
        let list = "· one\n! two three four five six seven eight nine ten eleven\n\nend\n";
        assert_eq!(
            wrapped(list, 40),
            "· one\n! two three four five six seven eight\n  nine ten eleven\n\nend\n"
        );
    }
}
