//! What a claim is judged by.

use serde::Deserialize;

use super::{checks::CheckName, quantity::Quantity, sweep::Sweep};
use crate::{cli::Pace, record::Figure};

/// One thing that a claim is judged by.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Part {
    /// A quantity and the range that is claimed for it.
    Quantity(QuantityPart),
    /// The order size from which one style costs less than another.
    Crossover(CrossoverPart),
    /// The order of rows, by several figures.
    Agreement(AgreementPart),
    /// Something that is tried.
    Check(CheckPart),
}

/// A quantity of a session and the range that is claimed for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuantityPart {
    /// What it is, in a few words.
    pub what: String,
    /// The quantity. The published figure is the same quantity of the published table.
    pub quantity: Quantity,
    /// The range claimed; absent where the figure explains a claim and nothing was claimed for it.
    #[serde(default)]
    pub claimed: Option<Claimed>,
    /// Its unit; empty for ratios and counts.
    #[serde(default)]
    pub unit: String,
    /// What a reader should know of this stack.
    #[serde(default)]
    pub note: Option<String>,
    /// Whether it is measured at the full pace alone, because the quick one has no time for its rows.
    #[serde(default)]
    pub full_only: bool,
}

/// The order size from which the first of two figures is below the second.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossoverPart {
    /// What it is, in a few words.
    pub what: String,
    /// Both figures.
    pub crossover: [Sweep; 2],
    /// What a reader should know of this stack.
    #[serde(default)]
    pub note: Option<String>,
}

/// The order of the rows of each group, by each figure, against the published one.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreementPart {
    /// What it is, in a few words.
    pub what: String,
    /// Rows that are compared with each other.
    pub groups: Vec<Vec<String>>,
    /// By what.
    pub figures: Vec<Figure>,
}

/// Something that is tried.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckPart {
    /// What it is, in a few words.
    pub what: String,
    /// The check.
    pub check: CheckName,
}

/// The range that is claimed for a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claimed {
    /// More than this.
    Above(f64),
    /// Less than this.
    Below(f64),
    /// From the first to the second.
    Within(f64, f64),
    /// Exactly this.
    Exactly(f64),
}

impl Part {
    /// Whether it has a part in the verdict at this pace.
    #[must_use]
    pub fn counts_at(&self, pace: Pace) -> bool {
        match self {
            Self::Quantity(part) => pace == Pace::Full || !part.full_only,
            Self::Crossover(_) | Self::Agreement(_) | Self::Check(_) => true,
        }
    }

    /// What it is, in a few words.
    #[must_use]
    pub fn what(&self) -> &str {
        match self {
            Self::Quantity(part) => &part.what,
            Self::Crossover(part) => &part.what,
            Self::Agreement(part) => &part.what,
            Self::Check(part) => &part.what,
        }
    }

    /// Whether something is claimed of it; otherwise it explains other parts.
    #[must_use]
    pub fn is_claimed(&self) -> bool {
        !matches!(self, Self::Quantity(QuantityPart { claimed: None, .. }))
    }

    /// Ids of the rows that must be measured together, set by set. The full pace takes more order
    /// sizes than the quick one.
    #[must_use]
    pub fn row_sets(&self, pace: Pace) -> Vec<Vec<&str>> {
        let is_full = pace == Pace::Full;
        if !self.counts_at(pace) {
            return Vec::new();
        }
        match self {
            Self::Quantity(part) => {
                let mut rows = part.quantity.rows();
                rows.extend(part.quantity.further_rows().iter().filter(|_| is_full));
                vec![rows]
            }
            Self::Crossover(part) => {
                let both = part.crossover.iter();
                let mut rows: Vec<&str> = both.clone().flat_map(Sweep::rows).collect();
                rows.extend(both.flat_map(Sweep::further_rows).filter(|_| is_full));
                vec![rows]
            }
            Self::Agreement(part) => part
                .groups
                .iter()
                .map(|group| group.iter().map(String::as_str).collect())
                .collect(),
            Self::Check(_) => Vec::new(),
        }
    }
}
