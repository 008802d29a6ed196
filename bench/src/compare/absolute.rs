//! Row by row: the new figure over the old one, unpaired.

use super::{FIGURES, Side, side::Values};
use crate::{
    record::Figure,
    stats::{median_interval, rank_sum_interval, shift},
};

/// One row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Absolute {
    pub row: String,
    /// In the order of the columns; absent where a side lacks the figure.
    pub changes: Vec<Option<Change>>,
}

/// New over old.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    pub ratio: f64,
    /// 95 %, unpaired; with a published side that of the other side alone.
    pub interval: Option<(f64, f64)>,
}

pub(super) fn absolute(old: &Side, new: &Side, common: &[&str]) -> Vec<Absolute> {
    let of_row = |row: &&str| Absolute {
        row: (*row).to_owned(),
        changes: FIGURES
            .into_iter()
            .map(|figure| change(old, new, row, figure))
            .collect(),
    };
    common.iter().map(of_row).collect()
}

fn change(old: &Side, new: &Side, row: &str, figure: Figure) -> Option<Change> {
    let old = logs(&old.values(row, figure)?)?;
    let new = logs(&new.values(row, figure)?)?;
    let (ratio, interval) = match (&*old, &*new) {
        ([one], [other]) => (other - one, None),
        ([one], several) => {
            let interval =
                median_interval(several).map(|found| (found.low - one, found.high - one));
            (crate::stats::median(several)? - one, interval)
        }
        (several, [one]) => {
            let interval =
                median_interval(several).map(|found| (one - found.high, one - found.low));
            (one - crate::stats::median(several)?, interval)
        }
        (old, new) => {
            let interval = rank_sum_interval(new, old).map(|found| (found.low, found.high));
            (shift(new, old)?, interval)
        }
    };
    Some(Change {
        ratio: ratio.exp(),
        interval: interval.map(|(low, high)| (low.exp(), high.exp())),
    })
}

/// `None` where a value is not positive: it has no ratio.
fn logs(values: &Values) -> Option<Vec<f64>> {
    let values = match values {
        Values::Single(value) => vec![*value],
        Values::Runs(values) => values.clone(),
    };
    let positive = !values.is_empty() && values.iter().all(|value| *value > 0.0);
    positive.then(|| values.into_iter().map(f64::ln).collect())
}
