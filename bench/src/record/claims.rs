//! What checking claims leaves behind: the content of `claims.json`.

use std::{fs, io, path::Path};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Machine, RecordError, Session, SessionState};
use crate::replace::replace;

/// Value of [`ClaimsRecord::schema`].
pub const CLAIMS_SCHEMA: &str = "bookstore-bench/claims/v1";

/// What every version of it begins with.
const FAMILY: &str = "bookstore-bench/claims/";

/// The content of `claims.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimsRecord {
    /// [`CLAIMS_SCHEMA`].
    pub schema: String,
    /// Version of the wrapper.
    pub tool_version: String,
    /// Git revision of the wrapper, when known at build time.
    pub tool_revision: Option<String>,
    /// The command line that started it, for repetition.
    pub command: String,
    /// When it began.
    #[schemars(with = "String")]
    pub started_at: jiff::Timestamp,
    /// When it was last saved.
    #[schemars(with = "String")]
    pub updated_at: jiff::Timestamp,
    /// How far it came.
    pub state: SessionState,
    /// What the verdicts are about.
    pub stack: String,
    /// The machine.
    pub machine: Machine,
    /// `quick` or `full`.
    pub pace: String,
    /// Seed from which each session's is derived.
    pub seed: u64,
    /// Ids of the claims that were asked for, in catalogue order.
    pub asked: Vec<String>,
    /// The sessions begun so far, in the order of the plan; each has the shape of a `results.json`.
    pub sessions: Vec<Session>,
    /// Rows that this machine cannot measure, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// What was tried instead of measured.
    pub checks: Vec<CheckOutcome>,
    /// One for each claim asked for; recomputed whenever a run is added.
    pub findings: Vec<ClaimFinding>,
}

/// A row that is not measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The row's id.
    pub row: String,
    /// Why, in a sentence without its full stop.
    pub reason: String,
}

/// Something that was tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckOutcome {
    /// The check's name.
    pub check: String,
    /// Whether it came out as claimed.
    pub passed: bool,
    /// What was seen, in a sentence.
    pub seen: String,
}

/// A claim and what it came to here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimFinding {
    /// For example `C01`.
    pub id: String,
    /// Id of the source, for example `article`.
    pub source: String,
    /// Where in the source it stands.
    pub place: String,
    /// The claim in our own words.
    pub claim: String,
    /// What it came to.
    pub verdict: ClaimVerdict,
    /// Each thing it was judged by.
    pub parts: Vec<PartFinding>,
}

/// One thing that a claim is judged by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartFinding {
    /// What it is, in a few words.
    pub what: String,
    /// How its figures are to be read.
    pub kind: FigureKind,
    /// Its unit; empty for ratios and counts.
    pub unit: String,
    /// The published figure.
    pub published: Option<f64>,
    /// Ours.
    pub ours: Option<ClaimEstimate>,
    /// What was seen, where that is no figure.
    pub seen: Option<String>,
    /// What it came to.
    pub verdict: ClaimVerdict,
    /// What weakens it.
    pub cautions: Vec<Caution>,
    /// What a reader should know of this stack, where it differs for a known reason.
    pub note: Option<String>,
}

/// How a figure is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// One quantity over another: 1 says that they are alike.
    Ratio,
    /// One quantity less another: 0 says that they are alike.
    Difference,
    /// A quantity by itself.
    Amount,
    /// No figure.
    Check,
}

/// A quantity computed in every round: the Hodges-Lehmann estimate with the exact signed-rank interval
/// (95 %, unadjusted for the number of claims). Ratios are taken on the log scale.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimEstimate {
    /// The estimate.
    pub value: f64,
    /// Lower end; absent below 6 rounds.
    pub low: Option<f64>,
    /// Upper end; absent below 6 rounds.
    pub high: Option<f64>,
    /// Smallest value of one round.
    pub min: f64,
    /// Largest value of one round.
    pub max: f64,
    /// Rounds in which all rows count.
    pub rounds: u32,
}

/// What a claim came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum ClaimVerdict {
    /// As claimed, and about as large as published.
    Holds,
    /// In the claimed direction, by clearly less than published or claimed.
    HoldsSmaller,
    /// In the claimed direction, by clearly more than published or claimed.
    HoldsLarger,
    /// The other way round here.
    Flips,
    /// No difference here, within the tie margin.
    TieHere,
    /// Not as claimed, where there is no direction that could flip.
    DoesNotHold,
    /// The runs allow more than one answer.
    NotSettled {
        /// Further rounds that the present spread suggests; absent when no number would be honest.
        more_rounds: Option<u32>,
    },
    /// Nothing here can say.
    NotMeasurable {
        /// Why, in a sentence without its full stop.
        reason: String,
    },
    /// Part of this tool that does not exist yet would have to say.
    NeedsScenario {
        /// Ids of the scenarios.
        scenarios: Vec<String>,
    },
    /// Its runs or checks were not made.
    NotMeasured,
    /// Of a part alone: it explains the claim, and nothing was claimed for it.
    Beside,
}

/// What weakens a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "caution", rename_all = "snake_case")]
pub enum Caution {
    /// The load process was the limit, so the figure says little about the server.
    ClientBound {
        /// The row.
        row: String,
    },
    /// The ratio is nearer to 1 than the machine could tell apart.
    BelowNoiseFloor {
        /// The noise floor.
        share: f64,
    },
    /// CPU was burnt on purpose.
    Surcharged {
        /// The row.
        row: String,
    },
}

impl ClaimsRecord {
    /// Reads a record from `path`.
    ///
    /// # Errors
    /// The file cannot be read, is no record of claims, or has another schema.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        super::file::read(path, CLAIMS_SCHEMA)
    }

    /// Writes the record to `path`, so that a reader sees either the old or the new content.
    ///
    /// # Errors
    /// The file cannot be written; the old content is kept.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let fail = |source: io::Error| RecordError::Write {
            path: path.display().to_string(),
            source,
        };
        let text = serde_json::to_string_pretty(self).map_err(|error| fail(error.into()))?;
        replace(path, &(text + "\n")).map_err(fail)
    }

    /// Whether the file at `path` says that it is a record of claims, of this version or another.
    #[must_use]
    pub fn is_at(path: &Path) -> bool {
        let schema = |text: String| serde_json::from_str::<serde_json::Value>(&text).ok();
        fs::read_to_string(path)
            .ok()
            .and_then(schema)
            .and_then(|value| Some(value["schema"].as_str()?.starts_with(FAMILY)))
            .unwrap_or(false)
    }
}
