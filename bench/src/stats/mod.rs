//! Statistics of runs and of paired rounds: pure functions over slices.
//!
//! Every function answers `None` where the data cannot carry an answer (too few values, or a value
//! that is no finite number) instead of a figure that means nothing. Nothing here is random: the same
//! values always give the same result.

mod drift;
mod kendall;
mod order;
mod outlier;
mod rank_sum;
mod signed_rank;
mod spread;

pub use drift::{Trend, mann_kendall};
pub use kendall::kendall_tau_b;
pub use order::{Interval, median, median_interval, quantile};
pub use outlier::{OUTLIER_Z, modified_z};
pub use rank_sum::{rank_sum_interval, shift};
pub use signed_rank::{hodges_lehmann, signed_rank_interval};
pub use spread::Spread;

/// Values below which no 95 % interval of a centre exists: with five, even the whole range covers only
/// 1 − 2/2⁵ = 93.75 %; with six it covers 1 − 2/2⁶ = 96.9 %.
pub const INTERVAL_NEEDS: usize = 6;

/// What an interval may miss on each side (2.5 %), for 95 % in the middle.
const TAIL: f64 = 0.025;

/// The values in ascending order, or `None` when there are none or one is not finite.
fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(sorted)
}
