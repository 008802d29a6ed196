//! The conditions themselves, such as `p(95) < 200`.

use crate::metric::Kind;

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What is looked at.
    pub aggregate: Aggregate,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub limit: f64,
}

/// A number that is made of a metric's samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aggregate {
    /// Sum of a counter.
    Count,
    /// A counter's sum per second, or a rate's share.
    Rate,
    /// Last value of a gauge.
    Value,
    /// Mean of a trend.
    Average,
    /// Smallest value of a trend.
    Min,
    /// Largest value of a trend.
    Max,
    /// Median of a trend.
    Median,
    /// Percentile of a trend, 0 to 100.
    Percentile(f64),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==` or `===`
    Equal,
    /// `!=`
    NotEqual,
}

/// Why a text is no condition on a metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpressionError {
    /// It does not have the form of one.
    #[error("{0:?} is no threshold; write for example \"p(95)<200\" or \"rate>=0.99\"")]
    Malformed(String),
    /// The metric has no such number.
    #[error("{expression:?} does not fit a {kind}; a {kind} has {allowed}")]
    NotOfKind {
        /// The condition.
        expression: String,
        /// Kind of the metric.
        kind: &'static str,
        /// What a metric of that kind has.
        allowed: &'static str,
    },
}

/// Longer ones first, so that none is taken for the beginning of another.
const COMPARISONS: [(&str, Comparison); 7] = [
    ("===", Comparison::Equal),
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

impl Expression {
    /// Reads a condition on a metric of that kind.
    ///
    /// # Errors
    /// When it is malformed or the kind has no such number.
    pub fn parse(text: &str, kind: Kind) -> Result<Self, ExpressionError> {
        let malformed = || ExpressionError::Malformed(text.to_owned());
        let (place, (sign, comparison)) = COMPARISONS
            .iter()
            .filter_map(|comparison| Some((text.find(comparison.0)?, *comparison)))
            // Of those at the same place, the first of the list.
            .min_by_key(|(place, _)| *place)
            .ok_or_else(malformed)?;
        let aggregate = parse_aggregate(text[..place].trim()).ok_or_else(malformed)?;
        let limit: f64 = text[place + sign.len()..]
            .trim()
            .parse()
            .map_err(|_| malformed())?;
        if !limit.is_finite() {
            return Err(malformed());
        }
        if !aggregate.fits(kind) {
            return Err(ExpressionError::NotOfKind {
                expression: text.to_owned(),
                kind: kind.name(),
                allowed: allowed(kind),
            });
        }
        Ok(Self {
            aggregate,
            comparison,
            limit,
        })
    }

    /// Whether the condition holds for a value.
    #[must_use]
    #[expect(clippy::float_cmp, reason = "the script asks for exactly that")]
    pub fn holds(&self, value: f64) -> bool {
        match self.comparison {
            Comparison::Less => value < self.limit,
            Comparison::LessOrEqual => value <= self.limit,
            Comparison::Greater => value > self.limit,
            Comparison::GreaterOrEqual => value >= self.limit,
            Comparison::Equal => value == self.limit,
            Comparison::NotEqual => value != self.limit,
        }
    }
}

impl Aggregate {
    fn fits(self, kind: Kind) -> bool {
        match kind {
            Kind::Counter => matches!(self, Self::Count | Self::Rate),
            Kind::Gauge => matches!(self, Self::Value),
            Kind::Rate => matches!(self, Self::Rate),
            Kind::Trend => !matches!(self, Self::Count | Self::Rate | Self::Value),
        }
    }
}

fn allowed(kind: Kind) -> &'static str {
    match kind {
        Kind::Counter => "count and rate",
        Kind::Gauge => "value",
        Kind::Rate => "rate",
        Kind::Trend => "avg, min, max, med and p(0) to p(100)",
    }
}

fn parse_aggregate(text: &str) -> Option<Aggregate> {
    Some(match text {
        "count" => Aggregate::Count,
        "rate" => Aggregate::Rate,
        "value" => Aggregate::Value,
        "avg" => Aggregate::Average,
        "min" => Aggregate::Min,
        "max" => Aggregate::Max,
        "med" => Aggregate::Median,
        percentile => Aggregate::Percentile(parse_percentile(percentile)?),
    })
}

/// Reads `p(95)`: 0 to 100.
pub(crate) fn parse_percentile(text: &str) -> Option<f64> {
    let inside = text.strip_prefix("p(")?.strip_suffix(')')?;
    let percent: f64 = inside.trim().parse().ok()?;
    (0.0..=100.0).contains(&percent).then_some(percent)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        for (text, kind, aggregate, comparison) in [
            (
                "count>=0",
                Kind::Counter,
                Aggregate::Count,
                Comparison::GreaterOrEqual,
            ),
            (
                "rate < 0.5",
                Kind::Counter,
                Aggregate::Rate,
                Comparison::Less,
            ),
            ("rate===1", Kind::Rate, Aggregate::Rate, Comparison::Equal),
            (
                "value!=3",
                Kind::Gauge,
                Aggregate::Value,
                Comparison::NotEqual,
            ),
            (
                "p(99.9)<=200",
                Kind::Trend,
                Aggregate::Percentile(99.9),
                Comparison::LessOrEqual,
            ),
            (
                "med==1e3",
                Kind::Trend,
                Aggregate::Median,
                Comparison::Equal,
            ),
        ] {
            let expression = Expression::parse(text, kind).unwrap();
            assert_eq!(
                (expression.aggregate, expression.comparison),
                (aggregate, comparison)
            );
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (text, kind) in [
            ("count>1", Kind::Trend),
            ("avg>1", Kind::Rate),
            ("p(101)<1", Kind::Trend),
            ("avg", Kind::Trend),
            ("avg<", Kind::Trend),
            ("avg<x", Kind::Trend),
            ("avg<1<2", Kind::Trend),
            ("foo<1", Kind::Trend),
            ("", Kind::Gauge),
        ] {
            assert!(Expression::parse(text, kind).is_err(), "{text}");
        }
    }

    #[test]
    fn comparisons_hold() {
        let holds = |text: &str, value| Expression::parse(text, Kind::Gauge).unwrap().holds(value);
        assert!(holds("value<2", 1.0) && !holds("value<2", 2.0));
        assert!(holds("value<=2", 2.0) && holds("value>1", 2.0));
        assert!(holds("value>=2", 2.0) && holds("value==2", 2.0) && holds("value!=2", 1.0));
    }
}
