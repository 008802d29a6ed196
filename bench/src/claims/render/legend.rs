//! How to read the verdicts, and what they are about.

use std::cmp::Reverse;

use crate::{
    claims::{render::words, verdict::SIZE_TOLERANCE},
    record::{ClaimVerdict, ClaimsRecord, SessionState},
    report::number::{counted, percent},
};

/// What the verdicts are about.
pub(super) fn about(record: &ClaimsRecord) -> String {
    format!(
        "Verdicts are about this stack and this machine: {}. A ratio that flips is a finding about two \
         stacks, not an error of either.",
        record.stack
    )
}

/// How often each verdict was given: `9 hold, 2 flip` in the words of the verdicts.
pub(super) fn counts(record: &ClaimsRecord) -> String {
    let mut counts: Vec<(&str, u64)> = Vec::new();
    for finding in &record.findings {
        let name = words::verdict(&finding.verdict);
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let shown: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    format!(
        "{}: {}.",
        counted(record.findings.len() as u64, "claim"),
        shown.join(", ")
    )
}

/// The claims of each verdict, the most frequent verdict first.
pub(super) fn by_verdict(record: &ClaimsRecord) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for finding in &record.findings {
        let name = words::verdict(&finding.verdict);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, ids)) => ids.push(&finding.id),
            None => groups.push((name, vec![&finding.id])),
        }
    }
    groups.sort_by_key(|(_, ids)| Reverse(ids.len()));
    let rows: Vec<String> = groups
        .iter()
        .map(|(name, ids)| format!("| **{name}** | {} | {} |", ids.len(), ids.join(", ")))
        .collect();
    format!(
        "| Verdict | Claims | Which |\n|---|---:|---|\n{}",
        rows.join("\n")
    )
}

/// What the words mean.
pub(super) fn meaning(record: &ClaimsRecord) -> String {
    let margins = record
        .sessions
        .first()
        .map(|session| session.settings.tie_margin);
    let margin = percent(margins.unwrap_or(0.05));
    format!(
        "Figures are Hodges-Lehmann estimates over interleaved rounds with exact signed-rank intervals of \
         95 % (single rounds in square brackets where there are fewer than 6), unadjusted for the number \
         of claims. *{holds}*: the whole interval lies where it was claimed to; *smaller* or *larger*: in \
         the claimed direction, but more than {size} away from the published size, or short of the \
         claimed bound; *{tie}*: within ±{margin}; *{flips}*: wholly on the other side; *{open}*: the \
         interval allows more than one of these.",
        holds = words::verdict(&ClaimVerdict::Holds),
        size = percent(SIZE_TOLERANCE),
        tie = words::verdict(&ClaimVerdict::TieHere),
        flips = words::verdict(&ClaimVerdict::Flips),
        open = words::verdict(&ClaimVerdict::NotSettled { more_rounds: None }),
    )
}

/// What a reader must know of an incomplete record.
pub(super) fn state(record: &ClaimsRecord) -> Option<String> {
    let why = match &record.state {
        SessionState::Complete => return None,
        SessionState::Running => "still measuring".to_owned(),
        SessionState::Interrupted => "interrupted".to_owned(),
        SessionState::Failed { error } => format!("stopped by an error ({error})"),
    };
    let runs: usize = record
        .sessions
        .iter()
        .map(|session| session.runs.len())
        .sum();
    Some(format!(
        "Not complete: {why} after {}.",
        counted(runs as u64, "run")
    ))
}
