//! Why the wrapper stops, in words, and with which exit code.

use thiserror::Error;

use crate::{
    number::{count, counted},
    place::PlaceError,
    record::{ConditionError, RecordError},
};

/// Everything that ends the wrapper without a full result.
#[derive(Debug, Error)]
pub enum BenchError {
    /// A flag's value cannot be used.
    #[error(transparent)]
    Usage(#[from] UsageError),
    /// Styles gave different answers.
    #[error(
        "the styles do not give equal answers, so their costs cannot be compared; nothing was measured:\n  {}",
        differences.join("\n  ")
    )]
    UnequalAnswers {
        /// Each difference in words.
        differences: Vec<String>,
    },
    /// The answers could not be compared.
    #[error(transparent)]
    Verify(#[from] crate::verify::VerifyError),
    /// The server is a debug build.
    #[error(
        "this is a debug build, and its figures would mislead; use `cargo run --release`, or \
         --allow-debug to measure it all the same"
    )]
    DebugBuild,
    /// Operations failed.
    #[error(
        "{} failed or were answered wrongly, so {rounds_out} of {} do not count; the most frequent \
         reason: {reason}",
        counted(*failed, "operation"),
        counted((*rounds).into(), "round")
    )]
    FailedOperations {
        /// Failed operations in all runs.
        failed: u64,
        /// Rounds taken out.
        rounds_out: u32,
        /// Rounds made.
        rounds: u32,
        /// Most frequent reason.
        reason: String,
    },
    /// The session failed before its first run.
    #[error("{0}")]
    Opening(Box<dyn std::error::Error + Send + Sync>),
    /// Ctrl-C or SIGTERM.
    #[error(
        "interrupted; {} of {} made and kept",
        count(*made as u64),
        counted(*planned as u64, "run")
    )]
    Interrupted {
        /// Runs made.
        made: usize,
        /// Runs planned.
        planned: usize,
    },
    /// A results file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Tables or report cannot be written.
    #[error(transparent)]
    Report(#[from] crate::report::ReportError),
    /// A part of a run failed.
    #[error("run of {row} in round {round}: {source}")]
    Run {
        /// The row.
        row: String,
        /// The round.
        round: u32,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// What a row does at full load is not known, and a share of it was to be offered.
    #[error("run of {row} at full load, before the rounds: {source}")]
    FullLoad {
        /// The row.
        row: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Handlers for Ctrl-C cannot be installed.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signals(std::io::Error),
    /// The result cannot be printed.
    #[error("cannot write to standard output: {0}; free some space, or send it elsewhere")]
    Print(std::io::Error),
    /// The server, run alone, failed.
    #[error(transparent)]
    Serve(#[from] bookstore_server::ServeError),
    /// The load clients, run alone, failed.
    #[error(transparent)]
    Load(#[from] crate::load::LoadError),
    /// A script could not be compared.
    #[error(transparent)]
    Compare(#[from] crate::script_compare::CompareError),
    /// A script did something else in k6.
    #[error("differences between the runner and k6: {count}, listed above")]
    RunnersDiffer {
        /// The differences.
        count: usize,
    },
    /// The relay, run alone, failed.
    #[error(transparent)]
    Relay(#[from] crate::relay::RelayError),
    /// Nothing can be measured on this machine.
    #[error("this machine cannot be measured on, for the reasons marked above")]
    Doctor,
}

/// A flag's value that cannot be used.
#[derive(Debug, Error, PartialEq)]
pub enum UsageError {
    /// A cell that the catalogue does not have.
    #[error("unknown cell {cell:?}; the cells are {known}")]
    UnknownCell {
        /// The name given.
        cell: String,
        /// All names.
        known: String,
    },
    /// A condition behind a cell that is none.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A place that this machine does not have.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// A number of calls for a cell whose requests are fixed.
    #[error("calls= has no effect on {cell}; use it with the cells of scenario b.calls")]
    CallsWithoutUse {
        /// The cell.
        cell: String,
    },
    /// A link or connections for a cell that has none.
    #[error(
        "rtt=, bandwidth=, http=, connection= and tls= have no effect on {cell}, which sends nothing; leave \
         them out"
    )]
    ConnectionWithoutUse {
        /// The cell.
        cell: String,
    },
    /// A caller's patience for a scenario whose callers wait for their answers.
    #[error("patience= has no effect on {cell}; use it with the cells of scenario d.deadline")]
    PatienceWithoutUse {
        /// The cell.
        cell: String,
    },
    /// A flag of the server that the wrapper sets itself.
    #[error("{row} cannot set the server's --{flag}; {remedy}")]
    ServerFlagTaken {
        /// The row.
        row: String,
        /// The flag, without dashes.
        flag: String,
        /// What to do instead.
        remedy: &'static str,
    },
    /// Flags with which no server starts.
    #[error(
        "{row} has flags that the server refuses: {reason}; its flags are those of serve --help"
    )]
    ServerFlags {
        /// The row.
        row: String,
        /// Its first sentence.
        reason: String,
    },
    /// A number of expenses or parts for a scenario that reads none.
    #[error(
        "limit= and parts= have no effect on {cell}; they belong to cells that read expenses, such \
         as e-A-rest, and limit= to m-count-rest and m-count-grpc"
    )]
    ListWithoutUse {
        /// The cell.
        cell: String,
    },
    /// More landings than there are.
    #[error("limit= of {cell} can be 1 to {most}, for there are no more landings")]
    TooManyRecords {
        /// The cell.
        cell: String,
        /// The scenario's limit.
        most: u32,
    },
    /// More calls than an operation of the scenario can be made of.
    #[error("calls={calls} cannot be used with {cell}; an operation of it has 1 to {most} calls")]
    TooManyCalls {
        /// The cell.
        cell: String,
        /// The number given.
        calls: u32,
        /// The scenario's limit.
        most: u32,
    },
    /// HTTP/2 for a cell that cannot change to it.
    #[error("http=2 cannot be used with {cell}; the cells that it can be used with are {known}")]
    Http2WithoutUse {
        /// The cell.
        cell: String,
        /// Those that can.
        known: String,
    },
    /// HTTP/2 for REST, of which the server's port for it knows nothing.
    #[error(
        "{row} would find no REST where the server speaks HTTP/2; add rest-h2c=on to its condition"
    )]
    RestOverHttp2 {
        /// The row.
        row: String,
    },
    /// A sequence of which nothing, or not enough, is left to be timed.
    #[error(
        "{row} has no whole sequence; write sequential=N, and leave at least two operations with drop="
    )]
    NoSequence {
        /// The row.
        row: String,
    },
    /// A number outside its range.
    #[error("--{flag} {value} cannot be used; {remedy}")]
    OutOfRange {
        /// The flag without dashes.
        flag: &'static str,
        /// The value given.
        value: String,
        /// What would be accepted.
        remedy: &'static str,
    },
    /// More or fewer lines than the server takes.
    #[error("--lines {lines} cannot be used; the server takes orders of 1 to {most} lines")]
    Lines {
        /// The number given.
        lines: u32,
        /// The server's limit.
        most: usize,
    },
    /// `--lines` without a scenario that has lines.
    #[error("--lines was given, but none of the cells {cells} has order lines")]
    LinesWithoutUse {
        /// The cells.
        cells: String,
    },
    /// A surcharge that is not `ROW=SHARE`.
    #[error(
        "--surcharge {value:?} cannot be used; write ROW=SHARE with one of the rows {rows} and a share \
         above 0 and at most 10, for example {example}=0.15"
    )]
    Surcharge {
        /// The value given.
        value: String,
        /// All rows of the session.
        rows: String,
        /// A row of the session.
        example: String,
    },
    /// The output folder cannot be used.
    #[error("cannot write to {folder}: {reason}; choose another folder with --out")]
    OutputFolder {
        /// The folder.
        folder: String,
        /// Why.
        reason: String,
    },
    /// A source of claims that does not exist.
    #[error("there is no source of claims called {name:?}; the sources are {known}")]
    UnknownSource {
        /// The name given.
        name: String,
        /// All names.
        known: String,
    },
    /// A claim that the sources do not make.
    #[error("there is no claim {claim:?} here; the claims are {known}, see --list")]
    UnknownClaim {
        /// The id given.
        claim: String,
        /// The first and the last id of each source.
        known: String,
    },
    /// The output folder holds claims that were checked to the end.
    #[error("{folder} already holds a complete claims.json; choose another folder with --out")]
    ClaimsExist {
        /// The folder.
        folder: String,
    },
    /// The output folder holds a record that nothing can go on from.
    #[error(
        "cannot go on from {file}: {reason}; move it away, or choose another folder with --out"
    )]
    ClaimsSpoilt {
        /// The record.
        file: String,
        /// Why.
        reason: String,
    },
    /// The output folder holds an interrupted check of something else.
    #[error(
        "the folder holds an interrupted check with other {what} ({left}, now {now}); repeat its command \
         to go on, or choose another folder with --out"
    )]
    OtherClaims {
        /// What differs.
        what: String,
        /// As it was.
        left: String,
        /// As it was asked for now.
        now: String,
    },
    /// A file to compare that has nothing in common with the other.
    #[error("{old} and {new} have no row in common; compare results of the same cells and lines")]
    NothingInCommon {
        /// The first.
        old: String,
        /// The second.
        new: String,
    },
    /// The output folder already holds results.
    #[error("{folder} already holds a results.json; choose another folder with --out")]
    OutputExists {
        /// The folder.
        folder: String,
    },
}

impl BenchError {
    /// The exit code: 1 failed, 2 usage, 3 measured or found to be invalid, 130 interrupted.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Serve(error) if error.is_usage() => 2,
            Self::Load(error) if error.is_usage() => 2,
            Self::Compare(error) => error.exit_code(),
            Self::Relay(error) if error.is_usage() => 2,
            Self::Verify(crate::verify::VerifyError::Unreadable { .. })
            | Self::UnequalAnswers { .. }
            | Self::DebugBuild
            | Self::RunnersDiffer { .. }
            | Self::FailedOperations { .. } => 3,
            Self::Interrupted { .. } => 130,
            Self::Opening(_)
            | Self::Verify(_)
            | Self::Record(_)
            | Self::Report(_)
            | Self::Run { .. }
            | Self::FullLoad { .. }
            | Self::Signals(_)
            | Self::Print(_)
            | Self::Serve(_)
            | Self::Load(_)
            | Self::Relay(_)
            | Self::Doctor => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::VerifyError;

    #[test]
    fn a_wrong_answer_is_told_from_a_server_that_gives_none() {
        let wrong = VerifyError::Unreadable {
            what: "REST".to_owned(),
            answer: "500".to_owned(),
        };
        assert_eq!(BenchError::from(wrong).exit_code(), 3);
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let none = VerifyError::Connect {
            address: ([127, 0, 0, 1], 1).into(),
            source: refused,
        };
        assert_eq!(BenchError::from(none).exit_code(), 1);
    }
}
