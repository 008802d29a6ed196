//! Rows that are offered a share of what they do in a closed loop.

use super::chosen::whole_names;
use crate::{
    catalogue::Catalogue,
    record::{Row, without_rate},
};

/// The row in a closed loop, where it is offered a share of what it does there.
#[must_use]
pub fn at_full_load(row: &Row) -> Row {
    let mut full = row.clone();
    full.condition.rate_percent = None;
    full.condition.rate_per_s = None;
    full.repeats = None;
    full.id = without_rate(&row.id);
    full.group = without_rate(&row.group);
    if let Some((title, condition)) = row.group_label.rsplit_once(", ") {
        let label = without_rate(&format!("{title}@{condition}"));
        full.group_label = label.replacen('@', ", ", 1);
    }
    full
}

/// The cells (default cells when empty) with a share of full load as their rate, in %; those that say
/// themselves how they are driven are left as they are.
#[must_use]
pub fn offered(catalogue: &Catalogue, cells: &[String], percent: f64) -> Vec<String> {
    let default = catalogue.cells.iter().filter(|cell| cell.default);
    let names = if cells.is_empty() {
        default.map(|cell| cell.id.clone()).collect()
    } else {
        whole_names(cells)
    };
    let driven = ["rate=", "sequential=", "drop=", "pause="];
    names
        .into_iter()
        .map(|name| match name.split_once('@') {
            None => format!("{name}@rate={percent}%"),
            Some((_, condition))
                if condition
                    .split(',')
                    .any(|part| driven.iter().any(|own| part.trim_start().starts_with(own))) =>
            {
                name
            }
            Some(_) => format!("{name},rate={percent}%"),
        })
        .collect()
}
