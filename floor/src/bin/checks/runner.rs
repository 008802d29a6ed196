//! The embedded runner's own CPU against that of the load process and of oha, for the same cell and
//! the same server.
//!
//! A generator's CPU is that of its whole process. What it takes to start and to end is no part of
//! an operation: a second, short run is subtracted, in which it is the same.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{anyhow, ensure};
use bookstore_bench::record::LoadSummary;
use floor::RecordedRequest;

use crate::{
    cli::Limits,
    clients,
    goals::{self, Goal},
    load::{Driver, Engine, Length},
    oha, order,
    programs::Programs,
    progress::say,
    ratio::Pairs,
    row::Row,
    server::Server,
    time::in_order,
};

/// Operations of the run that is subtracted: some for every virtual user.
const SHORT_RUN: u32 = 100;

/// How long things take.
#[derive(Clone, Copy)]
pub struct Lengths {
    pub rounds: u32,
    /// The measured run.
    pub run: Length,
    pub warmup_ms: u32,
}

/// Operations of a measured run when it must be quick: scripts cannot run for less than a second.
const QUICK_RUN: u32 = 4_000;

impl Lengths {
    /// Those of the options, or short ones.
    pub fn of(options: &Limits) -> Self {
        if options.quick {
            Self {
                rounds: 6,
                run: Length::Operations(QUICK_RUN),
                warmup_ms: 100,
            }
        } else {
            Self {
                rounds: options.rounds,
                run: Length::Millis(options.duration_ms),
                warmup_ms: options.warmup_ms,
            }
        }
    }
}

/// Whom the runner is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rival {
    Load,
    Oha,
}

impl Rival {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Oha => "oha",
        }
    }
}

/// Client CPU of one row, in µs per operation.
pub struct RunnerTimes {
    pub row: Row,
    pub rival: Rival,
    pub goal: Goal,
    pub us_per_op: Pairs,
    /// Why the rival was not measured.
    pub missing: Option<String>,
}

/// Comparisons that there are goals for, of the rows given; that with oha last.
fn comparisons(rows: &[Row]) -> Vec<RunnerTimes> {
    let goals = goals::RUNNER.into_iter().map(|goal| (Rival::Load, goal));
    goals
        .chain([(Rival::Oha, goals::OHA)])
        .filter_map(|(rival, (id, goal))| {
            let row = rows.iter().find(|row| row.id == id)?.clone();
            Some(RunnerTimes {
                row,
                rival,
                goal,
                us_per_op: Pairs::default(),
                missing: None,
            })
        })
        .collect()
}

/// Looks for oha when it is wanted. Without it, its comparison leaves the list and tells why.
fn look_for_oha(
    times: &mut Vec<RunnerTimes>,
    find: impl FnOnce() -> Result<PathBuf, String>,
) -> (Option<PathBuf>, Option<RunnerTimes>) {
    let Some(with_oha) = times.pop_if(|times| times.rival == Rival::Oha) else {
        return (None, None);
    };
    match find() {
        Ok(program) => {
            times.push(with_oha);
            (Some(program), None)
        }
        Err(reason) => {
            let missing = RunnerTimes {
                missing: Some(reason),
                ..with_oha
            };
            (None, Some(missing))
        }
    }
}

/// Compares all rows that have a goal, in interleaved rounds, each pair against a fresh server.
pub fn measure(
    programs: &Programs,
    options: &Limits,
    rows: &[Row],
) -> anyhow::Result<Vec<RunnerTimes>> {
    let bench = programs.bench()?;
    let lengths = Lengths::of(options);
    let mut times = comparisons(rows);
    ensure!(
        !times.is_empty(),
        "the runner has no goal for any of these cells"
    );
    let (oha, missing) = look_for_oha(&mut times, || oha::find(!options.quick));
    let requests = times
        .iter()
        .map(|times| match times.rival {
            Rival::Load => Ok(None),
            Rival::Oha => clients::record(&bench, &times.row).map(Some),
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let plan = order::rounds(times.len(), lengths.rounds, options.seed);
    for (round, turns) in plan.iter().enumerate() {
        for turn in turns {
            let pair = Pair {
                bench: &bench,
                oha: oha.as_deref(),
                row: times[turn.row].row.clone(),
                request: requests[turn.row].as_ref(),
                vus: options.vus,
                server_workers: options.workers,
                lengths,
            };
            let (ours, theirs) = pair.measure(turn.ours_first)?;
            let times = &mut times[turn.row];
            say(&format!(
                "round {} of {}: {:<13} runner {ours:7.2} µs, {} {theirs:7.2} µs",
                round + 1,
                lengths.rounds,
                times.row.id,
                times.rival.name(),
            ));
            times.us_per_op.push(ours, theirs);
        }
    }
    times.extend(missing);
    Ok(times)
}

/// The runner and a rival, one after the other.
struct Pair<'a> {
    bench: &'a Path,
    oha: Option<&'a Path>,
    row: Row,
    /// What oha repeats; absent against `load`.
    request: Option<&'a RecordedRequest>,
    vus: u32,
    server_workers: u16,
    lengths: Lengths,
}

impl Pair<'_> {
    fn measure(&self, ours_first: bool) -> anyhow::Result<(f64, f64)> {
        let server = Server::target(self.bench, self.server_workers, None)?;
        let url = server.url(self.row.protocol())?;
        let warmup = Length::Millis(self.lengths.warmup_ms);
        self.driver(Engine::Load)
            .drive(&self.row, url, self.vus, warmup)?;
        let ours = || self.driven(Engine::Script, url);
        let theirs = || match self.request.zip(self.oha) {
            Some((request, oha)) => {
                let us_per_op = without_start(self.lengths.run, |length| {
                    let run = oha::drive(oha, url, request, self.vus, length)?;
                    Ok((run.operations, run.cpu))
                })?;
                Ok((us_per_op, None))
            }
            None => self.driven(Engine::Load, url),
        };
        let ((ours, our_summary), (theirs, their_summary)) = in_order(ours_first, ours, theirs)?;
        server.stop()?;
        if let Some((ours, theirs)) = our_summary.zip(their_summary) {
            same_wire(&self.row, &ours, &theirs)?;
        }
        Ok((ours, theirs))
    }

    /// µs per operation of one of our engines, and what its longer run did.
    fn driven(&self, engine: Engine, url: &str) -> anyhow::Result<(f64, Option<LoadSummary>)> {
        let mut last = None;
        let us_per_op = without_start(self.lengths.run, |length| {
            let loaded = (self.driver(engine)).drive(&self.row, url, self.vus, length)?;
            let operations = loaded.summary.operations;
            last = Some(loaded.summary);
            Ok((operations, loaded.cpu))
        })?;
        Ok((us_per_op, last))
    }

    fn driver(&self, engine: Engine) -> Driver<'_> {
        Driver {
            bench: self.bench,
            engine,
            workers: Some(1),
        }
    }
}

/// CPU per operation, in µs, of a run of that length after a short run; see [`per_operation`].
pub fn without_start(
    length: Length,
    mut run: impl FnMut(Length) -> anyhow::Result<(u64, Duration)>,
) -> anyhow::Result<f64> {
    let short = run(Length::Operations(SHORT_RUN))?;
    let long = run(length)?;
    per_operation(short, long).ok_or_else(|| {
        anyhow!(
            "a run of {} operations took {:?} of CPU time, one of {} took {:?}: nothing can be \
             said of an operation; make runs longer with --duration-ms",
            short.0,
            short.1,
            long.0,
            long.1
        )
    })
}

/// What one operation takes, in µs, from the operations and the CPU time of a short and a long run:
/// start and end are in both and cancel.
pub fn per_operation(short: (u64, Duration), long: (u64, Duration)) -> Option<f64> {
    let operations = long.0.checked_sub(short.0).filter(|&count| count > 0)?;
    let cpu = long.1.checked_sub(short.1).filter(|cpu| !cpu.is_zero())?;
    Some(cpu.as_secs_f64() * 1e6 / operations as f64)
}

/// Fails when the two do not send and receive the same. Two percent are left for HTTP/2, whose
/// headers are compressed, and for the openings of connections.
fn same_wire(row: &Row, ours: &LoadSummary, theirs: &LoadSummary) -> anyhow::Result<()> {
    let per_op = |summary: &LoadSummary, count: u64| count as f64 / summary.operations as f64;
    for (what, our_count, their_count) in [
        ("requests", ours.requests, theirs.requests),
        ("bytes sent", ours.sent_bytes, theirs.sent_bytes),
        ("bytes received", ours.received_bytes, theirs.received_bytes),
    ] {
        let (ours, theirs) = (per_op(ours, our_count), per_op(theirs, their_count));
        ensure!(
            (ours - theirs).abs() <= 0.02 * theirs,
            "{}: the runner has {ours:.2} {what} per operation, load {theirs:.2}; the comparison \
             would mean nothing",
            row.id
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bookstore_bench::catalogue::Catalogue;

    use super::*;
    use crate::{load::tests::summary, row};

    #[test]
    fn what_both_runs_share_cancels() {
        let ms = Duration::from_millis;
        // 30 ms to start and end, 20 µs an operation.
        let us_per_op = per_operation((100, ms(32)), (50_100, ms(1032))).unwrap();
        assert!((us_per_op - 20.0).abs() < 1e-9, "{us_per_op}");
        assert_eq!(per_operation((100, ms(1)), (100, ms(2))), None);
        assert_eq!(per_operation((100, ms(2)), (200, ms(2))), None);
        assert_eq!(per_operation((100, ms(2)), (50, ms(3))), None);
    }

    #[test]
    fn the_short_run_comes_first_and_a_useless_pair_is_refused() {
        let mut lengths = Vec::new();
        let mut run = |length| {
            let count = match length {
                Length::Operations(count) => u64::from(count),
                Length::Millis(_) => 1_100,
            };
            lengths.push(count);
            Ok((count, Duration::from_micros(500 + 10 * count)))
        };
        let us_per_op = without_start(Length::Millis(1), &mut run).unwrap();
        assert!((us_per_op - 10.0).abs() < 1e-9, "{us_per_op}");
        assert_eq!(lengths, [100, 1_100]);
        let error = without_start(Length::Millis(1), |_| Ok((5, Duration::ZERO))).unwrap_err();
        assert!(error.to_string().contains("--duration-ms"), "{error}");
    }

    fn names(times: &[RunnerTimes]) -> Vec<String> {
        times
            .iter()
            .map(|times| format!("{}, {}", times.row.id, times.rival.name()))
            .collect()
    }

    #[test]
    fn every_row_with_a_goal_is_compared() {
        let rows = row::rows(&Catalogue::built_in(), &[]).unwrap();
        assert_eq!(
            names(&comparisons(&rows)),
            [
                "L2-a-rest, load",
                "L2-a-grpc, load",
                "L50-a-grpc, load",
                "b-rest, load",
                "b-grpcweb, load",
                "b-graphql, load",
                "L2-a-rest, oha",
            ]
        );
        let one = row::rows(&Catalogue::built_in(), &["b-rest".to_owned()]).unwrap();
        assert_eq!(names(&comparisons(&one)), ["b-rest, load"]);
    }

    #[test]
    fn a_missing_oha_is_a_row_that_says_so() {
        let rows = row::rows(&Catalogue::built_in(), &[]).unwrap();
        let mut times = comparisons(&rows);
        let (program, missing) = look_for_oha(&mut times, || Ok("there/oha".into()));
        assert_eq!(program, Some("there/oha".into()));
        assert!(missing.is_none() && times.len() == 7);
        let (program, missing) = look_for_oha(&mut times, || Err("no network".to_owned()));
        let missing = missing.unwrap();
        assert_eq!(missing.missing.as_deref(), Some("no network"));
        assert_eq!((program, missing.rival), (None, Rival::Oha));
        assert_eq!(times.len(), 6);
        let not_wanted = look_for_oha(&mut times, || panic!("nobody wants oha"));
        assert!(not_wanted.0.is_none() && not_wanted.1.is_none());
    }

    #[test]
    fn a_runner_that_sends_something_else_is_refused() {
        let row = &row::rows(&Catalogue::built_in(), &["b-rest".to_owned()]).unwrap()[0];
        let (mut ours, mut theirs) = (summary(100, 0), summary(1_000, 0));
        (ours.sent_bytes, theirs.sent_bytes) = (10_100, 100_000);
        same_wire(row, &ours, &theirs).unwrap();
        ours.sent_bytes = 10_300;
        let error = same_wire(row, &ours, &theirs).unwrap_err();
        assert!(error.to_string().contains("bytes sent"), "{error}");
    }
}
