//! A quantity of a session against the range that is claimed for it.

use super::{Evidence, TIE_MARGIN};
use crate::{
    claims::{catalogue::QuantityPart, estimate::estimate, verdict::Question},
    record::{Caution, ClaimEstimate, ClaimVerdict, FigureKind, LimitedBy, PartFinding, Session},
};

pub(super) fn judge(evidence: &Evidence<'_>, part: &QuantityPart) -> PartFinding {
    let session = evidence.session(&part.quantity.rows());
    let ours = session.and_then(|session| estimate(session, &part.quantity));
    let published = evidence.published.quantity(&part.quantity);
    let kind = part.quantity.kind();
    let question = |claimed| Question {
        claimed,
        kind,
        published,
        ours: ours.as_ref(),
        tie_margin: session.map_or(TIE_MARGIN, |session| session.settings.tie_margin),
    };
    let obstacle = evidence.obstacle(&part.quantity.rows());
    let verdict = match (obstacle, part.claimed) {
        (Some(reason), _) => ClaimVerdict::NotMeasurable {
            reason: reason.to_owned(),
        },
        (None, None) => ClaimVerdict::Beside,
        (None, Some(claimed)) => question(claimed).verdict(),
    };
    PartFinding {
        what: part.what.clone(),
        kind,
        unit: part.unit.clone(),
        published,
        ours,
        seen: None,
        verdict,
        cautions: session.map_or_else(Vec::new, |session| cautions(session, part, ours.as_ref())),
        note: part.note.clone(),
    }
}

fn cautions(session: &Session, part: &QuantityPart, ours: Option<&ClaimEstimate>) -> Vec<Caution> {
    let figures = part.quantity.figures();
    let mut cautions = Vec::new();
    for row in part.quantity.rows() {
        let mut of_row = figures.iter().filter(|leaf| leaf.row == row);
        let depends_on_client = of_row.any(|leaf| leaf.figure.depends_on_client());
        let mut summaries = session.analysis.rows.iter();
        let is_client_bound =
            summaries.any(|summary| summary.row == row && summary.limited_by == LimitedBy::Client);
        let row = row.to_owned();
        if session.settings.surcharges.contains_key(&row) {
            cautions.push(Caution::Surcharged { row: row.clone() });
        }
        if depends_on_client && is_client_bound {
            cautions.push(Caution::ClientBound { row });
        }
    }
    cautions.extend(below_noise_floor(session, part, ours));
    cautions
}

/// The noise floor is one of server CPU, and says nothing of bytes.
fn below_noise_floor(
    session: &Session,
    part: &QuantityPart,
    ours: Option<&ClaimEstimate>,
) -> Option<Caution> {
    let share = session.analysis.noise_floor.as_ref()?.share;
    let is_of_cpu = |leaf: &&crate::claims::quantity::RowFigure| {
        leaf.figure == crate::record::Figure::ServerCpuUsPerOp
    };
    let is_cpu_ratio =
        part.quantity.kind() == FigureKind::Ratio && part.quantity.figures().iter().any(is_of_cpu);
    let value = ours?.value;
    let difference = value.max(value.recip()) - 1.0;
    (is_cpu_ratio && difference < share).then_some(Caution::BelowNoiseFloor { share })
}
