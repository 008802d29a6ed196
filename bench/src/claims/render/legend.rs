//! How to read the verdicts, and what they are about.

use std::collections::BTreeMap;

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

/// How often each verdict was given: `holds 9; flips 2`.
pub(super) fn counts(record: &ClaimsRecord) -> String {
    let shown: Vec<String> = groups(record)
        .iter()
        .map(|(name, ids)| format!("{name} {}", ids.len()))
        .collect();
    let claims = counted(record.findings.len() as u64, "claim");
    if shown.is_empty() {
        return format!("{claims}.");
    }
    // Names of verdicts have commas of their own.
    format!("{claims}: {}.", shown.join("; "))
}

/// The ids of the claims with each verdict that was given, in the order of the verdicts.
fn groups(record: &ClaimsRecord) -> Vec<(&'static str, Vec<&str>)> {
    let mut groups: BTreeMap<u8, (&str, Vec<&str>)> = BTreeMap::new();
    for finding in &record.findings {
        let place = place(&finding.verdict);
        let empty = || (words::verdict(&finding.verdict), Vec::new());
        groups
            .entry(place)
            .or_insert_with(empty)
            .1
            .push(&finding.id);
    }
    groups.into_values().collect()
}

/// Where a verdict stands among the others: what speaks for a claim, what speaks against it, what is
/// open.
fn place(verdict: &ClaimVerdict) -> u8 {
    match verdict {
        ClaimVerdict::Holds => 0,
        ClaimVerdict::HoldsLarger => 1,
        ClaimVerdict::HoldsSmaller => 2,
        ClaimVerdict::TieHere => 3,
        ClaimVerdict::Flips => 4,
        ClaimVerdict::DoesNotHold => 5,
        ClaimVerdict::NotSettled { .. } => 6,
        ClaimVerdict::NotMeasurable { .. } => 7,
        ClaimVerdict::NeedsScenario { .. } => 8,
        ClaimVerdict::NotMeasured => 9,
        ClaimVerdict::Beside => 10,
    }
}

/// The claims of each verdict, in the same order.
pub(super) fn by_verdict(record: &ClaimsRecord) -> String {
    let rows: Vec<String> = groups(record)
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
         the claimed direction, but more than {size} away from the published size, or past the \
         claimed bound; *{tie}*: within ±{margin}; *{flips}*: wholly on the other side; *{not}*: what \
         is claimed has no other side, and is otherwise; *{open}*: the interval allows more than one of \
         these.",
        holds = words::verdict(&ClaimVerdict::Holds),
        size = percent(SIZE_TOLERANCE),
        tie = words::verdict(&ClaimVerdict::TieHere),
        flips = words::verdict(&ClaimVerdict::Flips),
        not = words::verdict(&ClaimVerdict::DoesNotHold),
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
