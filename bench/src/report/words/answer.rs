//! The answer per group in two sentences: who spends the least server CPU, who sends the least.

use crate::{
    record::{Metric, Row, Session},
    report::{
        number,
        view::{self, Group, Standing},
    },
};

use super::verdict::oriented;

/// At most two sentences on a group of rows; `None` when nothing was measured yet.
#[must_use]
pub fn answer(session: &Session, group: &Group<'_>) -> Option<String> {
    let sentences: Vec<String> = [server_cpu(session, group), wire_bytes(session, group)]
        .into_iter()
        .flatten()
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn server_cpu(session: &Session, group: &Group<'_>) -> Option<String> {
    let standing = |row: &&&Row| view::standing(session, group, Metric::ServerCpuUsPerOp, row);
    let with = |wanted: Standing| -> Vec<&Row> {
        let rows = group.rows.iter().filter(|row| standing(row) == wanted);
        rows.copied().collect()
    };
    let best = [with(Standing::Best), with(Standing::SharesBest)].concat();
    let unsettled = with(Standing::Unsettled);
    let (leaders, opening) = match (best.as_slice(), unsettled.as_slice()) {
        ([], []) => return too_early(session, group),
        ([], open) => (
            open,
            format!(
                "Which spends the least server CPU is not settled between {}",
                labels(open)
            ),
        ),
        ([one], []) => (
            best.as_slice(),
            format!("{} spends the least server CPU", one.label),
        ),
        (several, _) => (
            several,
            format!(
                "{} spend equally little server CPU (within {})",
                labels(several),
                number::percent(session.settings.tie_margin)
            ),
        ),
    };
    let Some(leader) = leaders.first() else {
        return Some(format!("{opening}."));
    };
    let others = group
        .rows
        .iter()
        .filter(|row| !leaders.iter().any(|leader| leader.id == row.id));
    let factors: Vec<String> = others
        .filter_map(|other| {
            let span = factor_span(session, leader, other)?;
            Some(match leaders {
                [_] => format!("{span} times less than {}", other.label),
                _ => format!(
                    "{} needs {span} times as much as {}",
                    other.label, leader.label
                ),
            })
        })
        .collect();
    Some(match (factors.as_slice(), leaders) {
        ([], _) => format!("{opening}."),
        (_, [_]) => format!("{opening}: {}.", list(&factors)),
        _ => format!("{opening}; {}.", list(&factors)),
    })
}

/// For groups of several rows in which nothing is settled at all.
fn too_early(session: &Session, group: &Group<'_>) -> Option<String> {
    let measured = group.rows.iter().filter(|row| {
        view::summary(session, row).is_some_and(|summary| summary.server_cpu_us_per_op.is_some())
    });
    (measured.count() > 1)
        .then(|| "Too few rounds to say which spends the least server CPU.".to_owned())
}

/// How many times less the leader spends, as an interval.
fn factor_span(session: &Session, leader: &Row, other: &Row) -> Option<String> {
    let pair = view::pair(session, Metric::ServerCpuUsPerOp, leader, other)?;
    let (_, _, factor) = oriented(&pair, &leader.id);
    Some(number::ratio_span(&factor))
}

fn wire_bytes(session: &Session, group: &Group<'_>) -> Option<String> {
    let bytes = |row: &Row| -> Option<f64> {
        let summary = view::summary(session, row)?;
        let sent = summary.sent_bytes_per_op?.median;
        Some(sent + summary.received_bytes_per_op?.median)
    };
    let reference = group.reference()?;
    let reference_bytes = bytes(reference)?;
    let measured: Vec<(&Row, f64)> = group
        .rows
        .iter()
        .filter_map(|row| Some((*row, bytes(row)?)))
        .collect();
    let (smallest, least) = measured
        .into_iter()
        .min_by(|(_, left), (_, right)| left.total_cmp(right))?;
    let compared = if smallest.id == reference.id {
        String::new()
    } else {
        format!(
            ", {} of {}'s {}",
            number::percent(least / reference_bytes),
            reference.label,
            number::bytes(reference_bytes)
        )
    };
    Some(format!(
        "{} moves the fewest bytes: {} per operation{compared}.",
        smallest.label,
        number::bytes(least)
    ))
}

fn labels(rows: &[&Row]) -> String {
    let labels: Vec<String> = rows.iter().map(|row| row.label.clone()).collect();
    list(&labels)
}

/// `a`, `a and b`, `a, b and c`.
fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} and {end}", first.join(", ")),
    }
}
