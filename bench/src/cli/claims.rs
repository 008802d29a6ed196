//! The flags of `claims` and `compare`.

use std::path::PathBuf;

use clap::Args;

use super::{Color, MethodArgs, Profile};

/// Which claims to check, and how.
#[derive(Clone, Debug, Args)]
pub struct ClaimsArgs {
    /// Sources whose claims to check, separated by commas [default: all].
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "SOURCES",
        help_heading = "What to check"
    )]
    pub source: Vec<String>,
    /// Claims to check, separated by commas, for example C01,C12 [default: all of the sources].
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "IDS",
        help_heading = "What to check"
    )]
    pub id: Vec<String>,
    /// List the claims with what each is measured by, and measure nothing.
    #[arg(long, help_heading = "What to check")]
    pub list: bool,
    /// 7 rounds of 1 s: at most 20 minutes for all claims of a source (the default).
    #[arg(long, conflicts_with = "full", help_heading = "How to measure")]
    pub quick: bool,
    /// The article's times: 10 rounds of 30 s. Says how long it takes; with the same --out it goes on
    /// where it was interrupted.
    #[arg(long, help_heading = "How to measure")]
    pub full: bool,
    /// How, apart from the pace.
    #[command(flatten)]
    pub method: MethodArgs,
}

/// How long claims may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Minutes.
    Quick,
    /// Hours.
    Full,
}

impl ClaimsArgs {
    /// The pace that was asked for.
    #[must_use]
    pub fn pace(&self) -> Pace {
        if self.full { Pace::Full } else { Pace::Quick }
    }
}

impl Pace {
    /// Its name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// Whose times it has.
    #[must_use]
    pub fn profile(self) -> Profile {
        match self {
            Self::Quick => Profile::Quick,
            Self::Full => Profile::Article,
        }
    }

    /// Rounds: one more than an interval needs, or the profile's.
    #[must_use]
    pub fn rounds(self) -> u32 {
        match self {
            Self::Quick => 7,
            Self::Full => self.profile().rounds(),
        }
    }
}

/// Which results to compare.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A results.json or claims.json, or `article` for the article's table.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// What to set beside it: a results.json, a claims.json or `article`.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// When to colour the tables.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}
