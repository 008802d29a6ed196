//! The results table, in the article's column order, at three levels of detail.

use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, LineStyle, Row,
    Table, TableStyle, Width,
};

use crate::{
    record::{self, Estimate, Metric, RowSummary, Session},
    report::{
        footnote::Footnotes,
        number::{self, ABSENT},
        section::Section,
        view::{self, Group, Standing},
        words,
    },
};

/// How much a table shows, most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Intervals by their ends.
    Full,
    /// Intervals as a share of the figure.
    Compact,
    /// As compact, with bytes received beneath bytes sent and no space to spare.
    Narrow,
    /// As narrow, without requests, bytes and client CPU.
    Slim,
}

impl Detail {
    const ALL: [Self; 4] = [Self::Full, Self::Compact, Self::Narrow, Self::Slim];

    fn is_spacious(self) -> bool {
        matches!(self, Self::Full | Self::Compact)
    }

    /// Which columns it has, in the order of [`HEADINGS`].
    fn columns(self) -> [bool; HEADINGS.len()] {
        let all = self != Self::Slim;
        [true, true, true, true, all, all, true, all, true]
    }
}

/// Value on the first line of a row, its interval on the second.
struct Figure {
    value: String,
    interval: String,
    standing: Standing,
}

/// Column headings: first in full, then for narrow tables.
const HEADINGS: [[&str; 2]; 9] = [
    ["Scenario", "Scenario"],
    ["Style", "Style"],
    ["Ops/s", "Ops/s"],
    ["p50 / p95\n(ms)", "p50 / p95\n(ms)"],
    ["Requests\n/op", "Req\n/op"],
    ["Bytes sent\n/ received", "Bytes\nsent /\nreceived"],
    ["Server CPU\n(µs/op)", "Server\nCPU\n(µs/op)"],
    ["Client CPU\n(µs/op)", "Client\nCPU\n(µs/op)"],
    ["Limited\nby", "Limited\nby"],
];

/// Widest scenario label on one line.
const SCENARIO_WIDTH: usize = 10;

/// The table with the most detail that fits `width`; below the narrowest, cells wrap. What it leaves out
/// is said beneath it.
pub(super) fn render(session: &Session, notes: &Footnotes, width: u16, colour: bool) -> String {
    let fits = |detail: &Detail| {
        natural_width(&build(session, notes, *detail, false)) <= usize::from(width)
    };
    let fitting = Detail::ALL.into_iter().find(fits);
    let detail = fitting.unwrap_or(Detail::Slim);
    let mut table = build(session, notes, detail, colour);
    if fitting.is_none() {
        table
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        if let Some(style) = table.column_mut(1) {
            style.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(8)));
        }
    }
    let text = table.trim_fmt();
    if detail == Detail::Slim {
        let left_out = textwrap::fill(words::LEFT_OUT, usize::from(width));
        format!("{text}\n{left_out}")
    } else {
        text
    }
}

/// A further table in at most `width` columns.
pub(super) fn further(section: Section, width: u16) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    table
        .force_no_tty()
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(width)
        .set_header(section.headings);
    table.add_rows(section.lines);
    for column in table.column_iter_mut().skip(section.names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

fn natural_width(table: &Table) -> usize {
    let lines = table.lines().map(|line| line.trim_end().chars().count());
    lines.max().unwrap_or(0)
}

fn build(session: &Session, notes: &Footnotes, detail: Detail, colour: bool) -> Table {
    let mut table = Table::new();
    table.load_style(
        TableStyle::new()
            .header_separator(LineStyle::none().fill('─').junction('─'))
            .bottom_border(LineStyle::none().fill('─').junction('─')),
    );
    if colour {
        table.enforce_styling().style_text_only();
    } else {
        table.force_no_tty();
    }
    let wording = usize::from(!detail.is_spacious());
    let headings = HEADINGS.iter().map(|heading| emphasised(heading[wording]));
    table.set_header(shown(detail, headings));
    for (index, group) in view::groups(session).iter().enumerate() {
        if index > 0 {
            table.add_row(vec![""]);
        }
        for (position, row) in group.rows.iter().enumerate() {
            let scenario = if position == 0 { group.label } else { "" };
            let [values, intervals] = lines(session, notes, group, row, scenario, detail);
            table.add_row(values);
            table.add_row(intervals);
        }
    }
    lay_out(&mut table, detail);
    table
}

/// The cells of the columns that are there.
fn shown(detail: Detail, cells: impl IntoIterator<Item = Cell>) -> Row {
    let columns = cells.into_iter().zip(detail.columns());
    Row::from(
        columns
            .filter_map(|(cell, is_shown)| is_shown.then_some(cell))
            .collect::<Vec<_>>(),
    )
}

fn lay_out(table: &mut Table, detail: Detail) {
    // Beside the space that parts all columns.
    let gap = u16::from(detail.is_spacious());
    let last = detail.columns().into_iter().filter(|shown| *shown).count() - 1;
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index == last { 0 } else { gap }));
        let is_figure = (2..last).contains(&index);
        if is_figure {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The two lines of one row.
fn lines(
    session: &Session,
    notes: &Footnotes,
    group: &Group<'_>,
    row: &record::Row,
    scenario: &str,
    detail: Detail,
) -> [Row; 2] {
    let mut scenario = textwrap::wrap(scenario, SCENARIO_WIDTH).into_iter();
    let first = scenario.next().unwrap_or_default().into_owned();
    let rest = scenario.collect::<Vec<_>>().join(" ");
    let style = format!("{}{}", row.label, notes.row_marks(row));

    let mut values = vec![Cell::new(first), Cell::new(style)];
    let mut intervals = vec![Cell::new(rest), Cell::new("")];
    for figure in figures(session, notes, group, row, detail) {
        values.push(value_cell(&figure));
        intervals.push(interval_cell(figure.interval));
    }
    let limit = view::summary(session, row).map_or(ABSENT, |summary| {
        words::limited_by_short(summary.limited_by)
    });
    values.push(Cell::new(limit));
    intervals.push(Cell::new(""));
    [shown(detail, values), shown(detail, intervals)]
}

/// The figures of a row from Ops/s to client CPU.
fn figures(
    session: &Session,
    notes: &Footnotes,
    group: &Group<'_>,
    row: &record::Row,
    detail: Detail,
) -> Vec<Figure> {
    let summary = view::summary(session, row);
    let of = |metric: Metric| -> Figure {
        let standing = view::standing(session, group, metric, row);
        let estimate = summary.and_then(|summary| view::estimate(summary, metric));
        Figure {
            value: estimate.map_or_else(|| ABSENT.to_owned(), number::median),
            interval: estimate
                .and_then(|estimate| interval(estimate, detail))
                .unwrap_or_default(),
            standing,
        }
    };
    let mut throughput = of(Metric::OpsPerS);
    throughput.value += &notes.throughput_marks(row);
    let requests = summary
        .and_then(|summary| summary.requests_per_op)
        .unwrap_or(f64::from(row.requests_per_op));
    vec![
        throughput,
        durations(summary, detail),
        plain(number::plain(requests), String::new()),
        bytes(summary, detail),
        of(Metric::ServerCpuUsPerOp),
        of(Metric::ClientCpuUsPerOp),
    ]
}

fn durations(summary: Option<&RowSummary>, detail: Detail) -> Figure {
    let p50 = summary.and_then(|summary| summary.p50_ms.as_ref());
    let p95 = summary.and_then(|summary| summary.p95_ms.as_ref());
    let shown = |estimate: Option<&Estimate>| estimate.map_or(ABSENT.to_owned(), number::median);
    let interval = match (p50, p95, detail) {
        (Some(p50), Some(p95), Detail::Full) => number::interval_pair(p50, p95),
        (Some(p50), Some(p95), _) => number::relative_pair(p50, p95),
        _ => None,
    };
    plain(
        format!("{} / {}", shown(p50), shown(p95)),
        interval.unwrap_or_default(),
    )
}

fn bytes(summary: Option<&RowSummary>, detail: Detail) -> Figure {
    let sent = summary.and_then(|summary| summary.sent_bytes_per_op.as_ref());
    let received = summary.and_then(|summary| summary.received_bytes_per_op.as_ref());
    let shown = |estimate: Option<&Estimate>| {
        estimate.map_or(ABSENT.to_owned(), |estimate| number::bytes(estimate.median))
    };
    let (sent, received) = (shown(sent), shown(received));
    match detail {
        Detail::Narrow | Detail::Slim => plain(format!("{sent} /"), received),
        _ => plain(format!("{sent} / {received}"), String::new()),
    }
}

fn interval(estimate: &Estimate, detail: Detail) -> Option<String> {
    match detail {
        Detail::Full => number::interval(estimate),
        Detail::Compact | Detail::Narrow | Detail::Slim => number::relative(estimate),
    }
}

fn plain(value: String, interval: String) -> Figure {
    Figure {
        value,
        interval,
        standing: Standing::Other,
    }
}

fn value_cell(figure: &Figure) -> Cell {
    let cell = Cell::new(format!("{}{}", figure.standing.mark(), figure.value));
    match figure.standing {
        Standing::Best => cell.add_attribute(Attribute::Bold).fg(Color::Green),
        Standing::SharesBest => cell.add_attribute(Attribute::Bold),
        Standing::Unsettled | Standing::Other => cell,
    }
}

fn interval_cell(interval: String) -> Cell {
    let is_empty = interval.is_empty();
    let cell = Cell::new(interval);
    if is_empty {
        cell
    } else {
        cell.add_attribute(Attribute::Dim)
    }
}

fn emphasised(heading: &str) -> Cell {
    Cell::new(heading).add_attribute(Attribute::Bold)
}
