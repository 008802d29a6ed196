//! A session: the plan, the machine, and every run so far.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Analysis, Condition, Engine, Machine, Maximum, Run, Sequence};
use crate::{catalogue::Style, driver::DriverKind};

/// Value of [`Session::schema`].
pub const RESULTS_SCHEMA: &str = "bookstore-bench/results/v1";

/// The content of `results.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Session {
    /// [`RESULTS_SCHEMA`].
    pub schema: String,
    /// Version of the wrapper.
    pub tool_version: String,
    /// Git revision of the wrapper, when known at build time.
    pub tool_revision: Option<String>,
    /// The command line that started it, for repetition.
    pub command: String,
    /// When the session began.
    #[schemars(with = "String")]
    pub started_at: jiff::Timestamp,
    /// When the last run ended.
    #[schemars(with = "String")]
    pub updated_at: jiff::Timestamp,
    /// How far it came.
    pub state: SessionState,
    /// The machine.
    pub machine: Machine,
    /// How it was measured.
    pub settings: Settings,
    /// What the server said of itself at `/about`.
    pub server: ServerFacts,
    /// CPU of the idle server before the first run, in µs per second of wall time; never subtracted.
    /// Absent where it cannot be read.
    pub server_idle_cpu_us_per_s: Option<f64>,
    /// Whether all styles gave equal answers before measuring, and how many were compared.
    pub equal_answers: Option<EqualAnswers>,
    /// What was measured, in table order.
    pub rows: Vec<Row>,
    /// What rows reached at full load before the first round, where others are offered a share of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub maxima: Vec<Maximum>,
    /// Every run, in time order; none is ever removed.
    pub runs: Vec<Run>,
    /// What follows from the runs; recomputed whenever a run is added.
    pub analysis: Analysis,
}

/// How far a session came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum SessionState {
    /// Every planned run was made.
    Complete,
    /// Still measuring, or the wrapper was killed without a chance to say so.
    Running,
    /// Stopped by Ctrl-C or a termination signal.
    Interrupted,
    /// Stopped by an error.
    Failed {
        /// The error, as it was printed.
        error: String,
    },
}

/// How a session measures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// `quick`, `article` or `custom`.
    pub profile: String,
    /// Virtual users.
    pub vus: u32,
    /// Length of the warm-up run, in seconds.
    pub warmup_s: f64,
    /// Length of the measured run, in seconds.
    pub duration_s: f64,
    /// Planned rounds.
    pub rounds: u32,
    /// Closed, open or sequential model.
    pub model: LoadModel,
    /// Seed of the run order.
    pub seed: u64,
    /// Row ids in the order in which each round runs them.
    pub order: Vec<Vec<String>>,
    /// Worker threads of the server.
    pub server_workers: u32,
    /// Worker threads of the load process.
    pub load_workers: u32,
    /// Which load driver: `load`, `script` or `k6`.
    pub driver: String,
    /// Differences within ± this share are a tie.
    pub tie_margin: f64,
    /// CPU burnt on purpose, by row id, as a share of the server's own (0.15 = 15 %).
    pub surcharges: std::collections::BTreeMap<String, f64>,
}

/// How new operations are started.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum LoadModel {
    /// Each virtual user starts an operation when its previous one has ended.
    Closed,
    /// Operations start at a fixed rate, whatever the server does.
    Open {
        /// Operations per second, the same for every row.
        rate_per_s: f64,
    },
    /// One client starts an operation when its previous one has ended and it has paused.
    Sequential(Sequence),
}

/// One line of the results table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// Unique, for example `L50-a-grpc`, `b-rest`, `L2-a-rest#2`.
    pub id: String,
    /// The catalogue's cell id.
    pub cell: String,
    /// The catalogue's scenario id.
    pub scenario: String,
    /// What rows are compared with each other: scenario and order size, for example `L50-a`.
    pub group: String,
    /// The group in words, for example `(a) 50 lines`.
    pub group_label: String,
    /// The API style.
    pub style: Style,
    /// The style as the table names it, for example `REST BFF`; a repeated cell has ` (2)` added.
    pub label: String,
    /// Lines of an order; absent where the scenario has none.
    pub lines: Option<u32>,
    /// Requests that one operation needs, from the catalogue.
    pub requests_per_op: u32,
    /// Sequential round trips that one operation needs, from the catalogue.
    pub rounds_per_op: u32,
    /// Whether the group's other rows are compared with this one by default.
    pub reference: bool,
    /// The row that this one repeats, when it is there to find the noise floor.
    pub repeats: Option<String>,
    /// What differs from the session's settings while this row is measured.
    #[serde(default, skip_serializing_if = "Condition::is_plain")]
    pub condition: Condition,
}

/// Operations that each virtual user makes at least, where a link makes them long: with so many the
/// median does not feel the first one, which sets up connections.
const OPERATIONS_OVER_A_LINK: u32 = 5;

impl Row {
    /// The least that one operation takes over the row's link.
    #[must_use]
    pub fn least_operation(&self) -> Duration {
        self.condition.rtt() * self.rounds_per_op
    }

    /// How long the row is measured, given the session's duration: longer where a link makes
    /// operations so long that too few of them would fit.
    #[must_use]
    pub fn duration(&self, of_session: Duration) -> Duration {
        match self.condition.sequence() {
            Some(sequence) => sequence.longest(),
            None => of_session.max(self.least_operation() * OPERATIONS_OVER_A_LINK),
        }
    }

    /// How long measuring the row will probably take, given the session's duration.
    #[must_use]
    pub fn expected_duration(&self, of_session: Duration) -> Duration {
        match self.condition.sequence() {
            Some(sequence) => {
                let links = self.least_operation() * sequence.repetitions;
                sequence.pauses() + of_session.max(links)
            }
            None => self.duration(of_session),
        }
    }
}

/// A run that another engine drove than the session's first run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "round {round} of {row} was driven by {found}, and the session began with {first}; figures of \
     different engines or worker counts never stand in one table; measure again with one engine"
)]
pub struct MixedEngines {
    /// The run's row.
    pub row: String,
    /// The run's round.
    pub round: u32,
    /// The run's engine.
    pub found: Engine,
    /// The engine of the session's first run.
    pub first: Engine,
}

impl Session {
    /// What drove the rows with this `driver` in their condition; `None` before the first such run.
    #[must_use]
    pub fn engine(&self, driver: Option<DriverKind>) -> Option<&Engine> {
        let mut runs = self.runs.iter();
        let first = runs.find(|run| self.way_of(run).0 == driver)?;
        Some(&first.load.engine)
    }

    /// The driver that the row of `run` names, and how many virtual users, of which no engine has more
    /// workers.
    fn way_of(&self, run: &Run) -> (Option<DriverKind>, u32) {
        let row = self.rows.iter().find(|row| row.id == run.row);
        let vus = self.settings.vus;
        row.map_or((None, vus), |row| {
            (row.condition.driver, row.condition.vus(vus))
        })
    }

    /// Checks that `run` was driven as the session's first run was: by the same engine, version and
    /// number of workers. Rows that name a driver or virtual users of their own are checked among each
    /// other.
    ///
    /// # Errors
    /// It was not.
    pub fn check_engine(&self, run: &Run) -> Result<(), Box<MixedEngines>> {
        let way = self.way_of(run);
        let mut runs = self.runs.iter();
        let first = runs.find(|earlier| self.way_of(earlier) == way);
        match first.map(|first| &first.load.engine) {
            Some(first) if *first != run.load.engine => Err(Box::new(MixedEngines {
                row: run.row.clone(),
                round: run.round,
                found: run.load.engine.clone(),
                first: first.clone(),
            })),
            _ => Ok(()),
        }
    }
}

/// What the server says of itself at `/about`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ServerFacts {
    /// Version of the server.
    pub version: String,
    /// Git revision, when known at build time.
    pub git_revision: Option<String>,
    /// `release` or `debug`.
    pub build_profile: String,
    /// Whether debug assertions are compiled in.
    pub debug_assertions: bool,
    /// Memory allocator.
    pub allocator: String,
    /// Log level.
    pub log_level: String,
    /// Worker threads.
    pub worker_threads: u32,
    /// Whether GraphQL documents are cached after validation.
    pub graphql_document_cache: bool,
}

/// Outcome of the comparison of all styles before measuring.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EqualAnswers {
    /// Answers that were compared.
    pub compared: u32,
    /// Differences found, in words; empty when all were equal.
    pub differences: Vec<String>,
}

impl EqualAnswers {
    /// Adds another comparison.
    pub fn add(&mut self, other: Self) {
        self.compared += other.compared;
        self.differences.extend(other.differences);
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::time::Duration;

    use crate::{
        driver::DriverKind,
        record::{Session, fixture},
    };

    #[test]
    fn rows_that_name_a_driver_have_an_engine_of_their_own() {
        let steady = [100.0; 3];
        let mut session =
            fixture::session(&[("L2-a-rest", &steady), ("L2-a-rest@driver=load", &steady)]);
        for run in &mut session.runs {
            if run.row == "L2-a-rest" {
                run.load.engine.name = "script".to_owned();
            }
        }
        for run in &session.runs {
            assert!(session.check_engine(run).is_ok());
        }
        let name = |driver| session.engine(driver).map(|engine| engine.name.as_str());
        assert_eq!(name(None), Some("script"));
        assert_eq!(name(Some(DriverKind::Load)), Some("load"));
        let mut other = session.runs[1].clone();
        other.load.engine.name = "script".to_owned();
        assert!(session.check_engine(&other).is_err());
    }

    #[test]
    fn a_row_over_a_long_link_is_measured_for_five_operations() {
        let mut row = fixture::row("b-rest");
        row.rounds_per_op = 2;
        let second = Duration::from_secs(1);
        assert_eq!(row.duration(second), second);
        row.condition = "rtt=80ms".parse().unwrap();
        assert_eq!(row.duration(second), second);
        row.condition = "rtt=200ms".parse().unwrap();
        assert_eq!(row.duration(second), second * 2);
        assert_eq!(row.duration(second * 30), second * 30);
    }

    #[test]
    fn a_sequence_is_driven_by_one_worker_and_lasts_as_long_as_it_needs() {
        let steady = [100.0; 3];
        let ids = ["a-rest", "a-rest@driver=load,sequential=50,pause=1s"];
        let mut session = fixture::session(&ids.map(|id| (id, &steady[..])));
        for run in session.runs.iter_mut().filter(|run| run.row == ids[1]) {
            run.load.engine.workers = Some(1);
        }
        for run in &session.runs {
            assert!(session.check_engine(run).is_ok());
        }
        let row = &session.rows[1];
        let second = Duration::from_secs(1);
        assert_eq!(row.expected_duration(second), second * 51);
        assert_eq!(row.duration(second), second * 550);
    }

    #[test]
    fn runs_of_another_engine_version_or_worker_count_are_refused_when_read() {
        let steady = [100.0; 3];
        let session = fixture::session(&[("a-rest", &steady)]);
        let file = tempfile::NamedTempFile::new().unwrap();
        let read = |session: &Session| {
            session.write(file.path()).unwrap();
            Session::read(file.path())
        };
        assert!(read(&session).is_ok());
        let changes: [fn(&mut Session); 3] = [
            |session| session.runs[1].load.engine.name = "k6".to_owned(),
            |session| session.runs[1].load.engine.version = "9".to_owned(),
            |session| session.runs[1].load.engine.workers = Some(7),
        ];
        for change in changes {
            let mut mixed = session.clone();
            change(&mut mixed);
            let message = read(&mixed).unwrap_err().to_string();
            let first = &session.runs[0].load.engine;
            let found = &mixed.runs[1].load.engine;
            assert!(
                message.contains(&format!(
                    "round 2 of a-rest was driven by {found}, and the session began with {first}"
                )),
                "{message}"
            );
        }
    }
}
