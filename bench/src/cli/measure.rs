//! The flags of a measurement.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum};

use super::Color;
use crate::{driver::DriverKind, duration::parse_duration, rate::OfferedRate};

/// How to measure. Flags that are absent take the profile's value.
#[derive(Clone, Debug, Args)]
pub struct MeasureArgs {
    /// Cells to measure, separated by commas; naming one twice shows the machine's noise, and
    /// b-rest@rtt=80ms measures it over a link (also bandwidth=20Mbit/s, rate=5000, rate=50%, calls=8,
    /// tls=on). Default: every cell of the article's table and REST BFF. All: `bookstore-bench cells`.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "CELLS",
        help_heading = "What to measure"
    )]
    pub cells: Vec<String>,
    /// Lines per order in scenario a, separated by commas [default: 2,50].
    #[arg(
        long,
        allow_negative_numbers = true,
        value_delimiter = ',',
        value_name = "LINES",
        help_heading = "What to measure"
    )]
    pub lines: Vec<u32>,

    /// A set of values for the flags below: quick (8 rounds of 1 s after 1 s of warm-up) or article
    /// (10 rounds of 30 s after 5 s).
    #[arg(long, value_enum, default_value_t, help_heading = "How to measure")]
    pub profile: Profile,
    /// Open model: start this many operations per second in every row, whatever the server does,
    /// instead of the closed loop; or with 50% half of what the slowest row of each scenario does in a
    /// closed loop, which is measured before the rounds.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "RATE",
        help_heading = "How to measure"
    )]
    pub rate: Option<OfferedRate>,
    /// How, apart from profile and rate.
    #[command(flatten)]
    pub method: MethodArgs,
}

/// How to measure, in a session and for claims alike.
#[derive(Clone, Debug, Args)]
pub struct MethodArgs {
    /// Virtual users, each with its own connection [default: 20].
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "N",
        help_heading = "How to measure"
    )]
    pub vus: Option<u32>,
    /// Length of the warm-up run before each window, for example 5s; 0s for none [default: 1s;
    /// 5s in the article's times].
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "How to measure")]
    pub warmup: Option<Duration>,
    /// Length of each measured window, for example 2s or 1s500ms [default: 1s; 30s in the article's
    /// times].
    #[arg(long, value_name = "TIME", value_parser = parse_duration, help_heading = "How to measure")]
    pub duration: Option<Duration>,
    /// Rounds; each measures every row once, in a new order; intervals need 6 [default: 8, of
    /// claims 7; 10 in the article's times].
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "N",
        help_heading = "How to measure"
    )]
    pub rounds: Option<u32>,
    /// Seed of the order of runs [default: drawn, and recorded].
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "N",
        help_heading = "How to measure"
    )]
    pub seed: Option<u64>,
    /// Do not measure the first row a second time to find the noise floor.
    #[arg(long, help_heading = "How to measure")]
    pub no_noise_floor: bool,
    /// Differences within this share of 1 are a tie.
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "SHARE",
        default_value_t = 0.05,
        help_heading = "How to measure"
    )]
    pub tie_margin: f64,
    /// Plant a known cost: the server burns this share of its own CPU on top while ROW is measured,
    /// for example L2-a-rest#2=0.15.
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "ROW=SHARE",
        help_heading = "For tests of the method"
    )]
    pub surcharge: Vec<String>,
    /// What drives the load. Figures of different drivers are never to be compared.
    #[arg(long, value_enum, default_value_t, help_heading = "How to measure")]
    pub driver: DriverKind,
    /// The k6 that `--driver k6` runs.
    #[arg(
        long,
        value_name = "EXE",
        default_value = "k6",
        help_heading = "How to measure"
    )]
    pub k6: PathBuf,
    /// Measure a debug build all the same.
    #[arg(long, help_heading = "For tests of the method")]
    pub allow_debug: bool,

    /// Folder for results.json, tables and report [default: results/ and the time of day].
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// When to colour the table.
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Output"
    )]
    pub color: Color,
    /// Show no progress bar.
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,

    /// Worker threads of the server [default: half of the cores, at least 1].
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "N",
        help_heading = "Machine"
    )]
    pub server_workers: Option<u32>,
    /// Worker threads of the load process [default: the other half].
    #[arg(
        long,
        allow_negative_numbers = true,
        value_name = "N",
        help_heading = "Machine"
    )]
    pub load_workers: Option<u32>,
}

/// A named set of defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Profile {
    /// Three to four minutes for all cells.
    #[default]
    Quick,
    /// The article's times: more than an hour for all cells.
    Article,
}

impl Profile {
    /// The profile's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Article => "article",
        }
    }

    /// Length of the warm-up run.
    #[must_use]
    pub fn warmup(self) -> Duration {
        match self {
            Self::Quick => Duration::from_secs(1),
            Self::Article => Duration::from_secs(5),
        }
    }

    /// Length of the measured window.
    #[must_use]
    pub fn duration(self) -> Duration {
        match self {
            Self::Quick => Duration::from_secs(1),
            Self::Article => Duration::from_secs(30),
        }
    }

    /// Rounds.
    #[must_use]
    pub fn rounds(self) -> u32 {
        match self {
            Self::Quick => 8,
            Self::Article => 10,
        }
    }
}
