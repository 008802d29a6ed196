//! The results table.

use maud::{Markup, html};

use crate::{
    record::{Estimate, LimitedBy, Metric, Row, Session},
    report::{
        footnote::Footnotes,
        number::{self, ABSENT},
        section::{Section, sections},
        view::{self, Group, Standing},
        words,
    },
};

/// The table in the article's column order, with its legend and footnotes.
pub(super) fn render(session: &Session, groups: &[Group<'_>], notes: &Footnotes) -> Markup {
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th scope="col" { "Scenario" }
                        th scope="col" { "Style" }
                        th.figure scope="col" { "Ops/s" }
                        th.figure scope="col" { "p50" br; span.unit { "ms" } }
                        th.figure scope="col" { "p95" br; span.unit { "ms" } }
                        th.figure scope="col" { "Requests" br; span.unit { "per op" } }
                        th.figure scope="col" { "Sent" br; span.unit { "bytes/op" } }
                        th.figure scope="col" { "Received" br; span.unit { "bytes/op" } }
                        th.figure scope="col" { "Server CPU" br; span.unit { "µs/op" } }
                        th.figure scope="col" { "Client CPU" br; span.unit { "µs/op" } }
                        th scope="col" { "Limited" br; "by" }
                    }
                }
                @for group in groups {
                    tbody {
                        @for (index, row) in group.rows.iter().enumerate() {
                            (line(session, group, row, index == 0, notes))
                        }
                    }
                }
            }
        }
        @for section in &sections(session) { (further(section)) }
        p.small { (words::legend(session)) }
        @if !notes.is_empty() {
            ul.notes {
                @for (mark, note) in notes.iter() { li { span.mark { (mark) } (note) } }
            }
        }
    }
}

/// A table of figures that only some rows have.
fn further(section: &Section) -> Markup {
    html! {
        h3 { (section.title) }
        div.scroll {
            table {
                thead { tr { @for heading in &section.headings { th scope="col" { (heading) } } } }
                tbody {
                    @for line in &section.lines {
                        tr {
                            @for name in &line[..section.names] { td { (name) } }
                            @for figure in &line[section.names..] { td.figure { (figure) } }
                        }
                    }
                }
            }
        }
        p.small { (section.legend) }
    }
}

fn line(session: &Session, group: &Group<'_>, row: &Row, first: bool, notes: &Footnotes) -> Markup {
    let summary = view::summary(session, row);
    let figure = |metric: Metric, marks: &str| {
        let estimate = summary.and_then(|summary| view::estimate(summary, metric));
        compared(estimate, view::standing(session, group, metric, row), marks)
    };
    let requests = summary
        .and_then(|summary| summary.requests_per_op)
        .unwrap_or(f64::from(row.requests_per_op));
    let limit = summary.map_or(LimitedBy::Unknown, |summary| summary.limited_by);
    html! {
        tr {
            @if first {
                th.group scope="rowgroup" rowspan=(group.rows.len()) { (group.label) }
            }
            th scope="row" {
                (row.label) (notes.row_marks(row))
                @if row.reference { span.reference title="The others are compared with this row" { "ref" } }
            }
            (figure(Metric::OpsPerS, &notes.throughput_marks(row)))
            (figure(Metric::P50Ms, ""))
            (figure(Metric::P95Ms, ""))
            td.figure { (number::plain(requests)) }
            (bytes(summary.and_then(|summary| summary.sent_bytes_per_op)))
            (bytes(summary.and_then(|summary| summary.received_bytes_per_op)))
            (figure(Metric::ServerCpuUsPerOp, ""))
            (figure(Metric::ClientCpuUsPerOp, ""))
            td title=(words::limited_by(limit)) { (words::limited_by_short(limit)) }
        }
    }
}

fn compared(estimate: Option<&Estimate>, standing: Standing, marks: &str) -> Markup {
    html! {
        td.figure.leads[standing.leads()] {
            @match estimate {
                None => (ABSENT),
                Some(estimate) => {
                    span.standing { (standing.mark()) }
                    (number::median(estimate)) (marks)
                    @if let Some(interval) = number::interval(estimate) {
                        span.interval { (interval) }
                    }
                }
            }
        }
    }
}

fn bytes(estimate: Option<Estimate>) -> Markup {
    html! {
        td.figure {
            @match estimate {
                None => (ABSENT),
                Some(estimate) => {
                    (number::bytes(estimate.median))
                    @if let Some(interval) = number::bytes_interval(&estimate) {
                        span.interval { (interval) }
                    }
                }
            }
        }
    }
}
