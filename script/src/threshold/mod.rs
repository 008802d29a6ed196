//! Thresholds: conditions on metrics that a run must meet.

mod expression;
mod verdict;

pub(crate) use expression::parse_percentile;
pub use expression::{Aggregate, Comparison, Expression, ExpressionError};
pub(crate) use verdict::Thresholds;
