//! What a comparison says.

use crate::{
    record::{Metric, RatioEstimate, Row, Session, Verdict},
    report::{
        number::{self, ratio_span},
        view::{self, Pair},
    },
};

/// A metric's words.
struct MetricWords {
    /// Heading: what is compared.
    title: &'static str,
    /// What the better row is.
    better: &'static str,
    /// What stands after the factor: `1.42` *times less server CPU than*.
    factor: &'static str,
    /// The quantity itself, for ties.
    quantity: &'static str,
    /// Whether more is better.
    more_is_better: bool,
}

fn words(metric: Metric) -> MetricWords {
    match metric {
        Metric::ServerCpuUsPerOp => MetricWords {
            title: "Server CPU per operation",
            better: "cheaper",
            factor: "times less server CPU than",
            quantity: "server CPU",
            more_is_better: false,
        },
        Metric::ClientCpuUsPerOp => MetricWords {
            title: "Client CPU per operation",
            better: "cheaper for the client",
            factor: "times less client CPU than",
            quantity: "client CPU",
            more_is_better: false,
        },
        Metric::OpsPerS => MetricWords {
            title: "Operations per second",
            better: "faster",
            factor: "times as many operations per second as",
            quantity: "throughput",
            more_is_better: true,
        },
        Metric::P50Ms => MetricWords {
            title: "Median duration (p50)",
            better: "faster",
            factor: "times shorter median than",
            quantity: "median",
            more_is_better: false,
        },
        Metric::P95Ms => MetricWords {
            title: "95th percentile of the duration (p95)",
            better: "faster",
            factor: "times shorter 95th percentile than",
            quantity: "95th percentile",
            more_is_better: false,
        },
    }
}

/// What a metric compares, as a heading.
#[must_use]
pub fn metric_title(metric: Metric) -> &'static str {
    words(metric).title
}

/// A comparison as a sentence without its full stop, naming the better style:
/// `REST is cheaper: 1.42 times less server CPU than GraphQL (1.31 to 1.55)`.
#[must_use]
pub fn comparison(session: &Session, pair: &Pair<'_>) -> String {
    let words = words(pair.metric);
    let (row, against) = (&pair.row.label, &pair.against.label);
    let span = ratio_span(&pair.ratio);
    match pair.verdict {
        Verdict::Better { row: better } => winner(session, pair, better, words.better),
        Verdict::SlightlyBetter { row: better } => {
            winner(session, pair, better, &format!("slightly {}", words.better))
        }
        Verdict::Tie => format!(
            "{row} and {against} tie: {} within {} (ratio {}, {span})",
            words.quantity,
            number::percent(session.settings.tie_margin),
            number::ratio(pair.ratio.ratio),
        ),
        Verdict::NotSettled { more_rounds } => format!(
            "{row} against {against} is not settled: ratio {} ({span}){}",
            number::ratio(pair.ratio.ratio),
            more(*more_rounds),
        ),
        Verdict::NotMeasured => format!("{row} against {against}: not measured"),
    }
}

/// A comparison in a few words, for pairs beside the main ones: `REST BFF cheaper than gRPC-Web,
/// 1.07 times (1.03 to 1.11)`.
#[must_use]
pub fn brief(pair: &Pair<'_>) -> String {
    let words = words(pair.metric);
    let (row, against) = (&pair.row.label, &pair.against.label);
    match pair.verdict {
        Verdict::Better { row: better } | Verdict::SlightlyBetter { row: better } => {
            let (better, worse, factor) = oriented(pair, better);
            let slightly = match pair.verdict {
                Verdict::SlightlyBetter { .. } => "slightly ",
                _ => "",
            };
            format!(
                "{} {slightly}{} than {}, {} times ({})",
                better.label,
                words.better,
                worse.label,
                number::ratio(factor.ratio),
                ratio_span(&factor),
            )
        }
        Verdict::Tie => format!("{row} and {against} tie"),
        Verdict::NotSettled { more_rounds } => {
            format!("{row} against {against} not settled{}", more(*more_rounds))
        }
        Verdict::NotMeasured => format!("{row} against {against} not measured"),
    }
}

fn winner(session: &Session, pair: &Pair<'_>, better: &str, is: &str) -> String {
    let (better, worse, factor) = oriented(pair, better);
    let doubt = view::below_noise_floor(session, &pair.ratio).map_or_else(String::new, |share| {
        format!(
            "; distrust it, today's noise floor is {}",
            number::percent(share)
        )
    });
    format!(
        "{} is {is}: {} {} {} ({}){doubt}",
        better.label,
        number::ratio(factor.ratio),
        words(pair.metric).factor,
        worse.label,
        ratio_span(&factor),
    )
}

/// The better row, the worse row and the factor between them, above 1 when the better row leads.
pub(super) fn oriented<'a>(pair: &Pair<'a>, better: &str) -> (&'a Row, &'a Row, RatioEstimate) {
    let row_is_better = pair.row.id == better;
    let (better, worse) = if row_is_better {
        (pair.row, pair.against)
    } else {
        (pair.against, pair.row)
    };
    let factor = if row_is_better == words(pair.metric).more_is_better {
        pair.ratio
    } else {
        number::inverse(&pair.ratio)
    };
    (better, worse, factor)
}

/// How many more rounds would settle it.
fn more(rounds: Option<u32>) -> String {
    rounds.map_or_else(String::new, |rounds| {
        format!(", about {}", number::counted(rounds.into(), "more round"))
    })
}
