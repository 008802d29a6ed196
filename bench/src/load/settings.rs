//! What a run does, put together from command line, `-e` and environment.

mod sequence;
mod variable;

use std::{
    num::NonZero,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use sequence::sequence;
pub(super) use variable::unusable;

use super::{LoadArgs, LoadError, household::Household};
use crate::{
    catalogue::{Catalogue, Cell, Scenario},
    duration::parse_duration,
    rate::parse_rate,
    record::Sequence,
    trust::Trust,
};

const DEFAULT_BASE_URL: &str = "http://127.0.0.1:5300";
const DEFAULT_GRPC_ADDR: &str = "127.0.0.1:5301";
const DEFAULT_LINES: u32 = 2;
const USUAL_RECORDS: u32 = 1_000;
const DEFAULT_PATIENCE: Duration = Duration::from_millis(50);
const DEFAULT_DURATION: Duration = Duration::from_secs(30);
/// k6's own limit of a run whose length is given in iterations.
const DEFAULT_DURATION_OF_ITERATIONS: Duration = Duration::from_mins(10);
/// Beyond it, and long before the clock ends, nobody waits.
const LONGEST_TIME: Duration = Duration::from_hours(365 * 24);

/// A run, ready to be carried out.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// What is driven.
    pub cell: Cell,
    /// Whether what the cell sends over HTTP/1.1 is sent over HTTP/2 instead.
    pub http2: bool,
    /// Lines of an order; `None` where the scenario has no orders.
    pub lines: Option<u32>,
    /// How many expenses are asked for, and by whom, where the scenario is about them.
    pub household: Household,
    /// How many landings are asked for, where their number can be set.
    pub records: u32,
    /// How long a caller that gives up waits before.
    pub patience: Duration,
    /// Requests of one operation, where their number can be set.
    pub calls: u32,
    /// Whether each operation opens connections of its own.
    pub new_connection: bool,
    /// When operations start.
    pub model: Model,
    /// How long new operations start.
    pub duration: Duration,
    /// Virtual users, at least 1.
    pub vus: u32,
    /// Threads, from 1 to `vus`.
    pub workers: u32,
    /// Host and port for HTTP/1.1.
    pub http_authority: String,
    /// Host and port for gRPC.
    pub grpc_authority: String,
    /// The certificate that encrypted connections trust; they are plain without one.
    pub trust: Option<Trust>,
    /// Longest time that an operation may take.
    pub timeout: Duration,
    /// Where the summary goes, if anywhere.
    pub summary: Option<PathBuf>,
}

/// When operations start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Model {
    /// As soon as the virtual user's last one has ended.
    Closed,
    /// Likewise, until this many were started.
    Iterations(u64),
    /// This many per second, at equal distances.
    Open(f64),
    /// So many of one virtual user, with a pause after each, of all of which the times are kept.
    Sequence(Sequence),
}

impl Settings {
    /// Reads the arguments and, through `environment`, the variables that no `-e` gives.
    pub(super) fn resolve(
        args: &LoadArgs,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, LoadError> {
        let variable = |name: &str| {
            let given = args.variables.iter().rfind(|given| given.key == name);
            given
                .map(|given| given.value.clone())
                .or_else(|| environment(name))
                .filter(|value| !value.is_empty())
        };
        let (cell, scenario) = find_cell(&args.script)?;
        let has_lines = !scenario.lines.is_empty();
        let lines = match variable("LINES") {
            _ if !has_lines => None,
            Some(text) => Some(variable::parse_lines(&text)?),
            None => Some(DEFAULT_LINES),
        };
        let calls = match (variable("CALLS"), scenario.most_calls) {
            (Some(text), Some(most)) => variable::parse_calls(&text, most)?,
            _ => cell.requests_per_op,
        };
        let patience =
            variable("PATIENCE").map_or(Ok(DEFAULT_PATIENCE), |text| variable::patience(&text))?;
        let new_connection = variable::opens_connections(variable("CONNECTION").as_deref())?;
        let http2 = variable::speaks_http2(&cell, variable("HTTP_VERSION").as_deref())?;
        let household = match &*scenario.data_set {
            "expenses" => Household::resolve(variable)?,
            _ => Household::default(),
        };
        let records = match (variable("LIMIT"), scenario.most_records) {
            (Some(text), Some(most)) => variable::parse_records(&text, most)?,
            _ => USUAL_RECORDS,
        };
        let model = match sequence(args, variable)? {
            Some(sequence) => Model::Sequence(sequence),
            None => model(args, variable("RATE"))?,
        };
        let vus = match model {
            Model::Sequence(_) => 1,
            _ => args.vus,
        };
        let duration = duration(args, model, variable("DURATION"))?;
        check_time("--timeout", args.timeout)?;
        let trust = variable("TLS_TRUST")
            .map(|path| Trust::read(Path::new(&path)))
            .transpose()?;
        let base_url = variable("BASE_URL").unwrap_or_else(|| match trust {
            None => DEFAULT_BASE_URL.to_owned(),
            Some(_) => DEFAULT_BASE_URL.replace("http:", "https:"),
        });
        let grpc_addr = variable("GRPC_ADDR").unwrap_or_else(|| DEFAULT_GRPC_ADDR.to_owned());
        Ok(Self {
            cell,
            http2,
            lines,
            patience,
            calls,
            household,
            records,
            new_connection,
            model,
            duration,
            vus,
            workers: args.workers.unwrap_or_else(half_of_the_cores).min(vus),
            http_authority: variable::authority_of_url(&base_url, trust.is_some())?,
            grpc_authority: variable::authority_with_port(&grpc_addr)?,
            trust,
            timeout: args.timeout,
            summary: variable("BENCH_SUMMARY").map(PathBuf::from),
        })
    }

    /// The sequence, where that is the model.
    pub(super) fn sequence(&self) -> Option<Sequence> {
        match self.model {
            Model::Sequence(sequence) => Some(sequence),
            Model::Closed | Model::Iterations(_) | Model::Open(_) => None,
        }
    }

    /// File stem of the script.
    pub(super) fn script(&self) -> &str {
        let name = self.cell.program().rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".js").unwrap_or(name)
    }
}

fn find_cell(script: &str) -> Result<(Cell, Scenario), LoadError> {
    let catalogue = Catalogue::built_in();
    let cell = catalogue.cell_of_script(script);
    let Some((cell, scenario)) = cell.and_then(|cell| Some((cell, catalogue.scenario_of(cell)?)))
    else {
        let known: Vec<&str> = catalogue.cells.iter().map(Cell::program).collect();
        return Err(LoadError::UnknownScript {
            script: script.to_owned(),
            known: known.join(", "),
        });
    };
    Ok((cell.clone(), scenario.clone()))
}

/// The command line decides before the variable does, as in k6.
fn model(args: &LoadArgs, rate: Option<String>) -> Result<Model, LoadError> {
    match (args.iterations, args.rate, rate) {
        (Some(iterations), _, _) => Ok(Model::Iterations(iterations)),
        (None, Some(rate), _) => Ok(Model::Open(rate)),
        (None, None, Some(text)) => parse_rate(&text)
            .map(Model::Open)
            .map_err(|problem| unusable("RATE", &text, problem.to_string())),
        (None, None, None) => Ok(Model::Closed),
    }
}

fn duration(
    args: &LoadArgs,
    model: Model,
    variable: Option<String>,
) -> Result<Duration, LoadError> {
    let duration = match (args.duration, model, variable) {
        (Some(duration), _, _) => duration,
        (None, Model::Iterations(_), _) => DEFAULT_DURATION_OF_ITERATIONS,
        (None, _, Some(text)) => parse_duration(&text)?,
        (None, Model::Sequence(sequence), None) => sequence.longest(),
        (None, _, None) => DEFAULT_DURATION,
    };
    check_time("--duration", duration)?;
    Ok(duration)
}

fn check_time(flag: &'static str, time: Duration) -> Result<(), LoadError> {
    if time.is_zero() {
        return Err(LoadError::NoTime { flag });
    }
    if time > LONGEST_TIME {
        return Err(LoadError::TooLong { flag, time });
    }
    Ok(())
}

fn half_of_the_cores() -> u32 {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    u32::try_from(cores / 2).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
