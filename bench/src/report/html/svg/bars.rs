//! Stacked bars from zero: CPU by who spends it, bytes by what they are.

use maud::{Markup, html};

use crate::{
    record::{Row, RowSummary, Session},
    report::{
        number::{bytes as shown_bytes, plain},
        view::{self, Group},
    },
};

use super::scale::{Scale, round_up, tenth};

const WIDTH: f64 = 720.0;
const LINE: f64 = 22.0;
const BAR: f64 = 13.0;
const PLOT_FROM: f64 = 125.0;
const PLOT_TO: f64 = 650.0;
const AXIS: f64 = 24.0;
const TICKS: u32 = 4;

/// What a chart stacks.
struct Chart {
    title: &'static str,
    parts: &'static [Part],
    parts_of: fn(&RowSummary) -> Option<Vec<f64>>,
    show: fn(f64) -> String,
}

/// The bars of a group: each row with the sizes of its parts.
type GroupBars<'a> = (&'a Group<'a>, Vec<(&'a Row, Vec<f64>)>);

/// A part of every bar.
struct Part {
    name: &'static str,
    class: &'static str,
}

/// CPU per operation: server, client, neither.
pub(in crate::report::html) fn cpu(session: &Session, groups: &[Group<'_>]) -> Markup {
    let chart = Chart {
        title: "CPU per operation, µs",
        parts: &[
            Part {
                name: "server",
                class: "s1",
            },
            Part {
                name: "client",
                class: "s2",
            },
            Part {
                name: "neither owns",
                class: "s3",
            },
        ],
        parts_of: |summary| {
            Some(vec![
                summary.server_cpu_us_per_op?.median,
                summary.client_cpu_us_per_op?.median,
                summary
                    .other_cpu_us_per_op
                    .map_or(0.0, |other| other.median),
            ])
        },
        show: plain,
    };
    chart.render(session, groups)
}

/// Bytes per operation: bodies and the rest, in both directions.
pub(in crate::report::html) fn bytes(session: &Session, groups: &[Group<'_>]) -> Markup {
    let chart = Chart {
        title: "Bytes per operation",
        parts: &[
            Part {
                name: "body sent",
                class: "s1",
            },
            Part {
                name: "headers and framing sent",
                class: "s4",
            },
            Part {
                name: "body received",
                class: "s2",
            },
            Part {
                name: "headers and framing received",
                class: "s5",
            },
        ],
        parts_of: |summary| {
            let sent_body = summary.sent_body_bytes_per_op?;
            let received_body = summary.received_body_bytes_per_op?;
            Some(vec![
                sent_body,
                (summary.sent_bytes_per_op?.median - sent_body).max(0.0),
                received_body,
                (summary.received_bytes_per_op?.median - received_body).max(0.0),
            ])
        },
        show: shown_bytes,
    };
    chart.render(session, groups)
}

impl Chart {
    fn render(&self, session: &Session, groups: &[Group<'_>]) -> Markup {
        let bars: Vec<GroupBars<'_>> = groups
            .iter()
            .map(|group| {
                let rows = group.rows.iter().filter_map(|row| {
                    let summary = view::summary(session, row)?;
                    Some((*row, (self.parts_of)(summary)?))
                });
                (group, rows.collect())
            })
            .collect();
        let all = || bars.iter().flat_map(|(_, rows)| rows);
        let most = all()
            .map(|(_, parts)| parts.iter().sum())
            .fold(0.0, f64::max);
        if most <= 0.0 {
            return html! {};
        }
        let step = round_up(most / f64::from(TICKS));
        let scale = Scale::linear(0.0, most, PLOT_FROM, PLOT_TO);
        let bottom = LINE * (all().count() + bars.len()) as f64 + 4.0;
        html! {
            figure {
                figcaption { (self.title) }
                p.legend {
                    @for part in self.parts {
                        span {
                            svg width="12" height="12" aria-hidden="true" {
                                rect class=(part.class) width="12" height="12" {}
                            }
                            (part.name)
                        }
                    }
                }
                svg viewBox=(format!("0 0 {WIDTH} {}", bottom + AXIS)) role="img"
                    aria-label=(format!("{}, stacked; each part's value shows when a pointer rests on it", self.title)) {
                    (axis(scale, step, most, bottom))
                    (self.lines(&bars, scale))
                }
            }
        }
    }

    fn lines(&self, bars: &[GroupBars<'_>], scale: Scale) -> Markup {
        let mut y = 0.0;
        let mut lines = Vec::new();
        for (group, rows) in bars {
            y += LINE;
            lines.push(html! { text.strong x="0" y=(y - 5.0) { (group.label) } });
            for (row, parts) in rows {
                lines.push(self.bar(row, parts, scale, y));
                y += LINE;
            }
        }
        html! { @for line in &lines { (line) } }
    }

    fn bar(&self, row: &Row, parts: &[f64], scale: Scale, top: f64) -> Markup {
        let total: f64 = parts.iter().sum();
        let starts = parts.iter().scan(0.0, |sum, part| {
            let start = *sum;
            *sum += part;
            Some(start)
        });
        html! {
            text x="12" y=(top + 14.0) { (row.label) }
            @for ((part, value), start) in self.parts.iter().zip(parts).zip(starts) {
                rect class=(part.class) x=(scale.px(start)) y=(top + 3.0) height=(BAR)
                    width=(tenth(scale.px(start + value) - scale.px(start))) {
                    title { (row.label) ", " (part.name) ": " ((self.show)(*value)) }
                }
            }
            text.value x=(scale.px(total) + 6.0) y=(top + 14.0) { ((self.show)(total)) }
        }
    }
}

fn axis(scale: Scale, step: f64, most: f64, bottom: f64) -> Markup {
    let ticks = (0..=2 * TICKS)
        .map(|index| f64::from(index) * step)
        .take_while(|tick| *tick <= most);
    html! {
        @for tick in ticks {
            @let x = scale.px(tick);
            line class=(if tick == 0.0 { "one" } else { "grid" }) x1=(x) x2=(x) y1="0" y2=(bottom) {}
            text.tick x=(x) y=(bottom + 16.0) text-anchor="middle" { (plain(tick)) }
        }
    }
}
