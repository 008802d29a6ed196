//! All wording about claims, in one place.

use crate::{
    analysis::MOST_MORE_ROUNDS,
    claims::together::holds,
    record::{Caution, ClaimFinding, ClaimVerdict, FigureKind, PartFinding},
    report::number::{self, ABSENT},
};

/// A verdict in a few words.
#[must_use]
pub fn verdict(verdict: &ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "holds",
        ClaimVerdict::HoldsSmaller => "holds, smaller",
        ClaimVerdict::HoldsLarger => "holds, larger",
        ClaimVerdict::Flips => "flips",
        ClaimVerdict::TieHere => "tie here",
        ClaimVerdict::DoesNotHold => "does not hold",
        ClaimVerdict::NotSettled { .. } => "not settled",
        ClaimVerdict::NotMeasurable { .. } => "not measurable",
        ClaimVerdict::NeedsScenario { .. } => "not built yet",
        ClaimVerdict::NotMeasured => "not measured",
        ClaimVerdict::Beside => "explains it",
    }
}

/// Why a claim has its verdict, as sentences.
#[must_use]
pub fn reason(finding: &ClaimFinding) -> String {
    let mut sentences = vec![main_sentence(finding)];
    let decisive = decisive(finding);
    for caution in decisive.into_iter().flat_map(|part| &part.cautions) {
        sentences.push(self::caution(caution));
    }
    sentences.extend(decisive.and_then(|part| part.note.clone()));
    let shown: Vec<String> = sentences
        .into_iter()
        .map(|sentence| capitalised(sentence.trim_end_matches('.')) + ".")
        .collect();
    shown.join(" ")
}

fn main_sentence(finding: &ClaimFinding) -> String {
    match (&finding.verdict, decisive(finding)) {
        (ClaimVerdict::NotMeasurable { reason }, _) => reason.clone(),
        (ClaimVerdict::NeedsScenario { scenarios }, _) => {
            let plural = if scenarios.len() == 1 { "" } else { "s" };
            let names = scenarios.join(" and ");
            let needs = format!("needs scenario{plural} {names}, not built yet");
            match finding.parts.first() {
                Some(part) => format!("{needs}; so far: {}", stated(part)),
                None => needs,
            }
        }
        (_, None) => "its runs were not made".to_owned(),
        (ClaimVerdict::NotSettled { more_rounds }, Some(part)) => {
            let more = more_rounds.map_or_else(
                || {
                    format!(
                        "even {MOST_MORE_ROUNDS} more rounds would not settle it, so close does the figure \
                         lie to a bound of what is claimed"
                    )
                },
                |rounds| {
                    let rounds = number::counted(rounds.into(), "more round");
                    format!("to settle it: about {rounds}")
                },
            );
            format!("{}; {more}", stated(part))
        }
        (ClaimVerdict::Flips, Some(part)) => format!("{}; the other way round", stated(part)),
        (ClaimVerdict::TieHere, Some(part)) => {
            format!("{}; no difference to speak of", stated(part))
        }
        (ClaimVerdict::HoldsSmaller, Some(part)) => {
            format!("{}; a clearly smaller effect", stated(part))
        }
        (ClaimVerdict::HoldsLarger, Some(part)) => {
            format!("{}; a clearly larger effect", stated(part))
        }
        (_, Some(part)) => stated(part),
    }
}

/// The first part that has the claim's verdict, down to the rounds that it needs; of a claim that holds
/// on the whole, the first that holds.
fn decisive(finding: &ClaimFinding) -> Option<&PartFinding> {
    let kind = |verdict: &ClaimVerdict| std::mem::discriminant(verdict);
    let equal = |part: &&PartFinding| part.verdict == finding.verdict;
    let same = |part: &&PartFinding| kind(&part.verdict) == kind(&finding.verdict);
    let stands = |part: &&PartFinding| holds(&finding.verdict) && holds(&part.verdict);
    let parts = &finding.parts;
    parts
        .iter()
        .find(equal)
        .or_else(|| parts.iter().find(same))
        .or_else(|| parts.iter().find(stands))
}

/// A part as a statement: what it is, ours, published.
fn stated(part: &PartFinding) -> String {
    if let Some(seen) = &part.seen {
        return format!("{}: {seen}", part.what);
    }
    let published = part.published.map_or_else(String::new, |value| {
        format!(", published {}", figure(part, value))
    });
    format!("{}: {} here{published}", part.what, ours(part))
}

/// Our figure with its interval, or the range of its rounds in brackets.
#[must_use]
pub fn ours(part: &PartFinding) -> String {
    let Some(estimate) = &part.ours else {
        return match &part.verdict {
            ClaimVerdict::NotMeasurable { reason } => reason.clone(),
            _ => ABSENT.to_owned(),
        };
    };
    let value = number(part.kind, estimate.value);
    let interval = estimate.low.zip(estimate.high);
    let (from, to) = interval.unwrap_or((estimate.min, estimate.max));
    let (from, to) = (number(part.kind, from), number(part.kind, to));
    // A dash beside a minus sign would be misread.
    let dash = if from.starts_with('-') { " to " } else { "–" };
    let shown = if from == to {
        value
    } else if interval.is_some() {
        format!("{value} ({from}{dash}{to})")
    } else {
        format!("{value} [{from}{dash}{to}]")
    };
    with_unit(shown, &part.unit)
}

/// The published figure.
#[must_use]
pub fn published(part: &PartFinding) -> String {
    part.published
        .map_or_else(|| ABSENT.to_owned(), |value| figure(part, value))
}

fn figure(part: &PartFinding, value: f64) -> String {
    with_unit(number(part.kind, value), &part.unit)
}

fn with_unit(shown: String, unit: &str) -> String {
    if unit.is_empty() {
        shown
    } else {
        format!("{shown} {unit}")
    }
}

fn number(kind: FigureKind, value: f64) -> String {
    match kind {
        FigureKind::Ratio => number::ratio(value),
        FigureKind::Difference | FigureKind::Amount | FigureKind::Check => number::plain(value),
    }
}

/// What weakens a finding, in a clause.
#[must_use]
pub fn caution(caution: &Caution) -> String {
    match caution {
        Caution::ClientBound { row } => {
            format!("in {row} the load process was the limit, so this says little about the server")
        }
        Caution::BelowNoiseFloor { share } => format!(
            "distrust it, the noise floor of the session is {}",
            number::percent(*share)
        ),
        Caution::Surcharged { row } => format!("CPU was burnt on purpose in {row}"),
    }
}

/// Names that begin with a small letter keep it.
fn capitalised(text: &str) -> String {
    let is_name = ["gRPC", "p50", "p95"]
        .iter()
        .any(|name| text.starts_with(name));
    let mut signs = text.chars();
    match signs.next() {
        Some(first) if !is_name => first.to_uppercase().collect::<String>() + signs.as_str(),
        _ => text.to_owned(),
    }
}
