//! Forest plot: ratios to the reference with their intervals, on a logarithmic axis.

use maud::{Markup, html};

use crate::{
    record::{Metric, Session, Verdict},
    report::{
        number,
        view::{self, Group, Pair},
        words,
    },
};

use super::{
    mark,
    scale::{Scale, ratio_ticks, tenth},
};

const LINE: f64 = 22.0;
/// Space below the last line for ticks.
const AXIS: f64 = 26.0;

/// A panel's measures in pixels.
#[derive(Clone, Copy)]
pub(in crate::report::html) struct Size {
    width: f64,
    plot_from: f64,
    plot_to: f64,
}

/// For the main metric.
pub(in crate::report::html) const FULL: Size = Size {
    width: 720.0,
    plot_from: 190.0,
    plot_to: 565.0,
};

/// For two panels side by side.
pub(in crate::report::html) const HALF: Size = Size {
    width: 460.0,
    plot_from: 140.0,
    plot_to: 320.0,
};

/// One metric's panel; `None` when nothing was compared by it.
pub(in crate::report::html) fn render(
    session: &Session,
    groups: &[Group<'_>],
    metric: Metric,
    size: Size,
) -> Option<Markup> {
    let pairs: Vec<(&Group<'_>, Vec<Pair<'_>>)> = groups
        .iter()
        .map(|group| {
            let mut pairs = view::pairs_with_reference(session, group, metric);
            pairs.retain(|pair| *pair.verdict != Verdict::NotMeasured);
            (group, pairs)
        })
        .filter(|(_, pairs)| !pairs.is_empty())
        .collect();
    let (from, to) = extent(&pairs)?;
    let scale = Scale::logarithmic(from, to, size.plot_from, size.plot_to);
    let lines = pairs
        .iter()
        .map(|(_, pairs)| pairs.len() + 1)
        .sum::<usize>();
    let bottom = LINE * lines as f64 + 6.0;
    let title = words::metric_title(metric);

    let mut y = 0.0;
    let mut rows = Vec::new();
    for (group, pairs) in &pairs {
        y += LINE;
        rows.push(heading(group, y - 5.0));
        for pair in pairs {
            y += LINE;
            rows.push(line(session, pair, scale, size.width, y - LINE / 2.0));
        }
    }
    Some(html! {
        figure {
            figcaption { (title) }
            svg viewBox=(format!("0 0 {} {}", size.width, bottom + AXIS)) role="img"
                aria-label=(format!("{title}: ratios to the reference; every value stands in the text beside its line")) {
                (axis(session, scale, from, to, bottom))
                @for row in &rows { (row) }
            }
        }
    })
}

/// The axis' ends: all intervals and 1, with a little room.
fn extent(pairs: &[(&Group<'_>, Vec<Pair<'_>>)]) -> Option<(f64, f64)> {
    let ends: Vec<f64> = pairs
        .iter()
        .flat_map(|(_, pairs)| pairs)
        .flat_map(|pair| {
            let (low, high) = ends(pair);
            [low, high]
        })
        .filter(|end| end.is_finite() && *end > 0.0)
        .collect();
    if ends.is_empty() {
        return None;
    }
    let from = ends.iter().copied().fold(0.85, f64::min);
    let to = ends.iter().copied().fold(1.18, f64::max);
    Some((from / 1.06, to * 1.06))
}

fn ends(pair: &Pair<'_>) -> (f64, f64) {
    (
        pair.ratio.low.unwrap_or(pair.ratio.min),
        pair.ratio.high.unwrap_or(pair.ratio.max),
    )
}

fn axis(session: &Session, scale: Scale, from: f64, to: f64, bottom: f64) -> Markup {
    let margin = 1.0 + session.settings.tie_margin;
    let band = (scale.px(1.0 / margin), scale.px(margin));
    html! {
        rect.band x=(band.0) y="0" width=(tenth(band.1 - band.0)) height=(bottom) {}
        @for tick in ratio_ticks(from, to) {
            @let x = scale.px(tick);
            line class=(if (tick - 1.0).abs() < f64::EPSILON { "one" } else { "grid" })
                x1=(x) x2=(x) y1="0" y2=(bottom) {}
            text.tick x=(x) y=(bottom + 16.0) text-anchor="middle" { (tick) }
        }
    }
}

fn heading(group: &Group<'_>, y: f64) -> Markup {
    html! { text.strong x="0" y=(y) { (group.label) } }
}

fn line(session: &Session, pair: &Pair<'_>, scale: Scale, width: f64, y: f64) -> Markup {
    let (low, high) = ends(pair);
    let settled = !matches!(pair.verdict, Verdict::NotSettled { .. });
    let has_interval = pair.ratio.low.is_some() && pair.ratio.high.is_some();
    let kind = mark::kind(session, pair.row);
    let sentence = words::comparison(session, pair);
    html! {
        text x="12" y=(y + 4.0) { (pair.row.label) " / " (pair.against.label) }
        path class={ "m" (kind) " whisker" @if !has_interval { " range" } }
            d=(whisker(scale.px(low), scale.px(high), y)) {}
        (mark::draw(kind, scale.px(pair.ratio.ratio), y, !settled, &sentence))
        text.value x=(width) y=(y + 4.0) text-anchor="end" {
            (number::ratio_with_interval(&pair.ratio))
        }
    }
}

/// A line with a cap at each end, taller than a mark so that a narrow interval still shows.
fn whisker(low: f64, high: f64, y: f64) -> String {
    let (top, bottom) = (y - 6.0, y + 6.0);
    format!("M{low} {top}V{bottom}M{low} {y}H{high}M{high} {top}V{bottom}")
}
