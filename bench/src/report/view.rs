//! What of a session a reader is shown: the rows of the table by group, and how they compare.

use crate::record::{
    Comparison, Estimate, Metric, NoiseFloor, RatioEstimate, Row, RowSummary, Run, Session, Verdict,
};

use super::number;

/// Rows that are compared with each other.
#[derive(Debug)]
pub struct Group<'a> {
    /// The group's id.
    pub id: &'a str,
    /// The group in words.
    pub label: &'a str,
    /// Its shown rows, in table order.
    pub rows: Vec<&'a Row>,
}

impl<'a> Group<'a> {
    /// The row that the others are compared with: the marked one, else the first.
    #[must_use]
    pub fn reference(&self) -> Option<&'a Row> {
        let marked = self.rows.iter().find(|row| row.reference);
        marked.or(self.rows.first()).copied()
    }
}

/// One pair of rows by one metric, turned so that `row` is the numerator.
#[derive(Debug)]
pub struct Pair<'a> {
    /// The metric.
    pub metric: Metric,
    /// Row in the numerator.
    pub row: &'a Row,
    /// Row in the denominator.
    pub against: &'a Row,
    /// The ratio `row / against`.
    pub ratio: RatioEstimate,
    /// What it means.
    pub verdict: &'a Verdict,
}

/// How a row stands in its group by one metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Better than every other row.
    Best,
    /// Ties with the best, and nothing is better.
    SharesBest,
    /// May be the best; the runs do not settle it.
    Unsettled,
    /// Another row is better, or there is nothing to compare.
    Other,
}

impl Standing {
    /// The mark beside the figure; it must work without colour.
    #[must_use]
    pub fn mark(self) -> &'static str {
        match self {
            Self::Best => "*",
            Self::SharesBest => "=",
            Self::Unsettled => "?",
            Self::Other => "",
        }
    }

    /// Whether the figure is emphasised.
    #[must_use]
    pub fn leads(self) -> bool {
        matches!(self, Self::Best | Self::SharesBest)
    }
}

/// The rows of the table. A row that only repeats another for the noise floor is left out, unless
/// every row is repeated: then the session is about the repetition.
#[must_use]
pub fn shown_rows(session: &Session) -> Vec<&Row> {
    let is_repeated = |row: &Row| {
        let mut others = session.rows.iter();
        others.any(|other| other.repeats.as_deref() == Some(row.id.as_str()))
    };
    let all = session
        .rows
        .iter()
        .all(|row| row.repeats.is_some() || is_repeated(row));
    session
        .rows
        .iter()
        .filter(|row| all || row.repeats.is_none())
        .collect()
}

/// The shown rows by group, in table order.
#[must_use]
pub fn groups(session: &Session) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in shown_rows(session) {
        match groups.iter_mut().find(|group| group.id == row.group) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group {
                id: &row.group,
                label: &row.group_label,
                rows: vec![row],
            }),
        }
    }
    groups
}

/// The summary of a row; absent before its first run.
#[must_use]
pub fn summary<'a>(session: &'a Session, row: &Row) -> Option<&'a RowSummary> {
    session
        .analysis
        .rows
        .iter()
        .find(|summary| summary.row == row.id)
}

/// The row with this id.
#[must_use]
pub fn row<'a>(session: &'a Session, id: &str) -> Option<&'a Row> {
    session.rows.iter().find(|row| row.id == id)
}

/// A row as text without a table around it names it: `(a) 2 lines REST`.
#[must_use]
pub fn full_label(session: &Session, id: &str) -> String {
    row(session, id).map_or_else(
        || id.to_owned(),
        |row| format!("{} {}", row.group_label, row.label),
    )
}

/// The comparison of two rows by a metric, whichever way round it was recorded; none when a row was
/// not measured.
#[must_use]
pub fn pair<'a>(
    session: &'a Session,
    metric: Metric,
    row: &'a Row,
    against: &'a Row,
) -> Option<Pair<'a>> {
    let recorded = |numerator: &Row, denominator: &Row| {
        session.analysis.comparisons.iter().find(|comparison| {
            comparison.metric == metric
                && comparison.row == numerator.id
                && comparison.against == denominator.id
        })
    };
    let turned = |comparison: &'a Comparison, ratio| Pair {
        metric,
        row,
        against,
        ratio,
        verdict: &comparison.verdict,
    };
    if let Some(comparison) = recorded(row, against) {
        return Some(turned(comparison, comparison.ratio?));
    }
    let comparison = recorded(against, row)?;
    Some(turned(comparison, number::inverse(&comparison.ratio?)))
}

/// Every other shown row of the group against its reference.
#[must_use]
pub fn pairs_with_reference<'a>(
    session: &'a Session,
    group: &Group<'a>,
    metric: Metric,
) -> Vec<Pair<'a>> {
    let Some(reference) = group.reference() else {
        return Vec::new();
    };
    let others = group.rows.iter().filter(|row| row.id != reference.id);
    others
        .filter_map(|row| pair(session, metric, row, reference))
        .collect()
}

/// Every pair of shown rows of the group in which the reference has no part.
#[must_use]
pub fn pairs_without_reference<'a>(
    session: &'a Session,
    group: &Group<'a>,
    metric: Metric,
) -> Vec<Pair<'a>> {
    let reference = group.reference().map(|row| row.id.as_str());
    let others: Vec<&Row> = group
        .rows
        .iter()
        .copied()
        .filter(|row| Some(row.id.as_str()) != reference)
        .collect();
    let mut pairs = Vec::new();
    for (index, row) in others.iter().enumerate() {
        for against in &others[index + 1..] {
            pairs.extend(pair(session, metric, row, against));
        }
    }
    pairs
}

/// How `row` stands in its group by `metric`.
#[must_use]
pub fn standing(session: &Session, group: &Group<'_>, metric: Metric, row: &Row) -> Standing {
    let mut standing = Standing::Best;
    let mut compared = false;
    for other in group.rows.iter().filter(|other| other.id != row.id) {
        let Some(pair) = pair(session, metric, row, other) else {
            continue;
        };
        // Below six rounds nothing can be settled; a mark on every figure would say nothing.
        let has_interval = pair.ratio.low.is_some() && pair.ratio.high.is_some();
        match pair.verdict {
            Verdict::Better { row: better } | Verdict::SlightlyBetter { row: better } => {
                if *better != row.id {
                    return Standing::Other;
                }
            }
            Verdict::Tie if standing == Standing::Best => standing = Standing::SharesBest,
            Verdict::Tie => {}
            Verdict::NotSettled { .. } if has_interval => standing = Standing::Unsettled,
            Verdict::NotSettled { .. } => return Standing::Other,
            Verdict::NotMeasured => continue,
        }
        compared = true;
    }
    if compared { standing } else { Standing::Other }
}

/// Whether a ratio is nearer to 1 than the machine can tell apart today.
#[must_use]
pub fn below_noise_floor(session: &Session, ratio: &RatioEstimate) -> Option<f64> {
    let NoiseFloor { share, .. } = session.analysis.noise_floor.as_ref()?;
    let difference = ratio.ratio.max(1.0 / ratio.ratio) - 1.0;
    (difference < *share).then_some(*share)
}

/// The estimate of a metric in a summary.
#[must_use]
pub fn estimate(summary: &RowSummary, metric: Metric) -> Option<&Estimate> {
    match metric {
        Metric::ServerCpuUsPerOp => summary.server_cpu_us_per_op.as_ref(),
        Metric::ClientCpuUsPerOp => summary.client_cpu_us_per_op.as_ref(),
        Metric::OpsPerS => summary.ops_per_s.as_ref(),
        Metric::P50Ms => summary.p50_ms.as_ref(),
        Metric::P95Ms => summary.p95_ms.as_ref(),
    }
}

/// Whether the run's round counts.
#[must_use]
pub fn counts(session: &Session, run: &Run) -> bool {
    let mut out = session.analysis.rounds_out.iter();
    !out.any(|out| out.round == run.round)
}

/// Runs that the plan foresees.
#[must_use]
pub fn planned_runs(session: &Session) -> usize {
    session.settings.order.iter().map(Vec::len).sum()
}

/// Runs made of the row with this id.
#[must_use]
pub fn runs_of(session: &Session, id: &str) -> usize {
    session.runs.iter().filter(|run| run.row == id).count()
}
