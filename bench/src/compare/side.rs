//! One side of a comparison.

use std::path::Path;

use crate::{
    analysis::Rounds,
    claims::{estimate, published::Published, quantity::Quantity},
    record::{ClaimEstimate, ClaimsRecord, Figure, RecordError, Session},
    stats::median,
};

/// The name that stands for the article's table.
const ARTICLE: &str = "article";

/// Results to compare.
#[derive(Clone, Debug)]
pub struct Side {
    name: String,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Published(Published),
    Measured(Vec<Session>),
}

/// The values of one figure of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    /// One value, without a spread.
    Single(f64),
    /// One of each run that counts.
    Runs(Vec<f64>),
}

impl Values {
    pub fn middle(&self) -> Option<f64> {
        match self {
            Self::Single(value) => Some(*value),
            Self::Runs(values) => median(values),
        }
    }
}

impl Side {
    /// Reads a `results.json`, a `claims.json`, or takes the article's table for `article`. A file of
    /// that name is meant when its path is given, as in `./article`.
    ///
    /// # Errors
    /// The file cannot be read or is neither.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let content = if path == Path::new(ARTICLE) {
            Content::Published(Published::article())
        } else if ClaimsRecord::is_at(path) {
            Content::Measured(ClaimsRecord::read(path)?.sessions)
        } else {
            Content::Measured(vec![Session::read(path)?])
        };
        Ok(Self {
            name: path.display().to_string(),
            content,
        })
    }

    /// A session under a name.
    #[must_use]
    pub fn of_session(name: &str, session: Session) -> Self {
        Self {
            name: name.to_owned(),
            content: Content::Measured(vec![session]),
        }
    }

    /// Where it comes from.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A session that says how it was measured; none for the article.
    pub(super) fn session(&self) -> Option<&Session> {
        match &self.content {
            Content::Published(_) => None,
            Content::Measured(sessions) => sessions.first(),
        }
    }

    /// Ids of the rows, repetitions left out.
    pub(super) fn rows(&self) -> Vec<&str> {
        match &self.content {
            Content::Published(published) => published.rows(),
            Content::Measured(sessions) => sessions
                .iter()
                .flat_map(|session| &session.rows)
                .filter(|row| row.repeats.is_none())
                .map(|row| &*row.id)
                .collect(),
        }
    }

    /// The values of a figure; `None` when it was not read.
    pub(super) fn values(&self, row: &str, figure: Figure) -> Option<Values> {
        match &self.content {
            Content::Published(published) => published.figure(row, figure).map(Values::Single),
            Content::Measured(_) => {
                let session = self.session_of(&[row])?;
                let rounds = Rounds::of(session);
                let values: Vec<f64> = rounds
                    .runs_of(row)
                    .filter_map(|run| figure.of(run))
                    .collect();
                (!values.is_empty()).then_some(Values::Runs(values))
            }
        }
    }

    /// The ratio of a figure of two rows, paired by round where it was measured; published ones are
    /// points.
    pub(super) fn ratio(&self, quantity: &Quantity) -> Option<ClaimEstimate> {
        match &self.content {
            Content::Published(published) => {
                let value = published.quantity(quantity)?;
                Some(ClaimEstimate {
                    value,
                    // A point: it has no spread of its own, and none is made up.
                    low: Some(value),
                    high: Some(value),
                    min: value,
                    max: value,
                    rounds: 1,
                })
            }
            Content::Measured(_) => estimate(self.session_of(&quantity.rows())?, quantity),
        }
    }

    fn session_of(&self, rows: &[&str]) -> Option<&Session> {
        let Content::Measured(sessions) = &self.content else {
            return None;
        };
        sessions.iter().find(|session| {
            rows.iter()
                .all(|id| session.rows.iter().any(|row| row.id == *id))
        })
    }
}
