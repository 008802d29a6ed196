//! A session from its first check to its last file: drives the plan, and saves after every run.

use std::{env, path::PathBuf};

use crate::{
    analysis::analyse,
    build,
    catalogue::Catalogue,
    cli::MeasureArgs,
    error::BenchError,
    full_load,
    interrupt::Interrupt,
    opening::{self, Opening},
    options::Options,
    output::Output,
    progress::Progress,
    record::{RESULTS_SCHEMA, RecordError, Session, SessionState},
    run::Runner,
};

/// What a session came to.
pub struct Finished {
    /// The session as it was saved.
    pub session: Session,
    /// The files written.
    pub files: Vec<PathBuf>,
    /// Why it is not a full and valid result, if it is not.
    pub problem: Option<BenchError>,
}

/// Measures what `args` ask for. A session that fails half-way is finished all the same: its runs
/// are analysed, saved and returned beside the problem.
///
/// # Errors
/// The session failed before its first run.
pub fn measure(args: &MeasureArgs) -> Result<Finished, BenchError> {
    let catalogue = Catalogue::built_in();
    let options = Options::new(args, &catalogue)?;
    let output = Output::create(args.method.out.as_deref())?;
    let interrupt = Interrupt::install().map_err(BenchError::Signals)?;
    let runner = Runner::new(&options, &catalogue, interrupt)
        .map_err(|error| BenchError::Opening(Box::new(error)))?;
    let opening = opening::open(&runner, options.allow_debug)?;
    let mut session = begin(&options, opening);
    output.save(&session)?;
    let runs = session.rows.len() as u64 * u64::from(session.settings.rounds);
    let mut progress = Progress::new(runs, session.settings.rounds, args.method.no_progress);
    let outcome = make_runs(
        &mut session,
        &runner,
        &mut |session| output.save(session),
        &mut progress,
    );
    progress.finish();
    session.state = match &outcome {
        Ok(()) => SessionState::Complete,
        Err(BenchError::Interrupted { .. }) => SessionState::Interrupted,
        Err(error) => SessionState::Failed {
            error: error.to_string(),
        },
    };
    match output.finish(&session) {
        Ok(files) => {
            let problem = outcome.err().or_else(|| invalid(&session));
            Ok(Finished {
                session,
                files,
                problem,
            })
        }
        // The disk is the problem; whatever was saved before it filled up is still there.
        Err(error) => {
            let files = vec![output.results()];
            let problem = Some(outcome.err().unwrap_or(error));
            Ok(Finished {
                session,
                files,
                problem,
            })
        }
    }
}

/// A session without runs, after what came before the first one.
pub(crate) fn begin(options: &Options, opening: Opening) -> Session {
    let now = jiff::Timestamp::now();
    let mut session = Session {
        schema: RESULTS_SCHEMA.to_owned(),
        tool_version: build::VERSION.to_owned(),
        tool_revision: build::GIT_REVISION.map(str::to_owned),
        command: command_line(),
        started_at: now,
        updated_at: now,
        state: SessionState::Running,
        machine: opening.machine,
        settings: options.settings.clone(),
        server: opening.facts,
        server_idle_cpu_us_per_s: opening.idle_cpu_us_per_s,
        equal_answers: Some(opening.equal_answers),
        rows: options.rows.clone(),
        maxima: Vec::new(),
        runs: Vec::new(),
        analysis: crate::record::Analysis::default(),
    };
    session.analysis = analyse(&session);
    session
}

/// Makes every planned run that the session does not hold yet, and saves after each; the session
/// holds whatever was made when it returns.
pub(crate) fn make_runs(
    session: &mut Session,
    runner: &Runner<'_>,
    save: &mut dyn FnMut(&Session) -> Result<(), RecordError>,
    progress: &mut Progress,
) -> Result<(), BenchError> {
    full_load::offer_shares(session, runner, progress)?;
    let order = session.settings.order.clone();
    let planned = order.iter().map(Vec::len).sum();
    for (round, ids) in (1..).zip(&order) {
        for (slot, id) in (1..).zip(ids) {
            let Some(row) = session.rows.iter().find(|row| &row.id == id) else {
                continue;
            };
            if session
                .runs
                .iter()
                .any(|run| run.round == round && &run.row == id)
            {
                progress.end();
                continue;
            }
            progress.begin(round, row);
            let run = runner.measure(row, round, slot, &session.machine);
            let run = run.map_err(|source| match source {
                source if source.is_interruption() => BenchError::Interrupted {
                    made: session.runs.len(),
                    planned,
                },
                source => BenchError::Run {
                    row: row.id.clone(),
                    round,
                    source: Box::new(source),
                },
            })?;
            session
                .check_engine(&run)
                .map_err(|source| BenchError::Run {
                    row: row.id.clone(),
                    round,
                    source,
                })?;
            session.runs.push(run);
            session.updated_at = jiff::Timestamp::now();
            session.analysis = analyse(session);
            save(session)?;
            progress.end();
        }
    }
    Ok(())
}

/// A session whose runs were all made is still no result when operations failed in them.
pub(crate) fn invalid(session: &Session) -> Option<BenchError> {
    let failed: u64 = session
        .runs
        .iter()
        .map(|run| run.load.failed_operations)
        .sum();
    let worst = session
        .runs
        .iter()
        .flat_map(|run| &run.load.failures)
        .max_by_key(|failure| failure.count);
    let out = session.analysis.rounds_out.first();
    if failed == 0 && out.is_none() {
        return None;
    }
    Some(BenchError::FailedOperations {
        failed,
        rounds_out: session.settings.rounds - session.analysis.valid_rounds,
        rounds: session.settings.rounds,
        reason: worst
            .map(|failure| failure.reason.clone())
            .or_else(|| out.map(|out| out.reason.clone()))
            .unwrap_or_default(),
    })
}

/// The command line of this process.
pub(crate) fn command_line() -> String {
    let mut words = vec!["bookstore-bench".to_owned()];
    words.extend(env::args().skip(1));
    words.join(" ")
}
