//! What was verified, cell by cell.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentArrangement, Table, TableStyle};

use super::{Tried, Verified};
use crate::number;

/// One line for each cell that was tried, for a terminal of `width` columns, and how many answers there were
/// in all.
#[must_use]
pub fn render(verified: &Verified, tried: &[Tried], width: u16) -> String {
    let mut table = Table::new();
    table
        .load_style(TableStyle::new())
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header([
            "Cell",
            "Answers compared",
            "Its own client once: requests",
            "Bodies sent",
            "Received (B)",
        ]);
    for one in tried {
        table.add_row(line(verified, one));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("{}\n\n", table.trim_fmt());
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "{} answers compared, all styles agree; {} cells done once by their own clients, which found every \
         answer right",
        number::count(verified.answers.compared.into()),
        number::count(tried.len() as u64)
    );
    text
}

fn line(verified: &Verified, one: &Tried) -> [String; 5] {
    let Tried { cell, summary } = one;
    let compared = match verified.compared(&cell.scenario, cell.style) {
        _ if cell.connections_per_vu == 0 => "sends nothing".to_owned(),
        0 => "no other style has it".to_owned(),
        count => number::count(count.into()),
    };
    let bytes = |count: Option<u64>| number::count(count.unwrap_or_default());
    [
        cell.id.clone(),
        compared,
        number::count(summary.requests),
        bytes(summary.sent_body_bytes),
        bytes(summary.received_body_bytes),
    ]
}
