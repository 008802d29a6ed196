//! Whether rows stand in the published order, pair by pair and figure by figure.

use super::{Evidence, quantity};
use crate::{
    claims::{
        catalogue::{AgreementPart, Claimed, QuantityPart},
        quantity::Quantity,
        together::{holds, together},
    },
    record::{ClaimVerdict, Figure, FigureKind, PartFinding},
};

/// A published ratio nearer to 1 than this names no order.
const ALIKE: f64 = 1.05;

pub(super) fn judge(evidence: &Evidence<'_>, part: &AgreementPart) -> PartFinding {
    let mut names = Vec::new();
    let mut verdicts = Vec::new();
    for group in &part.groups {
        for (index, under) in group.iter().enumerate() {
            for over in &group[index + 1..] {
                for &figure in &part.figures {
                    if let Some(verdict) = of_pair(evidence, figure, over, under) {
                        names.push(format!("{} of {over} and {under}", figure.label()));
                        verdicts.push(verdict);
                    }
                }
            }
        }
    }
    PartFinding {
        what: part.what.clone(),
        kind: FigureKind::Check,
        unit: String::new(),
        published: None,
        ours: None,
        seen: Some(seen(&names, &verdicts)),
        verdict: direction_only(together(crate::claims::catalogue::Combine::All, &verdicts)),
        cautions: Vec::new(),
        note: None,
    }
}

/// The verdict on the published order of two rows; `None` when none was published.
fn of_pair(
    evidence: &Evidence<'_>,
    figure: Figure,
    over: &str,
    under: &str,
) -> Option<ClaimVerdict> {
    let quantity = Quantity::ratio(figure, over, under);
    let published = evidence.published.quantity(&quantity)?;
    let claimed = if published > ALIKE {
        Claimed::Above(1.0)
    } else if published < ALIKE.recip() {
        Claimed::Below(1.0)
    } else {
        return None;
    };
    let part = QuantityPart {
        full_pace: false,
        what: String::new(),
        quantity,
        claimed,
        unit: String::new(),
        note: None,
    };
    Some(quantity::judge(evidence, &part).verdict)
}

/// Sizes are another question.
fn direction_only(verdict: ClaimVerdict) -> ClaimVerdict {
    if holds(&verdict) {
        ClaimVerdict::Holds
    } else {
        verdict
    }
}

fn seen(names: &[String], verdicts: &[ClaimVerdict]) -> String {
    let of = verdicts.len();
    let number =
        |is: &dyn Fn(&ClaimVerdict) -> bool| verdicts.iter().filter(|verdict| is(verdict)).count();
    let stand = number(&holds);
    let mut phrases = vec![format!("{stand} of {of} pairs stand as published")];
    let pairs = names.iter().zip(verdicts);
    let flipped: Vec<&str> = pairs
        .filter(|(_, verdict)| **verdict == ClaimVerdict::Flips)
        .map(|(name, _)| name.as_str())
        .collect();
    if !flipped.is_empty() {
        let which = flipped.join("; ");
        phrases.push(format!("{} the other way round ({which})", flipped.len()));
    }
    let ties = number(&|verdict| *verdict == ClaimVerdict::TieHere);
    if ties > 0 {
        phrases.push(format!("{ties} tie here"));
    }
    let open = of - stand - flipped.len() - ties;
    if open > 0 {
        phrases.push(format!("{open} are open"));
    }
    phrases.join(", ")
}
