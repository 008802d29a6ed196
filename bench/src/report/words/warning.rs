//! Warnings, each with advice.

use crate::{
    record::{Session, Warning},
    report::{
        number::{count, counted, percent, plain, ratio},
        view,
    },
};

use super::gate_count;

/// A warning with its advice, as whole sentences.
#[must_use]
pub fn warning(session: &Session, warning: &Warning) -> String {
    match warning {
        Warning::DebugBuild => "The server was a debug build: its CPU figures are many times too \
             high. Build with --release and measure again."
            .to_owned(),
        Warning::UnequalAnswers { differences } => format!(
            "The styles gave different answers ({}), so they did not do the same work. Run \
             `bookstore-bench verify` to see them.",
            counted(u64::from(*differences), "difference")
        ),
        Warning::TooFewRounds { rounds: 0, .. } => {
            "No round counts, so there are no figures and nothing is compared.".to_owned()
        }
        Warning::TooFewRounds { rounds, needed } => format!(
            "Only {} counted; intervals need {needed}. Ranges are shown instead and nothing is \
             settled: raise --rounds.",
            counted(u64::from(*rounds), "round")
        ),
        Warning::RoundsOut { out, of } => format!(
            "{} of {} left out because a run had failed or wrong operations; each is named below.",
            count(u64::from(*out)),
            counted(u64::from(*of), "round")
        ),
        Warning::FalseDifference { ratio: found } => format!(
            "The repeated row came out different from itself (ratio {}), so no verdict of this \
             session should be trusted. Close other programs and measure again, or raise --rounds.",
            ratio(*found)
        ),
        Warning::Drift { row, tau } => format!(
            "{}: server CPU {} over the rounds (Kendall's tau {}). Raise --warmup, or let the \
             machine cool down.",
            view::full_label(session, row),
            if *tau > 0.0 { "rises" } else { "falls" },
            format!("{tau:.2}").replace('-', "−")
        ),
        Warning::OutlierRun { row, round, z } => format!(
            "{}: round {round} lies far from the others (modified z-score {}). It is kept.",
            view::full_label(session, row),
            plain(*z)
        ),
        Warning::GatedRuns { row, gate } => format!(
            "{}: {}.",
            view::full_label(session, row),
            gate_count(gate, view::runs_of(session, row))
        ),
        Warning::NoCpuMeter { reason } => format!(
            "CPU time cannot be read here ({reason}), so the CPU columns are empty. Throughput, \
             durations and bytes are measured as usual."
        ),
        Warning::Surcharged { rows } => {
            let rows: Vec<String> = rows
                .iter()
                .map(|id| {
                    let share = session.settings.surcharges.get(id);
                    let share =
                        share.map_or_else(String::new, |share| format!(" (+{})", percent(*share)));
                    view::full_label(session, id) + &share
                })
                .collect();
            format!(
                "CPU is burnt on purpose in {}. These figures test the method, not the style.",
                rows.join(", ")
            )
        }
    }
}

/// All outlying runs in one sentence; none when there are none. The farthest is named, and all of
/// them stand in the record.
#[must_use]
pub fn outliers(session: &Session) -> Option<String> {
    let outliers: Vec<(&Warning, f64)> = session
        .analysis
        .warnings
        .iter()
        .filter_map(|warning| match warning {
            Warning::OutlierRun { z, .. } => Some((warning, *z)),
            _ => None,
        })
        .collect();
    let (farthest, _) = outliers
        .iter()
        .max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()))?;
    let farthest = warning(session, farthest);
    Some(match outliers.len() {
        1 => farthest,
        count => format!(
            "{count} runs lie far from the others of their rows, the farthest: {farthest} Several \
             mean that the machine was busy: close other programs and measure again."
        ),
    })
}
