//! Something that was tried.

use super::Evidence;
use crate::{
    claims::catalogue::CheckPart,
    record::{ClaimVerdict, FigureKind, PartFinding},
};

pub(super) fn judge(evidence: &Evidence<'_>, part: &CheckPart) -> PartFinding {
    let mut outcomes = evidence.checks.iter();
    let outcome = outcomes.find(|outcome| outcome.check == part.check.name());
    PartFinding {
        what: part.what.clone(),
        kind: FigureKind::Check,
        unit: String::new(),
        published: None,
        ours: None,
        seen: outcome.map(|outcome| outcome.seen.clone()),
        verdict: match outcome {
            None => ClaimVerdict::NotMeasured,
            Some(outcome) if outcome.passed => ClaimVerdict::Holds,
            Some(_) => ClaimVerdict::DoesNotHold,
        },
        cautions: Vec::new(),
        note: None,
    }
}
