//! Whether both sides rank their rows alike, column by column.

use super::{FIGURES, Side};
use crate::{record::Figure, stats::kendall_tau_b};

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Agreement {
    pub figure: Figure,
    /// Rows that both sides have.
    pub rows: usize,
    /// Kendall's tau-b of the medians; absent where one side has no order.
    pub tau: Option<f64>,
}

pub(super) fn agreement(old: &Side, new: &Side, rows: &[&str]) -> Vec<Agreement> {
    let column = |figure: Figure| {
        // A fraction of a byte is only a connection's preface spread over its operations.
        let whole = figure.unit() == "B";
        let middle = |side: &Side, row: &str| {
            let middle = side.values(row, figure)?.middle()?;
            Some(if whole { middle.round() } else { middle })
        };
        let pairs: Vec<(f64, f64)> = rows
            .iter()
            .filter_map(|row| Some((middle(old, row)?, middle(new, row)?)))
            .collect();
        Agreement {
            figure,
            rows: pairs.len(),
            tau: kendall_tau_b(&pairs),
        }
    };
    FIGURES.into_iter().map(column).collect()
}
