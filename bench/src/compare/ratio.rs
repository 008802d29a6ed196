//! Which ratios between styles hold, from one side to the other.

use super::{FIGURES, Side};
use crate::{
    catalogue::Catalogue,
    claims::{
        catalogue::Claimed,
        quantity::Quantity,
        verdict::{Question, SIZE_TOLERANCE},
    },
    record::{ClaimEstimate, ClaimVerdict, Figure, FigureKind},
    rows,
};

/// Used when no session says otherwise.
const TIE_MARGIN: f64 = 0.05;

/// One style against its group's reference, by one figure, on both sides.
#[derive(Clone, Debug)]
pub(super) struct Ratio {
    pub row: String,
    pub against: String,
    pub figure: Figure,
    pub old: ClaimEstimate,
    pub new: ClaimEstimate,
    /// Whether the new side bears the old one out.
    pub verdict: ClaimVerdict,
}

pub(super) fn ratios(old: &Side, new: &Side, common: &[&str]) -> Vec<Ratio> {
    let mut ratios = Vec::new();
    for figure in FIGURES {
        for (row, against) in pairs(common) {
            let quantity = Quantity::ratio(figure, row, against);
            let (Some(of_old), Some(of_new)) = (old.ratio(&quantity), new.ratio(&quantity)) else {
                continue;
            };
            let margin = new.session().map(|session| session.settings.tie_margin);
            ratios.push(Ratio {
                row: row.to_owned(),
                against: against.to_owned(),
                figure,
                old: of_old,
                new: of_new,
                verdict: verdict(&of_old, &of_new, margin.unwrap_or(TIE_MARGIN)),
            });
        }
    }
    ratios
}

/// Every row with its group's reference, or the group's first row.
fn pairs<'a>(common: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    let catalogue = Catalogue::built_in();
    let known = common
        .iter()
        .filter_map(|id| Some((*id, rows::named(&catalogue, id)?)));
    let mut groups: Vec<(String, Vec<(&str, bool)>)> = Vec::new();
    for (id, row) in known {
        match groups.iter_mut().find(|(group, _)| *group == row.group) {
            Some((_, members)) => members.push((id, row.reference)),
            None => groups.push((row.group, vec![(id, row.reference)])),
        }
    }
    let mut pairs = Vec::new();
    for (_, mut members) in groups {
        members.sort_by_key(|(_, reference)| !reference);
        if let Some(((reference, _), others)) = members.split_first() {
            pairs.extend(others.iter().map(|(row, _)| (*row, *reference)));
        }
    }
    pairs
}

/// The old ratio is taken as the claim. Two published tables have no spread to judge by.
fn verdict(old: &ClaimEstimate, new: &ClaimEstimate, tie_margin: f64) -> ClaimVerdict {
    let alike = 1.0 + tie_margin;
    let claimed = if old.value > alike {
        Claimed::Above(1.0)
    } else if old.value < alike.recip() {
        Claimed::Below(1.0)
    } else {
        let bound = 1.0 + SIZE_TOLERANCE;
        Claimed::Within(bound.recip(), bound)
    };
    Question {
        claimed,
        kind: FigureKind::Ratio,
        published: Some(old.value),
        ours: Some(new),
        tie_margin,
    }
    .verdict()
}
