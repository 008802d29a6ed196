//! The order size from which one style costs less than another.

use super::{Evidence, TIE_MARGIN};
use crate::{
    claims::{
        catalogue::{Claimed, CrossoverPart},
        estimate,
        quantity::{Quantity, RowFigure},
        sweep::Sweep,
        verdict::Question,
    },
    record::{ClaimEstimate, FigureKind, PartFinding, Session},
    report::number,
};

/// The verdict is that on the longest order: the first figure is below the second there. Ours is the
/// order size at which the two cross, where they do in every round.
pub(super) fn judge(evidence: &Evidence<'_>, part: &CrossoverPart) -> PartFinding {
    let [first, second] = &part.crossover;
    let rows: Vec<&str> = first.rows().chain(second.rows()).collect();
    let session = evidence.session(&rows);
    let at_most_lines = session.and_then(|session| {
        let quantity = longest(first, second)?;
        estimate(session, &quantity)
    });
    let verdict = Question {
        claimed: Claimed::Below(1.0),
        kind: FigureKind::Ratio,
        published: None,
        ours: at_most_lines.as_ref(),
        tie_margin: session.map_or(TIE_MARGIN, |session| session.settings.tie_margin),
    }
    .verdict();
    let crossings = session.map_or_else(Vec::new, |session| crossings(session, first, second));
    let found: Vec<f64> = crossings.iter().copied().flatten().collect();
    let ours = (found.len() == crossings.len())
        .then(|| estimate::summary(&found, FigureKind::Ratio))
        .flatten();
    PartFinding {
        what: part.what.clone(),
        kind: FigureKind::Amount,
        unit: "lines".to_owned(),
        published: None,
        seen: match (&ours, &at_most_lines) {
            (None, Some(ratio)) => Some(seen(found.len(), crossings.len(), ratio, first)),
            _ => None,
        },
        ours,
        verdict,
        cautions: Vec::new(),
        note: part.note.clone(),
    }
}

/// The ratio of the two at the longest order.
fn longest(first: &Sweep, second: &Sweep) -> Option<Quantity> {
    let (over, under) = (first.figures().last()?, second.figures().last()?);
    Some(Quantity::ratio(over.figure, &over.row, &under.row))
}

/// Where the two cross, in every round that has both of the longest order.
fn crossings(session: &Session, first: &Sweep, second: &Sweep) -> Vec<Option<f64>> {
    let leaves: Vec<&RowFigure> = first.figures().chain(second.figures()).collect();
    estimate::by_round(session, &leaves, |figure| {
        let ratios: Vec<(f64, f64)> = first
            .points()
            .zip(second.points())
            .filter_map(|((lines, over), (_, under))| {
                Some((f64::from(lines), figure(over)? / figure(under)?))
            })
            .collect();
        let last = first.points().last().map(|(lines, _)| f64::from(lines));
        (ratios.last().map(|(lines, _)| *lines) == last).then(|| crossing(&ratios))
    })
}

/// The order size from which the ratio stays below 1, by interpolation on logarithmic axes; the
/// smallest size when it always does, and `None` when it is not below 1 at the end.
fn crossing(ratios: &[(f64, f64)]) -> Option<f64> {
    let below = ratios.iter().rev().take_while(|(_, ratio)| *ratio < 1.0);
    let first_below = ratios.len() - below.count();
    let &(lines, ratio) = ratios.get(first_below)?;
    let Some(&(lines_before, ratio_before)) = first_below
        .checked_sub(1)
        .and_then(|before| ratios.get(before))
    else {
        return Some(lines);
    };
    let share = ratio_before.ln() / (ratio_before.ln() - ratio.ln());
    Some((lines_before.ln() + share * (lines.ln() - lines_before.ln())).exp())
}

fn seen(crossed: usize, rounds: usize, ratio: &ClaimEstimate, sweep: &Sweep) -> String {
    let most = sweep.points().last().map_or(0, |(lines, _)| lines);
    let in_rounds = if crossed == 0 {
        String::new()
    } else {
        format!(" in {} of {rounds} rounds", rounds - crossed)
    };
    format!(
        "none up to {} lines{in_rounds}, where the ratio is {}",
        number::plain(most.into()),
        number::ratio(ratio.value)
    )
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn curves_cross_where_their_ratio_falls_below_one_for_good() {
        let at = |ratios: &[(f64, f64)]| crossing(ratios);
        let between = at(&[(2.0, 1.5), (50.0, 2.0), (5_000.0, 0.5)]).unwrap();
        assert!((between - 500.0).abs() < 1e-9, "{between}");
        let again = at(&[(2.0, 0.9), (50.0, 2.0), (5_000.0, 0.5)]).unwrap();
        assert!((again - 500.0).abs() < 1e-9, "{again}");
        assert_eq!(at(&[(2.0, 0.9), (50.0, 0.8)]), Some(2.0));
        assert_eq!(at(&[(2.0, 0.9), (50.0, 1.0)]), None);
        assert_eq!(at(&[]), None);
    }
}
