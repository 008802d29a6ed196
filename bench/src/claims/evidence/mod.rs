//! What a part of a claim is judged by, one file per kind.

mod agreement;
mod check;
mod crossover;
mod quantity;

use super::{catalogue::Part, published::Published};
use crate::record::{CheckOutcome, PartFinding, Session};

/// Ratios within this share of 1 are a tie, where no session says otherwise.
const TIE_MARGIN: f64 = 0.05;

/// Everything that was found out so far.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The sessions.
    pub sessions: &'a [Session],
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

    /// Whether nothing of a part was measured that only the full pace measures.
    #[must_use]
    pub fn is_left_out(&self, part: &Part) -> bool {
        match part {
            Part::Quantity(part) => part.full_pace && self.session(&part.quantity.rows()).is_none(),
            _ => false,
        }
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
