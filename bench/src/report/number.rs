//! Estimates as text: medians with their intervals, and ratios with theirs. How a single number is
//! written is [`crate::number`]'s affair.

pub use crate::number::{count, counted, exact, memory, percent, plain, ratio};
use crate::{
    number::{Step, grouped},
    record::{Estimate, RatioEstimate},
};

/// Shown where there is no figure.
pub const ABSENT: &str = "–";

/// Whether every run gave the same whole number, as byte counts do.
#[must_use]
pub fn is_exact(estimate: &Estimate) -> bool {
    let same = (estimate.max - estimate.min).abs() <= f64::EPSILON * estimate.max.abs();
    same && estimate.median.fract() == 0.0
}

/// Whether the runs differ; a single run has nothing to differ from.
#[must_use]
pub fn has_spread(estimate: &Estimate) -> bool {
    estimate.max > estimate.min
}

/// The ends of the interval, or of the range where there is no interval.
#[must_use]
pub fn ends(estimate: &Estimate) -> (f64, f64) {
    (
        estimate.low.unwrap_or(estimate.min),
        estimate.high.unwrap_or(estimate.max),
    )
}

/// Whether the estimate has an interval; otherwise only the range of its runs is known.
#[must_use]
pub fn has_interval(estimate: &Estimate) -> bool {
    estimate.low.is_some() && estimate.high.is_some()
}

/// The longer of the interval's two arms.
fn half_width(estimate: &Estimate) -> f64 {
    let (low, high) = ends(estimate);
    (high - estimate.median).max(estimate.median - low)
}

/// The step that suits an estimate: exact where every run gave the same whole number.
fn step_of(estimate: &Estimate) -> Step {
    if is_exact(estimate) {
        return Step::ONE;
    }
    Step::matched(estimate.median, half_width(estimate))
}

/// The median: `87,400`, `31.2`, `0.19`.
#[must_use]
pub fn median(estimate: &Estimate) -> String {
    step_of(estimate).show(estimate.median)
}

/// The interval `30.4–32.1`, or the range in brackets `[30.4–32.1]`; nothing without a spread.
#[must_use]
pub fn interval(estimate: &Estimate) -> Option<String> {
    if !has_spread(estimate) {
        return None;
    }
    let step = step_of(estimate);
    let (low, high) = ends(estimate);
    let span = format!("{}–{}", step.show(low), step.show(high));
    Some(bracketed(estimate, span))
}

/// The longer arm of the interval as a share of the median: `±3 %`, in brackets for a range.
#[must_use]
pub fn relative(estimate: &Estimate) -> Option<String> {
    let share = relative_share(estimate)?;
    Some(bracketed(estimate, format!("±{share} %")))
}

/// [`interval`] for two figures that stand together: `0.20–0.22 / 0.41–0.44`.
#[must_use]
pub fn interval_pair(first: &Estimate, second: &Estimate) -> Option<String> {
    match [first, second].map(interval) {
        [None, None] => None,
        pair => Some(pair.map(Option::unwrap_or_default).join(" / ")),
    }
}

/// [`relative`] for two figures that stand together: `±3 / 5 %`.
#[must_use]
pub fn relative_pair(first: &Estimate, second: &Estimate) -> Option<String> {
    let [left, right] = match [first, second].map(relative_share) {
        [None, None] => return None,
        pair => pair.map(|share| share.unwrap_or_else(|| "0".to_owned())),
    };
    Some(bracketed(first, format!("±{left} / {right} %")))
}

/// The longer arm in whole percent, rounded up; nothing without a spread.
fn relative_share(estimate: &Estimate) -> Option<String> {
    if !has_spread(estimate) || estimate.median == 0.0 {
        return None;
    }
    let percent = 100.0 * half_width(estimate) / estimate.median.abs();
    Some(grouped(&format!("{:.0}", percent.ceil().max(1.0))))
}

/// `spread` as it is when it is an interval, in brackets when it is only a range.
fn bracketed(estimate: &Estimate, spread: String) -> String {
    if has_interval(estimate) {
        spread
    } else {
        format!("[{spread}]")
    }
}

/// Median and interval in one line: `31.2 (30.4–32.1)`, `31.2 [29.8–33.0]`, `337`.
#[must_use]
pub fn with_interval(estimate: &Estimate) -> String {
    let median = median(estimate);
    match interval(estimate) {
        None => median,
        Some(span) if has_interval(estimate) => format!("{median} ({span})"),
        Some(span) => format!("{median} {span}"),
    }
}

/// Bytes per operation: whole, because a fraction of a byte is only a connection's preface spread
/// over its operations.
#[must_use]
pub fn bytes(value: f64) -> String {
    grouped(&format!("{:.0}", value.round()))
}

/// The interval of bytes per operation, where it is wider than a byte.
#[must_use]
pub fn bytes_interval(estimate: &Estimate) -> Option<String> {
    (half_width(estimate) >= 0.5)
        .then(|| interval(estimate))
        .flatten()
}

/// The ends of a ratio's interval in words: `1.31 to 1.55`, or `single rounds 1.31 to 1.55`
/// below six rounds.
#[must_use]
pub fn ratio_span(estimate: &RatioEstimate) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => format!("{} to {}", ratio(low), ratio(high)),
        _ => format!(
            "single rounds {} to {}",
            ratio(estimate.min),
            ratio(estimate.max)
        ),
    }
}

/// A ratio with its interval, `1.42 (1.31–1.55)`, or the range of its rounds, `1.42 [1.31–1.55]`.
#[must_use]
pub fn ratio_with_interval(estimate: &RatioEstimate) -> String {
    let shown = ratio(estimate.ratio);
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => format!("{shown} ({}–{})", ratio(low), ratio(high)),
        _ => format!("{shown} [{}–{}]", ratio(estimate.min), ratio(estimate.max)),
    }
}

/// The same ratio with numerator and denominator exchanged.
#[must_use]
pub fn inverse(estimate: &RatioEstimate) -> RatioEstimate {
    RatioEstimate {
        ratio: 1.0 / estimate.ratio,
        low: estimate.high.map(f64::recip),
        high: estimate.low.map(f64::recip),
        min: 1.0 / estimate.max,
        max: 1.0 / estimate.min,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(low: f64, median: f64, high: f64) -> Estimate {
        Estimate {
            median,
            low: Some(low),
            high: Some(high),
            min: low,
            max: high,
        }
    }

    #[test]
    fn digits_follow_the_interval() {
        let cases = [
            (30.43, 31.23, 32.06, "31.2 (30.4–32.1)"),
            (28.6, 31.23, 33.9, "31 (29–34)"),
            (85_512.0, 87_388.0, 89_120.0, "87,400 (85,500–89,100)"),
            (0.183, 0.1904, 0.2, "0.190 (0.183–0.200)"),
            (1_020.0, 1_046.0, 1_049.0, "1,050 (1,020–1,050)"),
            (337.0, 337.0, 337.0, "337"),
            (2_070.0, 2_070.0, 2_070.0, "2,070"),
        ];
        for (low, median, high, shown) in cases {
            assert_eq!(with_interval(&estimate(low, median, high)), shown);
        }
    }

    #[test]
    fn a_range_stands_in_brackets() {
        let few_runs = Estimate {
            low: None,
            high: None,
            ..estimate(30.0, 31.0, 33.0)
        };
        assert_eq!(with_interval(&few_runs), "31 [30–33]");
        assert_eq!(relative(&few_runs).as_deref(), Some("[±7 %]"));
        assert_eq!(
            relative(&estimate(30.43, 31.23, 32.06)).as_deref(),
            Some("±3 %")
        );
    }

    #[test]
    fn a_single_run_has_no_spread() {
        let one_run = Estimate {
            low: None,
            high: None,
            ..estimate(31.5, 31.5, 31.5)
        };
        assert_eq!(with_interval(&one_run), "31.5");
        assert_eq!(relative(&one_run), None);
        assert_eq!(relative_pair(&one_run, &one_run), None);
        assert_eq!(interval_pair(&one_run, &one_run), None);
        let runs = estimate(30.0, 31.0, 33.0);
        assert_eq!(relative_pair(&runs, &one_run).as_deref(), Some("±7 / 0 %"));
    }

    #[test]
    fn bytes_are_whole_and_their_interval_shows_only_when_it_matters() {
        let amortised = estimate(116.98, 117.02, 117.06);
        assert_eq!(bytes(amortised.median), "117");
        assert_eq!(bytes_interval(&amortised), None);
        assert!(bytes_interval(&estimate(110.0, 117.0, 130.0)).is_some());
    }

    #[test]
    fn an_inverse_exchanges_its_ends() {
        let ratio = RatioEstimate {
            ratio: 2.0,
            low: Some(1.6),
            high: Some(2.5),
            min: 1.25,
            max: 4.0,
        };
        assert_eq!(ratio_span(&inverse(&ratio)), "0.40 to 0.62");
        assert_eq!(
            ratio_span(&RatioEstimate { low: None, ..ratio }),
            "single rounds 1.25 to 4.00"
        );
    }
}
