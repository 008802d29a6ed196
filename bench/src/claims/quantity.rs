//! What a claim is about: a figure of a row, or something computed from several.

use std::iter;

use serde::Deserialize;

use super::sweep::Sweep;
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
    Growth {
        /// What it depends on, and the quantity there.
        growth: Vec<(f64, Quantity)>,
    },
    /// Where the first of two quantities stops being below the second, by straight lines between points.
    Crossing {
        /// What both depend on, rising, and both there.
        crossing: Vec<(f64, [Quantity; 2])>,
    },
    /// What an order without lines would have, by the straight line over all order sizes.
    Intercept {
        /// The figure and its cell.
        intercept: Sweep,
    },
    /// What each line of an order adds, by the same straight line.
    Slope {
        /// The figure and its cell.
        slope: Sweep,
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
            Self::Growth { growth } => {
                let points: Option<Vec<(f64, f64)>> = growth
                    .iter()
                    .map(|(at, quantity)| Some((*at, quantity.value(figure)?)))
                    .collect();
                least_squares_slope(&points?)
            }
            Self::Crossing { crossing } => {
                let points: Option<Vec<(f64, f64)>> = crossing
                    .iter()
                    .map(|(at, pair)| both(pair).map(|(first, second)| (*at, first - second)))
                    .collect();
                rising_root(&points?)?
            }
            Self::Intercept { intercept } => intercept.line(figure)?.intercept,
            Self::Slope { slope } => slope.line(figure)?.slope,
        };
        value.is_finite().then_some(value)
    }

    /// How its value is to be read.
    #[must_use]
    pub fn kind(&self) -> FigureKind {
        match self {
            Self::Ratio { .. } => FigureKind::Ratio,
            Self::Difference { .. } => FigureKind::Difference,
            Self::Figure(_)
            | Self::Share { .. }
            | Self::Sum { .. }
            | Self::Growth { .. }
            | Self::Crossing { .. }
            | Self::Intercept { .. }
            | Self::Slope { .. } => FigureKind::Amount,
        }
    }

    /// The figures that it is computed from.
    #[must_use]
    pub fn figures(&self) -> Vec<&RowFigure> {
        match self {
            Self::Figure(leaf) => vec![leaf],
            Self::Intercept { intercept: sweep } | Self::Slope { slope: sweep } => {
                sweep.figures().collect()
            }
            _ => self.terms().flat_map(Self::figures).collect(),
        }
    }

    /// Ids of the rows that it needs, each once.
    #[must_use]
    pub fn rows(&self) -> Vec<&str> {
        let rows = match self {
            Self::Figure(leaf) => vec![&*leaf.row],
            Self::Intercept { intercept: sweep } | Self::Slope { slope: sweep } => {
                sweep.rows().collect()
            }
            _ => self.terms().flat_map(Self::rows).collect(),
        };
        each_once(rows)
    }

    /// Ids of rows that it uses where they are there, each once: those of the full pace.
    #[must_use]
    pub fn further_rows(&self) -> Vec<&str> {
        let rows = match self {
            Self::Intercept { intercept: sweep } | Self::Slope { slope: sweep } => {
                sweep.further_rows().collect()
            }
            _ => self.terms().flat_map(Self::further_rows).collect(),
        };
        each_once(rows)
    }

    /// What it is a combination of.
    fn terms(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Ratio { ratio: pair }
            | Self::Share { share: pair }
            | Self::Difference { difference: pair } => Box::new(pair.iter()),
            Self::Sum { sum } => Box::new(sum.iter()),
            Self::Growth { growth } => Box::new(growth.iter().map(|(_, term)| term)),
            Self::Crossing { crossing } => Box::new(crossing.iter().flat_map(|(_, pair)| pair)),
            Self::Figure(_) | Self::Intercept { .. } | Self::Slope { .. } => {
                Box::new(iter::empty())
            }
        }
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

/// Where a value that is below zero rises to it, by a straight line between the points around.
fn rising_root(points: &[(f64, f64)]) -> Option<f64> {
    let around = points
        .windows(2)
        .find(|pair| pair[0].1 < 0.0 && pair[1].1 >= 0.0)?;
    let ((from, below), (to, above)) = (around[0], around[1]);
    Some(from + (to - from) * below / (below - above))
}

fn each_once(mut rows: Vec<&str>) -> Vec<&str> {
    rows.sort_unstable();
    rows.dedup();
    rows
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
                r#"{"growth": [[0, "zero p50_ms"], [1, "two p50_ms"], [2, "six p50_ms"]]}"#,
                Some(3.0),
            ),
            (
                r#"{"growth": [[0, "zero p50_ms"], [1, "absent p50_ms"]]}"#,
                None,
            ),
            (
                r#"{"growth": [[1, "two p50_ms"], [1, "six p50_ms"]]}"#,
                None,
            ),
            (r#"{"growth": []}"#, None),
            (
                r#"{"crossing": [[1, ["two p50_ms", "six p50_ms"]], [3, ["six p50_ms", "two p50_ms"]]]}"#,
                Some(2.0),
            ),
            (
                r#"{"crossing": [[1, ["two p50_ms", "six p50_ms"]], [3, ["two p50_ms", "six p50_ms"]]]}"#,
                None,
            ),
            (r#"{"ratio": ["six p50_ms", "zero p50_ms"]}"#, None),
            (r#"{"share": ["six p50_ms", "zero p50_ms"]}"#, None),
            (r#"{"difference": ["six p50_ms", "absent p50_ms"]}"#, None),
        ] {
            assert_eq!(value(text), expected, "{text}");
        }
    }

    #[test]
    fn rows_are_named_once() {
        let growth = read(r#"{"growth": [[1, "b p50_ms"], [2, {"sum": ["a p50_ms"]}]]}"#);
        assert_eq!(growth.rows(), ["a", "b"]);
        assert_eq!(growth.kind(), FigureKind::Amount);
        let quantity = read(r#"{"difference": [{"sum": ["b p50_ms", "a p95_ms"]}, "b p50_ms"]}"#);
        assert_eq!(quantity.rows(), ["a", "b"]);
        assert_eq!(quantity.kind(), FigureKind::Difference);
    }

    #[test]
    fn a_line_over_order_sizes_needs_some_and_uses_all() {
        let quantity = read(
            r#"{"difference": [{"intercept": "a-grpc p50_ms"}, {"slope": "a-rest server_cpu_us_per_op"}]}"#,
        );
        assert_eq!(quantity.rows().len(), 6);
        assert_eq!(quantity.further_rows().len(), 12);
        assert_eq!(quantity.figures().len(), 18);
        // Every p50 is 2 ms, whatever the size, and every cost 3 µs.
        let value = quantity.value(&|leaf| match leaf.figure {
            Figure::P50Ms => Some(2.0),
            _ => Some(3.0),
        });
        assert!((value.unwrap() - 2.0).abs() < 1e-9);
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
