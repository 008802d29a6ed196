//! What a claim is about: a figure of a row, or something computed from several.

use serde::Deserialize;

use crate::record::{Figure, FigureKind};

/// A figure of a row, written `L2-a-rest server_cpu_us_per_op`, or a combination of such figures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A figure of a row.
    Figure(RowFigure),
    /// The first over the second; 1 says that they are alike.
    Ratio {
        /// Numerator and denominator.
        ratio: Box<[Quantity; 2]>,
    },
    /// The first over the second, where 1 has no such meaning, as in a part of a whole.
    Share {
        /// Part and whole.
        share: Box<[Quantity; 2]>,
    },
    /// The first less the second.
    Difference {
        /// Both.
        difference: Box<[Quantity; 2]>,
    },
    /// All together.
    Sum {
        /// The terms.
        sum: Vec<Quantity>,
    },
    /// How much a quantity grows for each unit of what it depends on: the slope of the line of least
    /// squares.
    Slope {
        /// What it depends on, and the quantity there.
        slope: Vec<(f64, Quantity)>,
    },
}

/// A figure of a row.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct RowFigure {
    /// The row's id.
    pub row: String,
    /// Which figure.
    pub figure: Figure,
}

impl TryFrom<String> for RowFigure {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (row, figure) = text
            .split_once(' ')
            .ok_or_else(|| format!("`{text}` is no quantity; write ROW FIGURE"))?;
        Ok(Self {
            row: row.to_owned(),
            figure: Figure::named(figure)
                .ok_or_else(|| format!("no figure is called `{figure}`"))?,
        })
    }
}

impl Quantity {
    /// Its value, given that of every figure; `None` where one is missing or the result is no finite
    /// number. A ratio exists only between positive values.
    pub fn value(&self, figure: &impl Fn(&RowFigure) -> Option<f64>) -> Option<f64> {
        let both = |pair: &[Self; 2]| Some((pair[0].value(figure)?, pair[1].value(figure)?));
        let value = match self {
            Self::Figure(leaf) => figure(leaf)?,
            Self::Ratio { ratio } => {
                let (over, under) = both(ratio)?;
                (over > 0.0 && under > 0.0).then(|| over / under)?
            }
            Self::Share { share } => {
                let (part, whole) = both(share)?;
                part / whole
            }
            Self::Difference { difference } => {
                let (first, second) = both(difference)?;
                first - second
            }
            Self::Sum { sum } => {
                let terms: Option<Vec<f64>> = sum.iter().map(|term| term.value(figure)).collect();
                terms?.into_iter().sum()
            }
            Self::Slope { slope } => {
                let points: Option<Vec<(f64, f64)>> = slope
                    .iter()
                    .map(|(at, quantity)| Some((*at, quantity.value(figure)?)))
                    .collect();
                least_squares_slope(&points?)
            }
        };
        value.is_finite().then_some(value)
    }

    /// How its value is to be read.
    #[must_use]
    pub fn kind(&self) -> FigureKind {
        match self {
            Self::Ratio { .. } => FigureKind::Ratio,
            Self::Difference { .. } => FigureKind::Difference,
            Self::Figure(_) | Self::Share { .. } | Self::Sum { .. } | Self::Slope { .. } => {
                FigureKind::Amount
            }
        }
    }

    /// The figures that it is computed from.
    #[must_use]
    pub fn figures(&self) -> Vec<&RowFigure> {
        let parts: &[Self] = match self {
            Self::Figure(leaf) => return vec![leaf],
            Self::Ratio { ratio: pair }
            | Self::Share { share: pair }
            | Self::Difference { difference: pair } => &**pair,
            Self::Sum { sum } => sum,
            Self::Slope { slope } => {
                let quantities = slope.iter().map(|(_, quantity)| quantity);
                return quantities.flat_map(Self::figures).collect();
            }
        };
        parts.iter().flat_map(Self::figures).collect()
    }

    /// Ids of the rows that it needs, each once.
    #[must_use]
    pub fn rows(&self) -> Vec<&str> {
        let mut rows: Vec<&str> = self.figures().iter().map(|leaf| &*leaf.row).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The ratio of one figure of two rows.
    #[must_use]
    pub fn ratio(figure: Figure, over: &str, under: &str) -> Self {
        let of = |row: &str| {
            Self::Figure(RowFigure {
                row: row.to_owned(),
                figure,
            })
        };
        Self::Ratio {
            ratio: Box::new([of(over), of(under)]),
        }
    }
}

/// Not finite where all points stand at one place.
fn least_squares_slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        let from_mean = points.iter().map(|(x, y)| (x - mean_x, y - mean_y));
        from_mean.map(|(x, y)| of(x, y)).sum()
    };
    sum(&|x, y| x * y) / sum(&|x, _| x * x)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn read(text: &str) -> Quantity {
        serde_json::from_str(text).unwrap()
    }

    fn value(text: &str) -> Option<f64> {
        read(text).value(&|leaf| match leaf.row.as_str() {
            "two" => Some(2.0),
            "six" => Some(6.0),
            "zero" => Some(0.0),
            _ => None,
        })
    }

    #[test]
    fn quantities_are_computed_from_figures() {
        for (text, expected) in [
            (r#""six p50_ms""#, Some(6.0)),
            (r#"{"ratio": ["six p50_ms", "two p50_ms"]}"#, Some(3.0)),
            (
                r#"{"share": ["two p50_ms", "six p50_ms"]}"#,
                Some(1.0 / 3.0),
            ),
            (
                r#"{"difference": ["two p50_ms", "six p50_ms"]}"#,
                Some(-4.0),
            ),
            (
                r#"{"sum": ["two p50_ms", {"sum": ["six p50_ms", "two p95_ms"]}]}"#,
                Some(10.0),
            ),
            (
                r#"{"slope": [[0, "zero p50_ms"], [1, "two p50_ms"], [2, "six p50_ms"]]}"#,
                Some(3.0),
            ),
            (
                r#"{"slope": [[0, "zero p50_ms"], [1, "absent p50_ms"]]}"#,
                None,
            ),
            (r#"{"slope": [[1, "two p50_ms"], [1, "six p50_ms"]]}"#, None),
            (r#"{"slope": []}"#, None),
            (r#"{"ratio": ["six p50_ms", "zero p50_ms"]}"#, None),
            (r#"{"share": ["six p50_ms", "zero p50_ms"]}"#, None),
            (r#"{"difference": ["six p50_ms", "absent p50_ms"]}"#, None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn rows_are_named_once() {
        let slope = read(r#"{"slope": [[1, "b p50_ms"], [2, {"sum": ["a p50_ms"]}]]}"#);
        assert_eq!(slope.rows(), ["a", "b"]);
        assert_eq!(slope.kind(), FigureKind::Amount);
        let quantity = read(r#"{"difference": [{"sum": ["b p50_ms", "a p95_ms"]}, "b p50_ms"]}"#);
        assert_eq!(quantity.rows(), ["a", "b"]);
        assert_eq!(quantity.kind(), FigureKind::Difference);
    }

    #[test]
    fn a_misspelt_figure_is_refused() {
        for text in [
            r#""a-rest""#,
            r#""a-rest speed""#,
            r#"{"ratio": ["a p50_ms"]}"#,
        ] {
            assert!(serde_json::from_str::<Quantity>(text).is_err(), "{text}");
        }
    }
}
