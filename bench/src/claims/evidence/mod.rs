//! What a part of a claim is judged by, one file per kind.

mod agreement;
mod check;
mod quantity;

use super::{catalogue::Part, published::Published};
use crate::record::{CheckOutcome, PartFinding, Session};

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

    /// What a part came to.
    #[must_use]
    pub fn judge(&self, part: &Part) -> PartFinding {
        match part {
            Part::Quantity(part) => quantity::judge(self, part),
            Part::Agreement(part) => agreement::judge(self, part),
            Part::Check(part) => check::judge(self, part),
        }
    }
}
