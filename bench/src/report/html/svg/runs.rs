//! Strip plot: every run of a group in time order, as its distance from its row's median.

use maud::{Markup, html};

use crate::{
    record::{Row, Run, Session},
    report::{
        number::{percent, plain},
        view::{self, Group},
        words,
    },
};

use super::{
    mark,
    scale::{Scale, round_up},
};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 130.0;
const PLOT_FROM: f64 = 48.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 108.0;

/// Most runs of a session that are drawn one by one; of longer sessions every second, third … round
/// is, so that the page stays small.
const MAX_RUNS: usize = 800;

/// One run with its place in time and its deviation.
struct Point<'a> {
    row: &'a Row,
    run: &'a Run,
    position: usize,
    cpu_us_per_op: f64,
    deviation: f64,
}

/// One group's strip; `None` when CPU was not read.
pub(in crate::report::html) fn render(session: &Session, group: &Group<'_>) -> Option<Markup> {
    let points = points(session, group);
    let most = points
        .iter()
        .map(|point| point.deviation.abs())
        .reduce(f64::max)?;
    let limit = round_up(most.max(0.01));
    let last = session.runs.len().saturating_sub(1).max(1) as f64;
    let x = Scale::linear(0.0, last, PLOT_FROM + 8.0, WIDTH - 8.0);
    let y = Scale::linear(-limit, limit, BOTTOM, TOP);
    Some(html! {
        figure {
            figcaption { (group.label) }
            (mark::legend(session, group))
            svg viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img"
                aria-label=(format!("{}: deviation of each run from its row's median, at most {}; raw values in the appendix", group.label, percent(most))) {
                @for tick in [-limit, 0.0, limit] {
                    line class=(if tick == 0.0 { "one" } else { "grid" })
                        x1=(PLOT_FROM) x2=(WIDTH) y1=(y.px(tick)) y2=(y.px(tick)) {}
                    text.tick x=(PLOT_FROM - 6.0) y=(y.px(tick) + 4.0) text-anchor="end" {
                        @if tick > 0.0 { "+" } (percent(tick).replace('-', "−"))
                    }
                }
                @for (round, position) in round_starts(session) {
                    text.tick x=(x.px(position as f64)) y=(HEIGHT - 4.0) { (round) }
                }
                text.tick x=(PLOT_FROM - 6.0) y=(HEIGHT - 4.0) text-anchor="end" { "round" }
                @for point in &points {
                    (mark::draw(
                        mark::kind(session, point.row),
                        x.px(point.position as f64),
                        y.px(point.deviation),
                        !point.run.gates.is_empty() || !view::counts(session, point.run),
                        &title(point),
                    ))
                }
            }
        }
    })
}

fn points<'a>(session: &'a Session, group: &Group<'a>) -> Vec<Point<'a>> {
    let every = every_round(session);
    let runs = session.runs.iter().enumerate();
    let drawn =
        runs.filter(|(_, run)| (run.round.saturating_sub(1) as usize).is_multiple_of(every));
    drawn
        .filter_map(|(position, run)| {
            let row = group.rows.iter().find(|row| row.id == run.row)?;
            let median = view::summary(session, row)?.server_cpu_us_per_op?.median;
            let cpu_us_per_op = run.server_cpu_us_per_op()?;
            Some(Point {
                row,
                run,
                position,
                cpu_us_per_op,
                deviation: cpu_us_per_op / median - 1.0,
            })
        })
        .collect()
}

/// Which rounds are drawn: every one, every second, every third …
pub(in crate::report::html) fn every_round(session: &Session) -> usize {
    session.runs.len().div_ceil(MAX_RUNS).max(1)
}

/// The position of each round's first run; every other round when there are many.
fn round_starts(session: &Session) -> Vec<(u32, usize)> {
    let mut starts: Vec<(u32, usize)> = Vec::new();
    for (position, run) in session.runs.iter().enumerate() {
        if starts.last().is_none_or(|(round, _)| *round != run.round) {
            starts.push((run.round, position));
        }
    }
    let every = starts.len().div_ceil(20).max(1);
    starts.into_iter().step_by(every).collect()
}

fn title(point: &Point<'_>) -> String {
    let mut title = format!(
        "{}, round {}: {} µs/op",
        point.row.label,
        point.run.round,
        plain(point.cpu_us_per_op)
    );
    for gate in &point.run.gates {
        title.push_str("; ");
        title.push_str(&words::gate(gate));
    }
    title
}
