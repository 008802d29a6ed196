//! What a part of a claim is judged by, one file per kind.

mod agreement;
mod check;
mod crossover;
mod quantity;

use super::{catalogue::Part, published::Published};
use crate::record::{CheckOutcome, LeftOut, PartFinding, Session};

/// Ratios within this share of 1 are a tie, where no session says otherwise.
const TIE_MARGIN: f64 = 0.05;

/// Everything that was found out so far.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The sessions.
    pub sessions: &'a [Session],
    /// Rows that could not be measured.
    pub left_out: &'a [LeftOut],
    /// The checks.
    pub checks: &'a [CheckOutcome],
    /// What the source measured.
    pub published: &'a Published,
}

impl<'a> Evidence<'a> {
    /// The session that measured all of these rows.
    fn session(&self, rows: &[&str]) -> Option<&'a Session> {
        self.sessions.iter().find(|session| {
            rows.iter()
                .all(|id| session.rows.iter().any(|row| row.id == *id))
        })
    }

    /// Why one of these rows could not be measured, if one could not.
    fn obstacle(&self, rows: &[&str]) -> Option<&'a str> {
        let mut left_out = self.left_out.iter();
        let found = left_out.find(|left_out| rows.contains(&&*left_out.row));
        found.map(|left_out| &*left_out.reason)
    }

    /// What a part came to.
    #[must_use]
    pub fn judge(&self, part: &Part) -> PartFinding {
        match part {
            Part::Quantity(part) => quantity::judge(self, part),
            Part::Crossover(part) => crossover::judge(self, part),
            Part::Agreement(part) => agreement::judge(self, part),
            Part::Check(part) => check::judge(self, part),
        }
    }
}
