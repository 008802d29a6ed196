//! Validated choices: what the flags and the profile together ask for.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use bookstore_server::domain::Limits;

use crate::{
    catalogue::Catalogue,
    cli::{MeasureArgs, MethodArgs, Profile},
    driver::DriverKind,
    error::UsageError,
    machine,
    rate::OfferedRate,
    record::{LoadModel, Row, Settings},
    rows,
};

/// Everything that a session needs to know before it starts.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to measure.
    pub rows: Vec<Row>,
    /// How to measure, as it will be recorded.
    pub settings: Settings,
    /// Length of the warm-up run.
    pub warmup: Duration,
    /// Length of the measured run.
    pub duration: Duration,
    /// Whether to measure a debug build.
    pub allow_debug: bool,
    /// What drives the load.
    pub driver: DriverKind,
    /// Where k6 is.
    pub k6: PathBuf,
}

impl Options {
    /// Checks the flags and fills the gaps from the profile.
    ///
    /// # Errors
    /// The first flag whose value cannot be used.
    pub fn new(args: &MeasureArgs, catalogue: &Catalogue) -> Result<Self, UsageError> {
        for &lines in &args.lines {
            check_lines(lines)?;
        }
        let floor = !args.method.no_noise_floor;
        let cells = match args.rate {
            Some(OfferedRate::Percent(percent)) => rows::offered(catalogue, &args.cells, percent),
            _ => args.cells.clone(),
        };
        let rows = rows::rows(catalogue, &cells, &args.lines, floor)?;
        let model = match args.rate {
            Some(OfferedRate::PerS(rate_per_s)) => LoadModel::Open { rate_per_s },
            _ => LoadModel::Closed,
        };
        let profile = args.profile;
        Self::for_rows(&args.method, rows, profile, profile.rounds(), model)
    }

    /// Options for these rows, with `rounds` where the flags name none.
    ///
    /// # Errors
    /// The first flag whose value cannot be used.
    pub fn for_rows(
        args: &MethodArgs,
        rows: Vec<Row>,
        profile: Profile,
        rounds: u32,
        model: LoadModel,
    ) -> Result<Self, UsageError> {
        let rows: Vec<Row> = match profile {
            Profile::Quick => rows.into_iter().map(unpaused).collect(),
            Profile::Article => rows,
        };
        let rounds = args.rounds.unwrap_or(rounds);
        in_range("rounds", &rounds, 1..=1_000, "1 to 1000 rounds can be made")?;
        let vus = args.vus.unwrap_or(20);
        in_range(
            "vus",
            &vus,
            1..=10_000,
            "1 to 10000 virtual users can be driven",
        )?;
        let (warmup, duration) = times(args, profile)?;
        in_range(
            "tie-margin",
            &args.tie_margin,
            0.0..=1.0,
            "give a share from 0 to 1",
        )?;
        let (server_workers, load_workers) = workers(args)?;
        if let Some(place) = rows.iter().find_map(|row| row.condition.place) {
            place.cpus()?;
        }
        let seed = args.seed.unwrap_or_else(rand::random);
        let ids: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
        let plain = is_plain(args) && model == LoadModel::Closed;
        let settings = Settings {
            profile: if plain { profile.name() } else { "custom" }.to_owned(),
            vus,
            warmup_s: warmup.as_secs_f64(),
            duration_s: duration.as_secs_f64(),
            rounds,
            model,
            seed,
            order: crate::plan::order(&ids, rounds, seed),
            server_workers,
            load_workers,
            driver: args.driver.name().to_owned(),
            tie_margin: args.tie_margin,
            surcharges: surcharges(&args.surcharge, &ids)?,
        };
        Ok(Self {
            rows,
            settings,
            warmup,
            duration,
            allow_debug: args.allow_debug,
            driver: args.driver,
            k6: args.k6.clone(),
        })
    }
}

/// A row whose sequence goes on at once, unless its id asks for a pause.
fn unpaused(mut row: Row) -> Row {
    let asks = row
        .id
        .split(['@', ','])
        .any(|part| part.starts_with("pause="));
    if row.condition.pause_ms.is_some() && !asks {
        row.condition.pause_ms = Some(0.0);
    }
    row
}

/// Whether the profile's own values are measured.
fn is_plain(args: &MethodArgs) -> bool {
    args.vus.is_none() && args.warmup.is_none() && args.duration.is_none() && args.rounds.is_none()
}

/// Warm-up and window: the profile's unless told otherwise, and not shorter than the driver can make.
fn times(args: &MethodArgs, profile: Profile) -> Result<(Duration, Duration), UsageError> {
    let shortest = args.driver.shortest_run();
    let day = Shown(Duration::from_hours(24));
    let warmup = args.warmup.unwrap_or(profile.warmup());
    if warmup > Duration::ZERO {
        let remedy = "give 0s, or 1s (with --driver load 100ms) to 24h";
        in_range("warmup", &Shown(warmup), Shown(shortest)..=day, remedy)?;
    }
    let duration = args.duration.unwrap_or(profile.duration());
    let remedy = "give 1s (with --driver load 100ms) to 24h";
    in_range("duration", &Shown(duration), Shown(shortest)..=day, remedy)?;
    Ok((warmup, duration))
}

/// The measured server keeps its default limit.
fn check_lines(lines: u32) -> Result<(), UsageError> {
    let most = Limits::default().max_lines;
    let usable = usize::try_from(lines).is_ok_and(|lines| (1..=most).contains(&lines));
    if usable {
        Ok(())
    } else {
        Err(UsageError::Lines { lines, most })
    }
}

/// Half of the cores for the server, the others for the load process, unless told otherwise.
fn workers(args: &MethodArgs) -> Result<(u32, u32), UsageError> {
    let cores = machine::logical_cores();
    let server = args.server_workers.unwrap_or((cores / 2).max(1));
    let load = args.load_workers.unwrap_or((cores - cores / 2).max(1));
    in_range(
        "server-workers",
        &server,
        1..=1024,
        "1 to 1024 threads can be started",
    )?;
    in_range(
        "load-workers",
        &load,
        1..=1024,
        "1 to 1024 threads can be started",
    )?;
    Ok((server, load))
}

/// The planted costs by row, each naming one of `rows`.
pub(crate) fn surcharges(
    values: &[String],
    rows: &[String],
) -> Result<BTreeMap<String, f64>, UsageError> {
    let parse = |value: &String| {
        let (row, share) = value.split_once('=')?;
        let share: f64 = share.parse().ok()?;
        let usable = share > 0.0 && share <= 10.0 && rows.iter().any(|known| known == row);
        usable.then(|| (row.to_owned(), share))
    };
    values
        .iter()
        .map(|value| {
            parse(value).ok_or_else(|| UsageError::Surcharge {
                value: value.clone(),
                rows: rows.join(", "),
                example: rows.last().cloned().unwrap_or_default(),
            })
        })
        .collect()
}

fn in_range<T: PartialOrd + std::fmt::Display>(
    flag: &'static str,
    value: &T,
    range: std::ops::RangeInclusive<T>,
    remedy: &'static str,
) -> Result<(), UsageError> {
    if range.contains(value) {
        Ok(())
    } else {
        Err(UsageError::OutOfRange {
            flag,
            value: value.to_string(),
            remedy,
        })
    }
}

/// A duration as its flag is written.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Shown(Duration);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use clap::Parser as _;

    use super::*;
    use crate::cli::Cli;

    fn options(flags: &[&str]) -> Result<Options, UsageError> {
        let words = ["bookstore-bench"].iter().chain(flags);
        Options::new(
            &Cli::try_parse_from(words).unwrap().measure,
            &Catalogue::built_in(),
        )
    }

    #[test]
    fn a_quick_session_does_not_pause_unless_a_row_asks_for_it() {
        let cells = "e-A-rest,e-A-rest@pause=5s,e-A-rest@limit=10,a-rest";
        let pauses = |profile| -> Vec<Option<f64>> {
            let flags = ["--cells", cells, "--lines", "2", "--profile", profile];
            let rows = options(&flags).unwrap().rows;
            rows.iter().map(|row| row.condition.pause_ms).collect()
        };
        let [none, five] = [None, Some(5_000.0)];
        assert_eq!(pauses("quick"), [none, none, Some(0.0), five, Some(0.0)]);
        let thesis = Some(1_000.0);
        assert_eq!(pauses("article"), [none, none, thesis, five, thesis]);
    }

    #[test]
    fn the_default_is_the_quick_profile_and_the_embedded_runner() {
        let settings = options(&[]).unwrap().settings;
        assert_eq!(settings.driver, "script");
        assert_eq!(settings.profile, "quick");
        assert_eq!((settings.vus, settings.rounds), (20, 8));
        assert_eq!(settings.order.len(), 8);
        assert!(settings.server_workers >= 1 && settings.load_workers >= 1);
    }

    #[test]
    fn the_articles_times_are_a_profile_and_changes_make_it_custom() {
        let article = options(&["--profile", "article"]).unwrap().settings;
        assert_eq!(
            (article.warmup_s, article.duration_s, article.rounds),
            (5.0, 30.0, 10)
        );
        assert_eq!(article.profile, "article");
        assert_eq!(options(&["--vus", "1"]).unwrap().settings.profile, "custom");
    }

    #[test]
    fn a_rate_in_percent_is_that_of_every_row_but_those_that_have_their_own() {
        let cells = "a-rest,a-grpc@rate=500,b-rest@rtt=20ms,e-A-rest@pause=5s";
        let flags = [
            "--lines",
            "2",
            "--rate",
            "50%",
            "--no-noise-floor",
            "--cells",
            cells,
        ];
        let options = options(&flags).unwrap();
        let ids: Vec<&str> = options.rows.iter().map(|row| &*row.id).collect();
        assert_eq!(
            ids,
            [
                "L2-a-rest@rate=50%",
                "L2-a-grpc@rate=500",
                "b-rest@rate=50%,rtt=20ms",
                "e-A-rest@pause=5000ms"
            ]
        );
        assert_eq!(options.settings.model, LoadModel::Closed);
        assert_eq!(options.rows[0].condition.rate_percent, Some(50.0));
        let defaults = self::options(&["--rate", "25%"]).unwrap().rows;
        assert!(
            defaults
                .iter()
                .all(|row| row.condition.rate_percent == Some(25.0))
        );
    }

    #[test]
    fn unusable_values_name_flag_value_and_remedy() {
        for (flags, message) in [
            (
                ["--rounds", "0"],
                "--rounds 0 cannot be used; 1 to 1000 rounds can be made",
            ),
            (
                ["--vus", "0"],
                "--vus 0 cannot be used; 1 to 10000 virtual users can be driven",
            ),
            (
                ["--duration", "1ms"],
                "--duration 1ms cannot be used; give 1s (with --driver load 100ms) to 24h",
            ),
            (
                ["--lines", "0"],
                "--lines 0 cannot be used; the server takes orders of 1 to 5000 lines",
            ),
            (
                ["--lines", "5001"],
                "--lines 5001 cannot be used; the server takes orders of 1 to 5000 lines",
            ),
            (
                ["--tie-margin", "-0.1"],
                "--tie-margin -0.1 cannot be used; give a share from 0 to 1",
            ),
        ] {
            assert_eq!(options(&flags).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn scripts_make_no_run_shorter_than_a_second() {
        for driver in ["script", "k6"] {
            let with = |flags: [&str; 2]| options(&[&["--driver", driver], &flags[..]].concat());
            assert!(with(["--duration", "900ms"]).is_err());
            assert!(with(["--warmup", "300ms"]).is_err());
            assert!(with(["--warmup", "0s"]).is_ok());
            assert!(with(["--duration", "1s"]).is_ok());
        }
        assert!(options(&["--driver", "load", "--duration", "100ms"]).is_ok());
    }

    #[test]
    fn a_surcharge_names_a_row_of_the_session() {
        let flags = ["--cells", "a-rest,a-rest", "--lines", "2", "--surcharge"];
        let planted = options(&[&flags[..], &["L2-a-rest#2=0.15"]].concat()).unwrap();
        assert_eq!(planted.settings.surcharges.get("L2-a-rest#2"), Some(&0.15));
        for bad in [
            "L2-a-rest#3=0.15",
            "L2-a-rest#2",
            "L2-a-rest#2=x",
            "L2-a-rest#2=-1",
        ] {
            let error = options(&[&flags[..], &[bad]].concat()).unwrap_err();
            assert!(
                error.to_string().contains("L2-a-rest, L2-a-rest#2"),
                "{error}"
            );
        }
    }
}
