//! What an estimate says of the range that is claimed.

use super::catalogue::Claimed;
use crate::{
    analysis::{rounds_to_an_interval, rounds_until, too_wide},
    record::{ClaimEstimate, ClaimVerdict, FigureKind},
};

/// A size within this share of the published one is about as published: the published figures are
/// rounded, and have no spread of their own.
pub const SIZE_TOLERANCE: f64 = 0.10;

/// A claimed range and what our figures say.
pub struct Question<'a> {
    /// The range claimed.
    pub claimed: Claimed,
    /// How the figures are to be read.
    pub kind: FigureKind,
    /// The published figure.
    pub published: Option<f64>,
    /// Ours; absent when nothing was measured.
    pub ours: Option<&'a ClaimEstimate>,
    /// Ratios within this share of 1 are a tie.
    pub tie_margin: f64,
}

/// Figures on the axis on which distances count: logarithmic for ratios, where 0 is "alike".
struct Axis {
    low: f64,
    high: f64,
    centre: f64,
    claimed: Claimed,
    /// Which side of 0 is claimed; none when the claim is about a bare amount, or about likeness.
    side: Option<Side>,
    /// Up to this far from 0 both are alike.
    tie: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Above,
    Below,
}

impl Question<'_> {
    /// The verdict on one quantity. A claimed difference that lies within the tie margin is a tie here.
    /// With the whole interval in the claimed range the claim holds; with the whole of it elsewhere on
    /// the claimed side it holds smaller or larger; wholly on the other side it flips, or where no side
    /// is claimed it does not hold. Anything else is not settled.
    #[must_use]
    pub fn verdict(&self) -> ClaimVerdict {
        let Some(ours) = self.ours else {
            return ClaimVerdict::NotMeasured;
        };
        let (Some(low), Some(high)) = (ours.low, ours.high) else {
            let more_rounds = rounds_to_an_interval(ours.rounds);
            return ClaimVerdict::NotSettled { more_rounds };
        };
        let axis = self.axis(low, high, ours.value);
        if axis.side.is_some() && axis.is_tie() {
            ClaimVerdict::TieHere
        } else if axis.is_inside() {
            self.size(&axis)
        } else {
            axis.elsewhere().unwrap_or(ClaimVerdict::NotSettled {
                more_rounds: axis.more_rounds(ours.rounds),
            })
        }
    }

    fn axis(&self, low: f64, high: f64, centre: f64) -> Axis {
        let ratio = self.kind == FigureKind::Ratio;
        let on = |value: f64| if ratio { value.ln() } else { value };
        let claimed = self.claimed.map(on);
        let compares = matches!(self.kind, FigureKind::Ratio | FigureKind::Difference);
        Axis {
            low: on(low),
            high: on(high),
            centre: on(centre),
            claimed,
            side: compares.then(|| claimed.side()).flatten(),
            tie: if ratio {
                self.tie_margin.max(0.0).ln_1p()
            } else {
                0.0
            },
        }
    }

    /// How a claim that holds compares with the published size. A claimed range says itself how far
    /// from it a size may be.
    fn size(&self, axis: &Axis) -> ClaimVerdict {
        let is_open = matches!(self.claimed, Claimed::Above(_) | Claimed::Below(_));
        let published = self.published.filter(|_| is_open && axis.side.is_some());
        let Some(published) = published else {
            return ClaimVerdict::Holds;
        };
        let tolerance = 1.0 + SIZE_TOLERANCE;
        let (least, most) = if self.kind == FigureKind::Ratio {
            let size = published.ln().abs();
            (size - tolerance.ln(), size + tolerance.ln())
        } else {
            (published.abs() / tolerance, published.abs() * tolerance)
        };
        let ends = [axis.low.abs(), axis.high.abs()];
        if ends.iter().all(|&end| end < least) {
            ClaimVerdict::HoldsSmaller
        } else if ends.iter().all(|&end| end > most) {
            ClaimVerdict::HoldsLarger
        } else {
            ClaimVerdict::Holds
        }
    }
}

impl Axis {
    fn is_tie(&self) -> bool {
        -self.tie <= self.low && self.high <= self.tie
    }

    fn is_inside(&self) -> bool {
        match self.claimed {
            Claimed::Above(bound) => self.low > bound,
            Claimed::Below(bound) => self.high < bound,
            Claimed::Within(from, to) => from <= self.low && self.high <= to,
            Claimed::Exactly(value) => is_same(self.low, value) && is_same(self.high, value),
        }
    }

    /// Whether the whole interval lies below the claimed range, or above it.
    fn outside(&self) -> Option<Side> {
        let (below, above) = match self.claimed {
            Claimed::Above(bound) => (self.high <= bound, false),
            Claimed::Below(bound) => (false, self.low >= bound),
            Claimed::Within(from, to) => (self.high < from, self.low > to),
            Claimed::Exactly(value) => (self.high < value, self.low > value),
        };
        match (below, above) {
            (true, _) => Some(Side::Below),
            (_, true) => Some(Side::Above),
            _ => None,
        }
    }

    /// What an interval wholly outside the claimed range says; `None` when it says nothing.
    fn elsewhere(&self) -> Option<ClaimVerdict> {
        let outside = self.outside()?;
        let Some(claimed) = self.side else {
            return Some(ClaimVerdict::DoesNotHold);
        };
        let lies = if self.low > 0.0 {
            Side::Above
        } else if self.high < 0.0 {
            Side::Below
        } else {
            return None;
        };
        Some(if lies != claimed {
            ClaimVerdict::Flips
        } else if outside == claimed {
            ClaimVerdict::HoldsLarger
        } else {
            ClaimVerdict::HoldsSmaller
        })
    }

    /// Further rounds until the interval reaches neither a bound of the claimed range nor, where a side
    /// is claimed, the other side; or until it lies within the tie margin; whichever is easier.
    fn more_rounds(&self, rounds: u32) -> Option<u32> {
        let mut cuts = match self.claimed {
            Claimed::Above(bound) | Claimed::Below(bound) | Claimed::Exactly(bound) => vec![bound],
            Claimed::Within(from, to) => vec![from, to],
        };
        cuts.extend(self.side.map(|_| 0.0));
        let below = cuts.iter().copied().filter(|&cut| cut <= self.centre);
        let above = cuts.iter().copied().filter(|&cut| cut >= self.centre);
        let between = (
            below.fold(f64::NEG_INFINITY, f64::max),
            above.fold(f64::INFINITY, f64::min),
        );
        let estimate = [self.low, self.centre, self.high];
        let mut factor = too_wide(estimate, between);
        if self.side.is_some() {
            factor = factor.min(too_wide(estimate, (-self.tie, self.tie)));
        }
        rounds_until(factor, rounds)
    }
}

impl Claimed {
    fn map(self, on: impl Fn(f64) -> f64) -> Self {
        match self {
            Self::Above(bound) => Self::Above(on(bound)),
            Self::Below(bound) => Self::Below(on(bound)),
            Self::Within(from, to) => Self::Within(on(from), on(to)),
            Self::Exactly(value) => Self::Exactly(on(value)),
        }
    }

    fn side(self) -> Option<Side> {
        let (above, below) = match self {
            Self::Above(bound) => (bound >= 0.0, false),
            Self::Below(bound) => (false, bound <= 0.0),
            Self::Within(from, to) => (from > 0.0, to < 0.0),
            Self::Exactly(value) => (value > 0.0, value < 0.0),
        };
        match (above, below) {
            (true, _) => Some(Side::Above),
            (_, true) => Some(Side::Below),
            _ => None,
        }
    }
}

/// Equal but for the rounding of a computation.
fn is_same(left: f64, right: f64) -> bool {
    (left - right).abs() <= 1e-9 * right.abs().max(1.0)
}

#[cfg(test)]
mod tests;
