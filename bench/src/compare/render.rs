//! A comparison for a terminal.

use comfy_table::{Attribute, Cell, Color, ContentArrangement, LineStyle, Table, TableStyle};

use super::{Comparison, FIGURES, absolute::Change};
use crate::{
    claims::render::words,
    record::{ClaimEstimate, ClaimVerdict},
    report::number::{self, ABSENT},
};

/// Warnings, ranks, ratios and absolute figures.
#[must_use]
pub fn render(found: &Comparison, width: u16, colour: bool) -> String {
    let [old, new] = &found.names;
    let wrapped = |text: &str| textwrap::fill(text, usize::from(width.max(40)));
    let mut text = format!("Old: {old}\nNew: {new}\n");
    for warning in &found.warnings {
        text += &wrapped(&format!("! {warning}"));
        text.push('\n');
    }
    text += "\nDo both rank the rows alike? Kendall's tau-b of the medians: 1 same order, -1 reversed.\n";
    text += &ranks(found, width, colour);
    text += "\n\nWhich ratios to the group's reference hold? Paired by round within each side.\n";
    text += &ratios(found, width, colour);
    text += "\n\n";
    text += &wrapped(
        "New over old, row by row, with intervals of 95 % from unpaired runs: nothing ran side by side, so \
         drift and machine are part of it.",
    );
    text.push('\n');
    text += &absolute(found, width, colour);
    text.push('\n');
    text
}

fn table(headings: impl IntoIterator<Item = String>, width: u16, colour: bool) -> Table {
    let mut table = Table::new();
    table
        .load_style(
            TableStyle::new()
                .header_separator(LineStyle::none().fill('─').junction('─'))
                .bottom_border(LineStyle::none().fill('─').junction('─')),
        )
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width);
    if colour {
        table.enforce_styling().style_text_only();
    } else {
        table.force_no_tty();
    }
    let headings = headings
        .into_iter()
        .map(|heading| Cell::new(heading).add_attribute(Attribute::Bold));
    table.set_header(headings.collect::<Vec<Cell>>());
    table
}

fn ranks(found: &Comparison, width: u16, colour: bool) -> String {
    let mut table = table(["Column", "Rows", "Tau"].map(str::to_owned), width, colour);
    for column in &found.agreement {
        let tau = column
            .tau
            .map_or(ABSENT.to_owned(), |tau| format!("{tau:.2}"));
        table.add_row([
            column.figure.label().to_owned(),
            column.rows.to_string(),
            tau,
        ]);
    }
    table.trim_fmt()
}

fn ratios(found: &Comparison, width: u16, colour: bool) -> String {
    let headings = ["Column", "Row", "Against", "Old", "New", "The old ratio"];
    let mut table = table(headings.map(str::to_owned), width, colour);
    for line in &found.ratios {
        let verdict = Cell::new(words::verdict(&line.verdict));
        table.add_row([
            Cell::new(line.figure.label()),
            Cell::new(&line.row),
            Cell::new(&line.against),
            Cell::new(shown(&line.old)),
            Cell::new(shown(&line.new)),
            match line.verdict {
                ClaimVerdict::Flips | ClaimVerdict::DoesNotHold => verdict.fg(Color::Red),
                _ => verdict,
            },
        ]);
    }
    table.trim_fmt()
}

fn shown(estimate: &ClaimEstimate) -> String {
    let value = number::ratio(estimate.value);
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) if low < high => {
            format!("{value} ({}–{})", number::ratio(low), number::ratio(high))
        }
        _ => value,
    }
}

fn absolute(found: &Comparison, width: u16, colour: bool) -> String {
    let columns = FIGURES.iter().map(|figure| figure.label().to_owned());
    let headings = ["Row".to_owned()].into_iter().chain(columns);
    let mut table = table(headings, width, colour);
    for line in &found.absolute {
        let changes = line
            .changes
            .iter()
            .map(|change| change.map_or(ABSENT.to_owned(), changed));
        table.add_row(
            [line.row.clone()]
                .into_iter()
                .chain(changes)
                .collect::<Vec<String>>(),
        );
    }
    table.trim_fmt()
}

fn changed(change: Change) -> String {
    let ratio = factor(change.ratio);
    match change.interval {
        Some((low, high)) if low < high => format!("{ratio} ({}–{})", factor(low), factor(high)),
        _ => ratio,
    }
}

/// Two machines can be far apart: small factors keep their digits.
fn factor(value: f64) -> String {
    if value < 0.1 {
        number::plain(value)
    } else {
        number::ratio(value)
    }
}
