//! A figure as a straight line over the lines of an order: what a call costs by itself, and what each
//! line adds.

use serde::Deserialize;

use super::quantity::RowFigure;

/// Lines per order that are measured at any pace.
pub const QUICK_LINES: [u32; 3] = [2, 50, 5_000];
/// Lines per order that are measured at the full pace.
pub const FULL_LINES: [u32; 9] = [1, 2, 5, 10, 25, 50, 100, 500, 5_000];

/// A figure of one cell at every order size, written `a-rest server_cpu_us_per_op`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Sweep {
    /// One for each of [`FULL_LINES`], in their order.
    points: Vec<(u32, RowFigure)>,
}

/// `intercept + slope × lines`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The value of an order without lines.
    pub intercept: f64,
    /// What each line adds.
    pub slope: f64,
}

impl TryFrom<String> for Sweep {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let point = |lines| Ok((lines, RowFigure::try_from(format!("L{lines}-{text}"))?));
        let points: Result<_, String> = FULL_LINES.into_iter().map(point).collect();
        Ok(Self { points: points? })
    }
}

impl Sweep {
    /// Its figures, by rising number of lines.
    pub fn figures(&self) -> impl Iterator<Item = &RowFigure> {
        self.points.iter().map(|(_, leaf)| leaf)
    }

    /// Its figures with their numbers of lines, by rising number of lines.
    pub fn points(&self) -> impl Iterator<Item = (u32, &RowFigure)> {
        self.points.iter().map(|(lines, leaf)| (*lines, leaf))
    }

    /// Rows that are measured at any pace.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        self.rows_with(|lines| QUICK_LINES.contains(&lines))
    }

    /// Rows that are measured at the full pace alone.
    pub fn further_rows(&self) -> impl Iterator<Item = &str> {
        self.rows_with(|lines| !QUICK_LINES.contains(&lines))
    }

    fn rows_with(&self, is_wanted: impl Fn(u32) -> bool) -> impl Iterator<Item = &str> {
        self.points
            .iter()
            .filter(move |(lines, _)| is_wanted(*lines))
            .map(|(_, leaf)| &*leaf.row)
    }

    /// The line through the figures that are there; `None` when one that is measured at any pace is
    /// not, or is not positive.
    pub fn line(&self, figure: &impl Fn(&RowFigure) -> Option<f64>) -> Option<Line> {
        let mut points = Vec::new();
        for (lines, leaf) in &self.points {
            match figure(leaf) {
                Some(value) => points.push((f64::from(*lines), value)),
                None if QUICK_LINES.contains(lines) => return None,
                None => {}
            }
        }
        fitted(&points)
    }
}

/// The line with the least sum of squared relative residuals: a cost at 5,000 lines is a thousand times
/// that at 2, and each is known to about the same percentage. `None` for points that no line belongs to.
fn fitted(points: &[(f64, f64)]) -> Option<Line> {
    if points.iter().any(|&(_, y)| !y.is_finite() || y <= 0.0) {
        return None;
    }
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(x, y)| term(x, y) / (y * y)).sum()
    };
    let weight = sum(&|_, _| 1.0);
    let (mean_x, mean_y) = (sum(&|x, _| x) / weight, sum(&|_, y| y) / weight);
    let spread = sum(&|x, _| (x - mean_x) * (x - mean_x));
    let slope = sum(&|x, y| (x - mean_x) * (y - mean_y)) / spread;
    let intercept = mean_y - slope * mean_x;
    (slope.is_finite() && intercept.is_finite()).then_some(Line { intercept, slope })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn sweep() -> Sweep {
        Sweep::try_from("a-rest server_cpu_us_per_op".to_owned()).unwrap()
    }

    fn cost(leaf: &RowFigure) -> Option<f64> {
        let lines: f64 = leaf
            .row
            .strip_prefix('L')?
            .split('-')
            .next()?
            .parse()
            .ok()?;
        Some(30.0 + 0.25 * lines)
    }

    #[test]
    fn figures_on_a_line_give_the_line_whatever_the_pace() {
        let quick = |leaf: &RowFigure| {
            let is_quick = sweep().rows().any(|row| row == leaf.row);
            cost(leaf).filter(|_| is_quick)
        };
        for line in [sweep().line(&cost), sweep().line(&quick)] {
            let line = line.unwrap();
            assert!((line.intercept - 30.0).abs() < 1e-9, "{line:?}");
            assert!((line.slope - 0.25).abs() < 1e-12, "{line:?}");
        }
    }

    #[test]
    fn a_size_that_every_pace_measures_must_be_there() {
        let without = |missing: &'static str| {
            sweep().line(&move |leaf: &RowFigure| cost(leaf).filter(|_| leaf.row != missing))
        };
        assert!(without("L500-a-rest").is_some());
        assert_eq!(without("L5000-a-rest"), None);
        assert_eq!(sweep().line(&|_| Some(0.0)), None);
    }

    #[test]
    fn a_dear_point_weighs_no_more_than_a_cheap_one() {
        // 2 % off at 5,000 lines moves the intercept by far less than the 25 µs that it is in all.
        let off = |leaf: &RowFigure| {
            let factor = if leaf.row.starts_with("L5000-") {
                1.02
            } else {
                1.0
            };
            Some(cost(leaf)? * factor)
        };
        let line = sweep().line(&off).unwrap();
        assert!((line.intercept - 30.0).abs() < 0.5, "{line:?}");
    }

    #[test]
    fn rows_are_those_of_the_pace() {
        let sweep = sweep();
        assert_eq!(
            sweep.rows().collect::<Vec<_>>(),
            ["L2-a-rest", "L50-a-rest", "L5000-a-rest"]
        );
        assert_eq!(sweep.further_rows().count(), 6);
        assert_eq!(sweep.figures().count(), 9);
        assert!(Sweep::try_from("a-rest speed".to_owned()).is_err());
    }
}
