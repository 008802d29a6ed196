//! From single rows to those of a session: which is measured twice, and which the others are held against.

use std::collections::HashMap;

use crate::record::Row;

/// Rows in table order made into those of a session: with `noise_floor` and without a row named
/// twice, the first is measured a second time.
#[must_use]
pub fn assembled(mut rows: Vec<Row>, noise_floor: bool) -> Vec<Row> {
    if noise_floor && !rows.is_empty() && !has_repetition(&rows) {
        let mut again = rows[0].clone();
        again.reference = false;
        rows.insert(1, again);
    }
    mark_repetitions(&mut rows);
    mark_references(&mut rows);
    rows
}

fn has_repetition(rows: &[Row]) -> bool {
    rows.iter()
        .enumerate()
        .any(|(nth, row)| rows[..nth].iter().any(|earlier| earlier.id == row.id))
}

/// Gives the second and later rows of the same id their own id and label.
fn mark_repetitions(rows: &mut [Row]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for row in rows {
        let count = seen.entry(row.id.clone()).or_default();
        *count += 1;
        if *count > 1 {
            row.repeats = Some(row.id.clone());
            row.reference = false;
            row.label = format!("{} ({count})", row.label);
            row.id = format!("{}#{count}", row.id);
        }
    }
}

/// Every group has one reference: the catalogue's, or its first row when that one was not asked for.
fn mark_references(rows: &mut [Row]) {
    let groups: Vec<String> = rows.iter().map(|row| row.group.clone()).collect();
    for group in groups {
        let mut members = rows
            .iter_mut()
            .filter(|row| row.group == group && row.repeats.is_none());
        if let Some(first) = members.next()
            && !first.reference
            && !members.any(|row| row.reference)
        {
            first.reference = true;
        }
    }
}
