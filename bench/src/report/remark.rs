//! Remarks: what a reader must know before trusting the figures.

use crate::record::{Session, Warning};

use super::{view, words};

/// Warnings, rounds that were left out and advice on the machine, in words. What a footnote beneath
/// the table already tells is not repeated, and outliers share one remark.
#[must_use]
pub fn remarks(session: &Session) -> Vec<String> {
    let shown = view::shown_rows(session);
    let is_footnote = |warning: &Warning| match warning {
        Warning::GatedRuns { row, .. } => shown.iter().any(|shown| shown.id == *row),
        _ => false,
    };
    let is_outlier = |warning: &Warning| matches!(warning, Warning::OutlierRun { .. });
    let analysis = &session.analysis;
    let warnings = analysis
        .warnings
        .iter()
        .filter(|warning| !is_footnote(warning) && !is_outlier(warning))
        .map(|warning| words::warning(session, warning))
        .chain(words::outliers(session));
    let rounds = analysis
        .rounds_out
        .iter()
        .map(|out| words::round_out(session, out));
    warnings
        .chain(rounds)
        .chain(words::offered_rates(session))
        .chain(session.machine.advice.iter().cloned())
        .collect()
}
