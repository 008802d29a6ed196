//! The results as Markdown, for a README, a wiki or a pull request.

use std::fmt::Write as _;

use crate::record::{Estimate, Metric, Row, Session};

use super::{
    footnote::Footnotes,
    number::{self, ABSENT},
    remark::remarks,
    section::{Section, sections},
    view::{self, Group, Standing},
    words,
};

/// The table with one line per row as the article has it, the verdicts, and how it was measured.
#[must_use]
pub fn render(session: &Session) -> String {
    let notes = Footnotes::of(session);
    let mut text = String::from("# Bookstore in four API styles: results\n\n");
    let mut paragraph = |paragraph: &str| {
        if paragraph.is_empty() {
            return;
        }
        text.push_str(paragraph.trim_end());
        text.push_str("\n\n");
    };
    if let Some(state) = words::state(session) {
        paragraph(&format!("**{}**", escaped(&state)));
    }
    paragraph(&escaped(&words::noise_floor(session)));
    paragraph(&table(session, &notes));
    for section in sections(session) {
        paragraph(&format!("### {}", section.title));
        paragraph(&further(&section));
        paragraph(&escaped(section.legend));
    }
    paragraph(&escaped(&words::legend(session)));
    paragraph(&list(
        notes.iter().map(|(mark, note)| format!("{mark} {note}")),
    ));
    paragraph("## Verdicts");
    for group in view::groups(session) {
        paragraph(&verdicts(session, &group));
    }
    let remarks = remarks(session);
    if !remarks.is_empty() {
        paragraph("## Before you trust it");
        paragraph(&list(remarks.into_iter()));
    }
    paragraph("## How it was measured");
    paragraph(&escaped(&words::measured_with(session)));
    paragraph(&escaped(&words::measured_on(session)));
    paragraph(&format!("To repeat it:\n\n```sh\n{}\n```", session.command));
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn table(session: &Session, notes: &Footnotes) -> String {
    let mut text = String::from(
        "| Scenario | Style | Ops/s | p50 / p95 (ms) | Requests/op | Bytes sent / received \
         | Server CPU (µs/op) | Client CPU (µs/op) | Limited by |\n\
         |---|---|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for group in view::groups(session) {
        for row in &group.rows {
            let cells = cells(session, notes, &group, row);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }
    text
}

fn further(section: &Section) -> String {
    let rules = section.headings.iter().enumerate().map(|(column, _)| {
        if column < section.names {
            "---|"
        } else {
            "--:|"
        }
    });
    let mut text = format!(
        "| {} |\n|{}",
        section.headings.join(" | "),
        rules.collect::<String>()
    );
    for line in &section.lines {
        // Writing to a String cannot fail.
        let _ = write!(text, "\n| {} |", escaped_cells(line));
    }
    text
}

fn escaped_cells(line: &[String]) -> String {
    let cells: Vec<String> = line.iter().map(|cell| escaped(cell)).collect();
    cells.join(" | ")
}

fn cells(session: &Session, notes: &Footnotes, group: &Group<'_>, row: &Row) -> [String; 9] {
    let summary = view::summary(session, row);
    let figure = |metric: Metric| {
        let estimate = summary.and_then(|summary| view::estimate(summary, metric));
        let shown = estimate.map_or(ABSENT.to_owned(), number::with_interval);
        marked(&shown, view::standing(session, group, metric, row))
    };
    let bytes = |estimate: Option<Estimate>| {
        estimate.map_or(ABSENT.to_owned(), |estimate| number::bytes(estimate.median))
    };
    let requests = summary
        .and_then(|summary| summary.requests_per_op)
        .unwrap_or(f64::from(row.requests_per_op));
    [
        escaped(group.label),
        escaped(&row.label) + &notes.row_marks(row),
        figure(Metric::OpsPerS) + &notes.throughput_marks(row),
        format!("{} / {}", figure(Metric::P50Ms), figure(Metric::P95Ms)),
        number::plain(requests),
        format!(
            "{} / {}",
            bytes(summary.and_then(|summary| summary.sent_bytes_per_op)),
            bytes(summary.and_then(|summary| summary.received_bytes_per_op))
        ),
        figure(Metric::ServerCpuUsPerOp),
        figure(Metric::ClientCpuUsPerOp),
        summary
            .map_or(ABSENT, |summary| {
                words::limited_by_short(summary.limited_by)
            })
            .to_owned(),
    ]
}

fn marked(figure: &str, standing: Standing) -> String {
    match standing {
        Standing::Best => format!("**{figure}** \\*"),
        Standing::SharesBest => format!("**{figure}** ="),
        Standing::Unsettled => format!("{figure} ?"),
        Standing::Other => figure.to_owned(),
    }
}

fn verdicts(session: &Session, group: &Group<'_>) -> String {
    let metric = Metric::ServerCpuUsPerOp;
    let pairs = view::pairs_with_reference(session, group, metric);
    if pairs.is_empty() {
        return String::new();
    }
    let others = view::pairs_without_reference(session, group, metric);
    let main = pairs
        .iter()
        .map(|pair| format!("{}.", words::comparison(session, pair)));
    let others = others.iter().map(|pair| format!("{}.", words::brief(pair)));
    format!(
        "**{}**\n\n{}",
        escaped(group.label),
        list(main.chain(others))
    )
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.map(|item| format!("- {}", escaped(&item))).collect();
    items.join("\n")
}

/// Text with Markdown's own signs made literal; code in backticks stays code.
fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        if matches!(sign, '*' | '_' | '|' | '<' | '[') {
            shown.push('\\');
        }
        shown.push(sign);
    }
    shown
}
