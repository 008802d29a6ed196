//! The claims, as `claims/*.json` lists them: what is said, where, and what it is measured by.

use std::collections::BTreeMap;

use serde::Deserialize;

pub use super::part::{AgreementPart, CheckPart, Claimed, CrossoverPart, Part, QuantityPart};
use crate::{
    cli::Pace,
    driver::DriverKind,
    error::UsageError,
    place::{self, PlaceError},
};

/// The claims of each source, as they were when this executable was built.
const SOURCES_JSON: [&str; 4] = [
    include_str!("../../../claims/article.json"),
    include_str!("../../../claims/thesis.json"),
    include_str!("../../../claims/hello.json"),
    include_str!("../../../claims/meteorite.json"),
];

/// Every claim of every source.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The sources, in the order in which they are shown.
    pub sources: Vec<Source>,
}

/// A text that makes claims.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Short id, as `--source` takes it.
    pub id: String,
    /// What it is.
    pub title: String,
    /// What it measured.
    pub stack: String,
    /// Scenarios that its claims need and that do not exist yet, each in a few words.
    pub not_built: BTreeMap<String, String>,
    /// Its claims.
    pub claims: Vec<Claim>,
}

/// Something that a source says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// For example `C01`.
    pub id: String,
    /// Where in the source it stands.
    pub place: String,
    /// What it says, in our own words.
    pub claim: String,
    /// What it is judged by.
    #[serde(default)]
    pub parts: Vec<Part>,
    /// How the parts make one verdict.
    #[serde(default)]
    pub combine: Combine,
    /// Ids of scenarios that it needs and that do not exist yet.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Why nothing here could measure it, in a sentence without its full stop.
    #[serde(default)]
    pub not_measurable: Option<String>,
    /// Drivers that can say something about it; all when empty.
    #[serde(default)]
    pub drivers: Vec<Driver>,
}

/// How the verdicts of the parts make that of the claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// It holds when every part does.
    #[default]
    All,
    /// It holds when one part does.
    Any,
}

/// A load driver, as the claims name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Driver {
    /// The compiled clients.
    Load,
    /// The embedded runner.
    Script,
    /// The user's k6.
    K6,
}

impl Claims {
    /// The claims built into this executable.
    ///
    /// # Panics
    /// Never in a build whose tests pass: a test reads the same text.
    #[must_use]
    pub fn built_in() -> Self {
        let source = |text| serde_json::from_str(text).expect("claims/ is checked by a test");
        Self {
            sources: SOURCES_JSON.into_iter().map(source).collect(),
        }
    }

    /// The claims of these sources and with these ids (all when empty), each with its source.
    ///
    /// # Errors
    /// A source or an id that does not exist, or an id that none of the sources has.
    pub fn selected(
        &self,
        sources: &[String],
        ids: &[String],
    ) -> Result<Vec<(&Source, &Claim)>, UsageError> {
        for asked in sources {
            if !self.sources.iter().any(|source| source.id == *asked) {
                let known: Vec<&str> = self.sources.iter().map(|source| &*source.id).collect();
                return Err(UsageError::UnknownSource {
                    name: asked.clone(),
                    known: known.join(", "),
                });
            }
        }
        let of_sources: Vec<(&Source, &Claim)> = self
            .sources
            .iter()
            .filter(|source| sources.is_empty() || sources.contains(&source.id))
            .flat_map(|source| source.claims.iter().map(move |claim| (source, claim)))
            .collect();
        for asked in ids {
            if !of_sources.iter().any(|(_, claim)| is_called(claim, asked)) {
                return Err(UsageError::UnknownClaim {
                    claim: asked.clone(),
                    known: ranges(&of_sources),
                });
            }
        }
        let is_asked = |claim: &Claim| ids.is_empty() || ids.iter().any(|id| is_called(claim, id));
        Ok(of_sources
            .into_iter()
            .filter(|(_, claim)| is_asked(claim))
            .collect())
    }

    /// The claim with this id and its source.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<(&Source, &Claim)> {
        let mut all = self
            .sources
            .iter()
            .flat_map(|source| source.claims.iter().map(move |claim| (source, claim)));
        all.find(|(_, claim)| claim.id == id)
    }
}

/// The first and the last id that each source has.
fn ranges(claims: &[(&Source, &Claim)]) -> String {
    let of_each = claims.chunk_by(|(one, _), (other, _)| one.id == other.id);
    let ranges: Vec<String> = of_each
        .filter_map(|some| Some((&some.first()?.1.id, &some.last()?.1.id)))
        .map(|(first, last)| format!("{first} to {last}"))
        .collect();
    ranges.join(" and ")
}

fn is_called(claim: &Claim, id: &str) -> bool {
    claim.id.eq_ignore_ascii_case(id.trim())
}

impl Claim {
    /// Why a machine like this one cannot measure it, if it cannot.
    #[must_use]
    pub fn obstacle(&self, os: &str, logical_cores: u32) -> Option<PlaceError> {
        let mut rows = self
            .parts
            .iter()
            .flat_map(|part| part.row_sets(Pace::Full))
            .flatten();
        let has_place = rows.any(|row| row.contains("place="));
        place::obstacle(os, logical_cores).filter(|_| has_place)
    }

    /// Whether a driver can say something about it.
    #[must_use]
    pub fn suits(&self, driver: &str) -> bool {
        self.drivers.is_empty() || self.drivers.iter().any(|suited| suited.name() == driver)
    }
}

impl Driver {
    /// Its name in settings and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => DriverKind::Load.name(),
            Self::Script => DriverKind::Script.name(),
            Self::K6 => DriverKind::K6.name(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::BTreeSet;

    use super::*;
    use crate::{catalogue::Catalogue, claims::checks::CheckName, rows};

    fn article() -> Source {
        Claims::built_in().sources.swap_remove(0)
    }

    #[test]
    fn the_article_makes_fifty_claims_each_of_which_is_accounted_for() {
        let article = article();
        let ids: Vec<&str> = article.claims.iter().map(|claim| &*claim.id).collect();
        let expected: Vec<String> = (1..=50).map(|number| format!("C{number:02}")).collect();
        assert_eq!(ids, expected);
        for claim in Claims::built_in()
            .sources
            .iter()
            .flat_map(|source| &source.claims)
        {
            let ways = [
                !claim.parts.is_empty(),
                !claim.needs.is_empty(),
                claim.not_measurable.is_some(),
            ];
            assert!(ways.contains(&true), "{} says nothing of how", claim.id);
            assert!(!claim.claim.is_empty() && !claim.place.is_empty());
        }
    }

    #[test]
    fn every_row_exists_and_every_missing_scenario_is_named() {
        let catalogue = Catalogue::built_in();
        for source in Claims::built_in().sources {
            check_rows(&source, &catalogue);
        }
    }

    fn check_rows(source: &Source, catalogue: &Catalogue) {
        let mut needed = BTreeSet::new();
        for claim in &source.claims {
            for row in claim
                .parts
                .iter()
                .flat_map(|part| part.row_sets(Pace::Full))
                .flatten()
            {
                assert!(
                    rows::named(catalogue, row).is_some(),
                    "{}: no row {row}",
                    claim.id
                );
            }
            needed.extend(claim.needs.iter().map(String::as_str));
        }
        let not_built: BTreeSet<&str> = source.not_built.keys().map(String::as_str).collect();
        assert_eq!(needed, not_built);
        let built: BTreeSet<&str> = catalogue
            .scenarios
            .iter()
            .map(|scenario| &*scenario.id)
            .collect();
        assert!(
            not_built.is_disjoint(&built),
            "a built one is needed no more"
        );
    }

    #[test]
    fn every_check_belongs_to_a_claim() {
        let claims = Claims::built_in();
        let used: BTreeSet<CheckName> = claims
            .sources
            .iter()
            .flat_map(|source| &source.claims)
            .flat_map(|claim| &claim.parts)
            .filter_map(|part| match part {
                Part::Check(part) => Some(part.check),
                _ => None,
            })
            .collect();
        assert_eq!(used, CheckName::ALL.into_iter().collect());
    }

    #[test]
    fn claims_are_chosen_by_source_and_id() {
        let claims = Claims::built_in();
        let chosen = |sources: &[&str], ids: &[&str]| {
            let owned =
                |names: &[&str]| -> Vec<String> { names.iter().map(ToString::to_string).collect() };
            claims
                .selected(&owned(sources), &owned(ids))
                .map(|found| found.iter().map(|(_, claim)| claim.id.clone()).collect())
                .map_err(|error| error.to_string())
        };
        assert_eq!(
            chosen(&["article"], &["c12", "C01"]),
            Ok(vec!["C01".to_owned(), "C12".to_owned()])
        );
        assert_eq!(
            chosen(&["article"], &[]).map(|all: Vec<String>| all.len()),
            Ok(50)
        );
        assert_eq!(
            chosen(&["article", "thesis"], &["C99"]).unwrap_err(),
            "there is no claim \"C99\" here; the claims are C01 to C50 and T01 to R8, see --list"
        );
        let unknown = chosen(&["blog"], &[]).unwrap_err();
        assert!(
            unknown.starts_with(
                "there is no source of claims called \"blog\"; the sources are article, thesis"
            ),
            "{unknown}"
        );
    }
}
