//! Makes the sessions and checks of a plan, saves after every run, and goes on where an interrupted
//! one stopped.

use std::{env, path::PathBuf};

use super::{
    catalogue::Claims,
    checks::{self, CheckName},
    judge,
    output::Output,
    plan::{Plan, time_needed},
    resume::take_over,
    stack::STACK,
};
use crate::{
    build,
    catalogue::Catalogue,
    cli::{ClaimsArgs, MethodArgs},
    error::{BenchError, UsageError},
    interrupt::Interrupt,
    machine, meter, opening,
    options::{Options, surcharges},
    print::tell,
    progress::Progress,
    record::{CLAIMS_SCHEMA, ClaimsRecord, LeftOut, LoadModel, Row, Session, SessionState},
    report::number::counted,
    run::Runner,
    session::{begin, command_line, invalid, make_runs},
    target::{Quota, Target, TargetOptions},
};

/// What checking claims came to.
pub struct Finished {
    /// The record as it was saved.
    pub record: ClaimsRecord,
    /// The files written.
    pub files: Vec<PathBuf>,
    /// Why it is not a full and valid result, if it is not.
    pub problem: Option<BenchError>,
}

/// Checks the claims that `args` ask for. What fails half-way is finished all the same: the runs made
/// are judged, saved and returned beside the problem.
///
/// # Errors
/// It failed before its first run.
pub fn check(args: &ClaimsArgs) -> Result<Finished, BenchError> {
    let campaign = Campaign::new(args)?;
    // What cannot be used is refused before a folder is made for it.
    campaign.options(&args.method, 0)?;
    let (output, left) = Output::open(args.method.out.as_deref())?;
    let seed = left.as_ref().map_or_else(
        || args.method.seed.unwrap_or_else(rand::random),
        |left| args.method.seed.unwrap_or(left.seed),
    );
    let sessions = campaign.options(&args.method, seed)?;
    let mut record = campaign.record(seed);
    if let Some(left) = left {
        take_over(&mut record, left, &sessions)?;
    }
    announce(&sessions, &record, args);
    let interrupt = Interrupt::install().map_err(BenchError::Signals)?;
    let outcome = match campaign.make(&mut record, &sessions, &output, &interrupt) {
        Err(error) if record.sessions.is_empty() && record.checks.is_empty() => return Err(error),
        Err(BenchError::Interrupted { .. }) => Err(BenchError::Interrupted {
            made: runs_made(&record),
            planned: runs_planned(&sessions),
        }),
        outcome => outcome,
    };
    record.state = match &outcome {
        Ok(()) => SessionState::Complete,
        Err(BenchError::Interrupted { .. }) => SessionState::Interrupted,
        Err(error) => SessionState::Failed {
            error: error.to_string(),
        },
    };
    campaign.judge(&mut record);
    let (files, unwritten) = match output.finish(&record) {
        Ok(files) => (files, None),
        // The disk is the problem; whatever was saved before it filled up is still there.
        Err(error) => (vec![output.record()], Some(error)),
    };
    let failed = || record.sessions.iter().find_map(invalid);
    let problem = outcome.err().or(unwritten).or_else(failed);
    Ok(Finished {
        record,
        files,
        problem,
    })
}

/// What was asked for.
struct Campaign<'a> {
    args: &'a ClaimsArgs,
    claims: Claims,
    catalogue: Catalogue,
    asked: Vec<String>,
    plan: Plan,
    left_out: Vec<LeftOut>,
}

impl<'a> Campaign<'a> {
    fn new(args: &'a ClaimsArgs) -> Result<Self, UsageError> {
        let claims = Claims::built_in();
        let catalogue = Catalogue::built_in();
        let selected = claims.selected(&args.source, &args.id)?;
        let asked = selected.iter().map(|(_, claim)| claim.id.clone()).collect();
        let suited = selected
            .iter()
            .map(|(_, claim)| *claim)
            .filter(|claim| claim.suits(args.method.driver.name()))
            .filter(|claim| {
                let cores = machine::logical_cores();
                claim.obstacle(env::consts::OS, cores).is_none()
            });
        let floor = !args.method.no_noise_floor;
        let mut plan = Plan::of(suited, &catalogue, floor, args.pace());
        let left_out = leave_out(&mut plan);
        Ok(Self {
            args,
            claims,
            catalogue,
            asked,
            plan,
            left_out,
        })
    }

    /// The options of each session. A planted cost belongs to the session that has its row.
    fn options(&self, method: &MethodArgs, seed: u64) -> Result<Vec<Options>, UsageError> {
        let ids = |rows: &[Row]| -> Vec<String> { rows.iter().map(|row| row.id.clone()).collect() };
        let all: Vec<String> = self
            .plan
            .sessions
            .iter()
            .flat_map(|rows| ids(rows))
            .collect();
        surcharges(&method.surcharge, &all)?;
        let mut sessions = Vec::new();
        for (nth, rows) in (0..).zip(&self.plan.sessions) {
            let rows_here = ids(rows);
            let is_here = |planted: &&String| {
                rows_here
                    .iter()
                    .any(|row| planted.split_once('=').is_some_and(|(name, _)| name == row))
            };
            let method = MethodArgs {
                seed: Some(seed.wrapping_add(nth)),
                surcharge: method.surcharge.iter().filter(is_here).cloned().collect(),
                ..method.clone()
            };
            let pace = self.args.pace();
            let (profile, rounds) = (pace.profile(), pace.rounds());
            let closed = LoadModel::Closed;
            sessions.push(Options::for_rows(
                &method,
                rows.clone(),
                profile,
                rounds,
                closed,
            )?);
        }
        Ok(sessions)
    }

    fn record(&self, seed: u64) -> ClaimsRecord {
        let now = jiff::Timestamp::now();
        ClaimsRecord {
            schema: CLAIMS_SCHEMA.to_owned(),
            tool_version: build::VERSION.to_owned(),
            tool_revision: build::GIT_REVISION.map(str::to_owned),
            command: command_line(),
            started_at: now,
            updated_at: now,
            state: SessionState::Running,
            stack: STACK.to_owned(),
            machine: machine::collect(&*meter::system_meter()),
            pace: self.args.pace().name().to_owned(),
            seed,
            asked: self.asked.clone(),
            sessions: Vec::new(),
            left_out: self.left_out.clone(),
            checks: Vec::new(),
            findings: Vec::new(),
        }
    }

    fn judge(&self, record: &mut ClaimsRecord) {
        record.updated_at = jiff::Timestamp::now();
        let driver = self.args.method.driver.name();
        record.findings = judge::findings(&self.claims, record, driver);
    }

    fn make(
        &self,
        record: &mut ClaimsRecord,
        sessions: &[Options],
        output: &Output,
        interrupt: &Interrupt,
    ) -> Result<(), BenchError> {
        for (nth, options) in sessions.iter().enumerate() {
            let runner = Runner::new(options, &self.catalogue, interrupt.clone())
                .map_err(|error| BenchError::Opening(Box::new(error)))?;
            let mut session = match record.sessions.get(nth) {
                Some(begun) => begun.clone(),
                None => begin(options, opening::open(&runner, options.allow_debug)?),
            };
            if session.state == SessionState::Complete {
                continue;
            }
            self.make_session(record, nth, &mut session, &runner, output)?;
        }
        self.make_checks(record)
    }

    /// Makes what a session lacks; the record holds whatever was made when it returns.
    fn make_session(
        &self,
        record: &mut ClaimsRecord,
        nth: usize,
        session: &mut Session,
        runner: &Runner<'_>,
        output: &Output,
    ) -> Result<(), BenchError> {
        session.state = SessionState::Running;
        let runs = session.rows.len() as u64 * u64::from(session.settings.rounds);
        let rounds = session.settings.rounds;
        let mut progress = Progress::new(runs, rounds, self.args.method.no_progress);
        let mut save = |session: &Session| {
            keep(record, nth, session);
            self.judge(record);
            output.save(record)
        };
        let outcome = make_runs(session, runner, &mut save, &mut progress);
        progress.finish();
        session.state = match &outcome {
            Ok(()) => SessionState::Complete,
            Err(BenchError::Interrupted { .. }) => SessionState::Interrupted,
            Err(error) => SessionState::Failed {
                error: error.to_string(),
            },
        };
        keep(record, nth, session);
        outcome
    }

    fn make_checks(&self, record: &mut ClaimsRecord) -> Result<(), BenchError> {
        if self.plan.checks.len() == record.checks.len() {
            return Ok(());
        }
        let executable = env::current_exe().map_err(|error| BenchError::Opening(error.into()))?;
        let mut waiting = self.plan.checks.clone();
        let mut outcomes = Vec::new();
        while let Some(first) = waiting.first() {
            let flags = first.server_arguments();
            let (now, later) = waiting
                .into_iter()
                .partition(|check| check.server_arguments() == flags);
            waiting = later;
            let now: Vec<CheckName> = now;
            let options = TargetOptions {
                extra_arguments: flags.iter().map(Into::into).collect(),
                ..TargetOptions::with_workers(1)
            };
            let server = Target::spawn(&executable, &options)
                .map_err(|error| BenchError::Opening(error.into()))?;
            let made = checks::run(&now, server.http_address(), server.h2c_address())?;
            outcomes.extend(made);
            server
                .stop()
                .map_err(|error| BenchError::Opening(error.into()))?;
        }
        record.checks = outcomes;
        Ok(())
    }
}

/// Takes the rows out of a plan that this machine cannot measure, and says why.
fn leave_out(plan: &mut Plan) -> Vec<LeftOut> {
    let is_limited = |row: &Row| row.condition.cpus.is_some();
    if !plan.sessions.iter().flatten().any(is_limited) {
        return Vec::new();
    }
    let Some(refusal) = Quota::refusal() else {
        return Vec::new();
    };
    let limited = plan.without(is_limited).into_iter();
    limited
        .map(|row| LeftOut {
            row: row.id,
            reason: refusal.to_string(),
        })
        .collect()
}

fn keep(record: &mut ClaimsRecord, nth: usize, session: &Session) {
    match record.sessions.get_mut(nth) {
        Some(kept) => kept.clone_from(session),
        None => record.sessions.push(session.clone()),
    }
}

fn runs_planned(sessions: &[Options]) -> usize {
    let runs = |options: &Options| options.rows.len() * options.settings.rounds as usize;
    sessions.iter().map(runs).sum()
}

fn runs_made(record: &ClaimsRecord) -> usize {
    record
        .sessions
        .iter()
        .map(|session| session.runs.len())
        .sum()
}

/// Says how long it will take, before it starts.
fn announce(sessions: &[Options], record: &ClaimsRecord, args: &ClaimsArgs) {
    let (runs, made) = (runs_planned(sessions), runs_made(record));
    let time = time_needed(sessions, u32::try_from(made).unwrap_or(u32::MAX));
    let minutes = time.as_secs().div_ceil(60);
    let pace = args.pace().name();
    if made > 0 {
        tell(&format!(
            "going on after {made} of {runs} runs; about {minutes} min ({pace})"
        ));
    } else {
        let claims = counted(record.asked.len() as u64, "claim");
        let runs = counted(runs as u64, "run");
        let sessions = counted(sessions.len() as u64, "session");
        tell(&format!(
            "{claims}, {runs} in {sessions}; about {minutes} min ({pace})"
        ));
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::time::Duration;

    use clap::Parser as _;

    use super::*;
    use crate::cli::{Cli, Command};

    fn args(flags: &[&str]) -> ClaimsArgs {
        let words = ["bookstore-bench", "claims"].iter().chain(flags);
        match Cli::try_parse_from(words).unwrap().command {
            Some(Command::Claims(args)) => *args,
            other => panic!("{other:?}"),
        }
    }

    fn minutes(flags: &[&str]) -> u64 {
        let args = args(flags);
        let sessions = Campaign::new(&args)
            .unwrap()
            .options(&args.method, 1)
            .unwrap();
        time_needed(&sessions, 0).as_secs() / 60
    }

    #[test]
    fn all_claims_of_a_source_take_at_most_twenty_minutes_with_the_slowest_driver() {
        let needed = minutes(&["--source", "article", "--quick", "--driver", "script"]);
        assert!((2..20).contains(&needed), "{needed} minutes");
        let needed = minutes(&["--source", "thesis", "--quick"]);
        assert!((2..12).contains(&needed), "{needed} minutes");
        assert!(minutes(&["--full", "--driver", "script"]) > 60);
    }

    #[test]
    fn runs_that_are_there_take_no_time() {
        let args = args(&["--id", "C12"]);
        let sessions = Campaign::new(&args)
            .unwrap()
            .options(&args.method, 1)
            .unwrap();
        let runs = 3 * 7;
        assert_eq!(time_needed(&sessions, runs), Duration::ZERO);
        assert!(time_needed(&sessions, runs - 1) > Duration::ZERO);
        assert!(time_needed(&sessions, runs - 1) < time_needed(&sessions, 0) / 2);
    }

    #[test]
    fn a_planted_cost_goes_to_the_session_that_has_its_row() {
        let args = args(&["--surcharge", "b-rest=0.15"]);
        let campaign = Campaign::new(&args).unwrap();
        let sessions = campaign.options(&args.method, 1).unwrap();
        for options in &sessions {
            let is_here = options.rows.iter().any(|row| row.id == "b-rest");
            assert_eq!(options.settings.surcharges.len(), usize::from(is_here));
        }
        let args = self::args(&["--surcharge", "b-soap=0.15"]);
        assert!(campaign.options(&args.method, 1).is_err());
    }
}
