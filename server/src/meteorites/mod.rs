//! Landings of meteorites: 1,000 made-up records with the sizes of the public ones that a published
//! benchmark of gRPC against REST sends.

mod generator;
mod names;

use std::{ops::RangeInclusive, sync::LazyLock};

use crate::domain::Timestamp;

/// Whole numbers below this are the same as an integer and as a double.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What the interface says of its own version.
pub const VERSION: &str = "API Version 1.0";
/// What is said when records were taken.
pub const TAKEN: &str = "SUCCESS";
/// What kind of place a location is.
pub const POINT: &str = "Point";

/// Landings that can be asked for.
pub const COUNTS: RangeInclusive<usize> = 1..=10_000;
/// Landings of the published benchmark.
const USUAL: usize = 1_000;

/// One landing.
#[derive(Clone, Debug, PartialEq)]
pub struct Landing {
    /// Its number, from 1; they ascend with gaps.
    pub id: u32,
    /// Where it was found.
    pub name: String,
    /// `Fell` or `Found`.
    pub fall: &'static str,
    /// Where it landed, where that is known.
    pub place: Option<Place>,
    /// In grams, where it is known.
    pub mass_g: Option<f64>,
    /// Whether the name is in use.
    pub name_type: &'static str,
    /// The kind of stone, as a short code.
    pub class: String,
    /// The first moment of its year, where that is known.
    pub year: Option<Timestamp>,
}

/// A place on Earth, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// North of the equator.
    pub latitude: f64,
    /// East of Greenwich.
    pub longitude: f64,
}

/// Every landing of the published benchmark, always the same ones; made when they are first asked for.
#[must_use]
pub fn landings() -> &'static [Landing] {
    static LANDINGS: LazyLock<Vec<Landing>> = LazyLock::new(|| generator::generate(USUAL));
    &LANDINGS
}

/// The first landings, of which there are more than the published benchmark has; `None` for a number
/// that is not among [`COUNTS`].
#[must_use]
pub fn first(count: usize) -> Option<&'static [Landing]> {
    // Made apart, so that nobody pays for more than they ask for.
    static ALL: LazyLock<Vec<Landing>> = LazyLock::new(|| generator::generate(*COUNTS.end()));
    if !COUNTS.contains(&count) {
        return None;
    }
    let landings = if count <= USUAL { landings() } else { &ALL };
    landings.get(..count)
}

/// The number as an integer, where it is whole: text formats write it without `.0`, as the public records
/// have it.
#[must_use]
pub fn whole(number: f64) -> Option<i64> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "it is a whole number in range"
    )]
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}
