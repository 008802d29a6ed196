//! How to read the marks of the table.

use crate::{
    record::{RoundOut, Session},
    report::{number, view},
};

/// What a table for narrow terminals lacks, and where it is.
pub const LEFT_OUT: &str =
    "Requests, bytes and client CPU are shown on a wider terminal, and in the files.";

/// What the marks and the lines beneath the figures mean.
#[must_use]
pub fn legend(session: &Session) -> String {
    let summaries = || {
        view::shown_rows(session)
            .into_iter()
            .filter_map(|row| view::summary(session, row))
            .filter_map(|summary| summary.ops_per_s.as_ref())
    };
    let intervals = summaries().any(number::has_interval);
    let ranges =
        summaries().any(|estimate| !number::has_interval(estimate) && number::has_spread(estimate));
    let figure = match (intervals, ranges) {
        (true, true) => {
            "the median of its runs with its 95 % interval, or the range of its runs in brackets"
        }
        (true, false) => "the median of its runs with its 95 % interval",
        (false, true) => "the median of its runs with the range of its runs in brackets",
        (false, false) if summaries().next().is_some() => "that of its one run",
        (false, false) => return "No round counts yet, so there are no figures.".to_owned(),
    };
    format!(
        "Each figure is {figure}; * best of its scenario, = shares the \
         best, ? may be the best, not settled. Intervals are not adjusted for the number of \
         comparisons."
    )
}

/// Why a round does not count, as a sentence.
#[must_use]
pub fn round_out(session: &Session, out: &RoundOut) -> String {
    format!(
        "Round {} is left out: {}, {}.",
        out.round,
        view::full_label(session, &out.row),
        out.reason
    )
}
