//! Marks: each label has a colour and a shape of its own, so that neither is needed alone.

use maud::{Markup, html};

use crate::{
    record::{Row, Session},
    report::view::{self, Group},
};

use super::scale::tenth;

/// Different colours and shapes; further labels begin again.
const KINDS: usize = 6;

/// The kind of mark that a row has everywhere on the page.
pub(super) fn kind(session: &Session, row: &Row) -> usize {
    let mut labels: Vec<&str> = Vec::new();
    for row in view::shown_rows(session) {
        if !labels.contains(&row.label.as_str()) {
            labels.push(&row.label);
        }
    }
    labels
        .iter()
        .position(|label| *label == row.label)
        .unwrap_or(0)
        % KINDS
}

/// A mark at a point, with the text that shows when a pointer rests on it.
pub(super) fn draw(kind: usize, x: f64, y: f64, hollow: bool, title: &str) -> Markup {
    let class = format!("m{kind}{}", if hollow { " hollow" } else { "" });
    let title = html! { @if !title.is_empty() { title { (title) } } };
    if kind == 0 {
        return html! { circle class=(class) cx=(x) cy=(y) r="4" { (title) } };
    }
    let outline: &[(f64, f64)] = match kind {
        1 => &[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)],
        2 => &[(0.0, -4.8), (4.5, 3.6), (-4.5, 3.6)],
        3 => &[(0.0, -5.0), (5.0, 0.0), (0.0, 5.0), (-5.0, 0.0)],
        4 => &[(-4.5, -3.6), (4.5, -3.6), (0.0, 4.8)],
        _ => &[(-5.0, -2.2), (5.0, -2.2), (5.0, 2.2), (-5.0, 2.2)],
    };
    let points: Vec<String> = outline
        .iter()
        .map(|(dx, dy)| format!("{},{}", tenth(x + dx), tenth(y + dy)))
        .collect();
    html! { polygon class=(class) points=(points.join(" ")) { (title) } }
}

/// The rows of a group with their marks.
pub(super) fn legend(session: &Session, group: &Group<'_>) -> Markup {
    html! {
        p.legend {
            @for row in &group.rows {
                span {
                    svg width="14" height="12" viewBox="0 0 14 12" aria-hidden="true" {
                        (draw(kind(session, row), 7.0, 6.0, false, ""))
                    }
                    (row.label)
                }
            }
        }
    }
}
