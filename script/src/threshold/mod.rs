//! Thresholds: conditions on metrics that a run must meet.

mod expression;

pub(crate) use expression::parse_percentile;
pub use expression::{Aggregate, Comparison, Expression, ExpressionError};
