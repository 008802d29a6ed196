//! The committed instruction counts, and what has changed since.

use std::{collections::BTreeMap, fmt, fs, io, path::Path};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::{instructions::Counts, row::Row};

/// A ratio may rise or fall by this share.
const TOLERANCE: f64 = 0.10;

/// Counts by row id. Only the ratio is compared; the two counts say which side moved.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Baseline {
    rows: BTreeMap<String, Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    target_instructions_per_op: f64,
    floor_instructions_per_op: f64,
    ratio: f64,
}

impl From<Counts> for Entry {
    fn from(counts: Counts) -> Self {
        Self {
            target_instructions_per_op: counts.target.round(),
            floor_instructions_per_op: counts.floor.round(),
            ratio: (counts.ratio() * 1000.0).round() / 1000.0,
        }
    }
}

/// A row that does not agree with the baseline.
#[derive(Debug, PartialEq)]
pub enum Change {
    /// The ratio rose beyond the tolerance.
    Dearer(Difference),
    /// The ratio fell beyond the tolerance: good, but the baseline no longer guards it.
    Cheaper(Difference),
    /// The baseline has no such row.
    Unknown(String),
}

/// Old and new figures of a row.
#[derive(Debug, PartialEq)]
pub struct Difference {
    row: String,
    old: Entry,
    new: Entry,
}

impl Change {
    /// Whether the check fails by it.
    pub fn fails(&self) -> bool {
        !matches!(self, Self::Cheaper(_))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dearer(difference) => write!(
                f,
                "{difference}: dearer by more than {:.0} %; find the cause, or accept it with --update-baseline",
                TOLERANCE * 100.0
            ),
            Self::Cheaper(difference) => write!(
                f,
                "{difference}: cheaper by more than {:.0} %; keep that with --update-baseline",
                TOLERANCE * 100.0
            ),
            Self::Unknown(row) => write!(
                f,
                "{row} is not in the baseline; add it with --update-baseline"
            ),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, old, new } = self;
        write!(
            f,
            "{row}: {:.2} times its floor (baseline {:.2}), {:.0} instructions per operation \
             (baseline {:.0}), floor {:.0} (baseline {:.0})",
            new.ratio,
            old.ratio,
            new.target_instructions_per_op,
            old.target_instructions_per_op,
            new.floor_instructions_per_op,
            old.floor_instructions_per_op
        )
    }
}

impl Baseline {
    /// Reads the committed file.
    pub fn read(file: &Path) -> anyhow::Result<Self> {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!(
                "there is no baseline {}; write one with --update-baseline",
                file.display()
            ),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read {}", file.display()));
            }
        };
        serde_json::from_str(&text).with_context(|| format!("{} is not a baseline", file.display()))
    }

    /// Takes over the counted rows and leaves the others as they are.
    pub fn update(&mut self, counted: &[(Row, Counts)]) {
        for (row, counts) in counted {
            self.rows.insert(row.id.clone(), (*counts).into());
        }
    }

    /// Writes the file whole or not at all.
    pub fn write(&self, file: &Path) -> anyhow::Result<()> {
        let write = || -> anyhow::Result<()> {
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            let mut unfinished = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
            serde_json::to_writer_pretty(&mut unfinished, self)?;
            io::Write::write_all(&mut unfinished, b"\n")?;
            unfinished.persist(file)?;
            Ok(())
        };
        write().with_context(|| format!("cannot write {}", file.display()))
    }

    /// Every counted row that does not agree.
    pub fn compare(&self, counted: &[(Row, Counts)]) -> Vec<Change> {
        counted
            .iter()
            .filter_map(|(row, counts)| self.change(&row.id, *counts))
            .collect()
    }

    fn change(&self, row: &str, counts: Counts) -> Option<Change> {
        let Some(&old) = self.rows.get(row) else {
            return Some(Change::Unknown(row.to_owned()));
        };
        let difference = Difference {
            row: row.to_owned(),
            old,
            new: counts.into(),
        };
        let change = counts.ratio() / old.ratio;
        if change > 1.0 + TOLERANCE {
            Some(Change::Dearer(difference))
        } else if change < 1.0 - TOLERANCE {
            Some(Change::Cheaper(difference))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bookstore_bench::catalogue::Catalogue;

    use super::*;

    fn counted(target: f64) -> Vec<(Row, Counts)> {
        let rows = crate::row::rows(&Catalogue::built_in(), &["b-rest".to_owned()]).unwrap();
        let counts = Counts {
            target,
            floor: 10_000.0,
        };
        rows.into_iter().map(|row| (row, counts)).collect()
    }

    fn baseline() -> Baseline {
        let mut baseline = Baseline::default();
        baseline.update(&counted(20_000.0));
        baseline
    }

    #[test]
    fn within_ten_percent_nothing_has_changed() {
        for target in [18_100.0, 20_000.0, 21_900.0] {
            assert_eq!(baseline().compare(&counted(target)), []);
        }
    }

    #[test]
    fn a_dearer_row_fails_and_names_old_and_new() {
        let changes = baseline().compare(&counted(22_100.0));
        assert!(changes[0].fails());
        let words = changes[0].to_string();
        for part in ["b-rest", "2.21", "2.00", "22100", "20000", "dearer"] {
            assert!(words.contains(part), "{part} in {words}");
        }
    }

    #[test]
    fn a_cheaper_row_is_told_but_does_not_fail() {
        let changes = baseline().compare(&counted(17_900.0));
        assert!(!changes[0].fails());
        assert!(changes[0].to_string().contains("cheaper"));
    }

    #[test]
    fn a_row_without_a_baseline_fails() {
        let changes = Baseline::default().compare(&counted(1.0));
        assert_eq!(changes, [Change::Unknown("b-rest".to_owned())]);
        assert!(changes[0].fails());
    }

    #[test]
    fn a_written_baseline_is_read_back_and_a_missing_one_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("baseline.json");
        let error = Baseline::read(&file).unwrap_err();
        assert!(error.to_string().contains("--update-baseline"), "{error}");
        baseline().write(&file).unwrap();
        assert_eq!(Baseline::read(&file).unwrap(), baseline());
        fs::write(&file, "[]").unwrap();
        let error = Baseline::read(&file).unwrap_err();
        assert!(error.to_string().contains("is not a baseline"), "{error}");
    }
}
