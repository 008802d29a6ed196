//! The command `drivers`: the server's CPU per operation at the same rate under the embedded runner
//! and under the compiled clients. A driver decides in how large portions requests arrive, which moves
//! the server's figure; this shows how far.

use std::{collections::BTreeMap, path::Path, process::Command};

use anyhow::{Context, ensure};
use bookstore_bench::record::{Engine, Gate, Session};

use crate::{
    cli::Drivers, order, process, programs::Programs, progress::say, ratio::Pairs, table::Table,
    time::in_order, words,
};

/// One session of one round.
struct Sitting {
    engine: Engine,
    /// Server CPU by row, in µs per operation, in the order of the table.
    us_per_op: Vec<(String, f64)>,
    /// Runs that dropped iterations. Late starts are passed over: only `load` counts them.
    off_rate: usize,
}

/// What all rounds came to.
#[derive(Default)]
struct Outcome {
    rows: BTreeMap<usize, (String, Pairs)>,
    off_rate: [usize; 2],
    runs: usize,
}

/// Measures the rounds, one session of each driver in turn, and prints both figures of every row.
pub fn run(programs: &Programs, options: &Drivers) -> anyhow::Result<()> {
    let bench = programs.bench()?;
    let mut outcome = Outcome::default();
    let mut engines = None;
    for (round, turns) in (1..).zip(order::rounds(1, options.rounds, options.seed)) {
        let session = |driver| {
            sit(&bench, driver, round, options)
                .with_context(|| format!("round {round} with --driver {driver}"))
        };
        let script_first = turns.first().is_some_and(|turn| turn.ours_first);
        let (script, load) = in_order(script_first, || session("script"), || session("load"))?;
        say(&format!("round {round} of {}", options.rounds));
        outcome.add(&script, &load)?;
        engines = Some((script.engine, load.engine));
    }
    if let Some((script, load)) = engines {
        println!(
            "Server CPU per operation at {} operations per second: {script} against {load}.\n",
            options.rate
        );
    }
    println!("{}", table(&outcome).render(options.markdown));
    for (driver, off_rate) in ["script", "load"].into_iter().zip(outcome.off_rate) {
        if off_rate > 0 {
            println!(
                "{off_rate} of {} runs of {driver} did not keep the rate; give a lower --rate",
                outcome.runs
            );
        }
    }
    Ok(())
}

fn sit(bench: &Path, driver: &str, round: u32, options: &Drivers) -> anyhow::Result<Sitting> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let out = folder.path().join("session");
    let mut command = Command::new(bench);
    command.args(arguments(driver, round, options)).arg("--out");
    process::run(command.arg(&out))?;
    read(&Session::read(&out.join("results.json"))?)
}

/// Both sessions of a round run their rows in the same order.
fn arguments(driver: &str, round: u32, options: &Drivers) -> Vec<String> {
    let seed = options.seed.wrapping_add(round.into());
    let mut arguments = vec![
        "--driver".to_owned(),
        driver.to_owned(),
        "--rate".to_owned(),
        options.rate.to_string(),
        "--seed".to_owned(),
        seed.to_string(),
    ];
    let times = format!(
        "--rounds 1 --no-noise-floor --no-progress --warmup {}ms --duration {}ms --vus {} \
         --server-workers {workers} --load-workers {workers}",
        options.warmup_ms,
        options.duration_ms,
        options.vus,
        workers = options.workers
    );
    arguments.extend(times.split(' ').map(str::to_owned));
    if !options.cells.is_empty() {
        arguments.extend(["--cells".to_owned(), options.cells.join(",")]);
    }
    if options.allow_debug {
        arguments.push("--allow-debug".to_owned());
    }
    arguments
}

fn read(session: &Session) -> anyhow::Result<Sitting> {
    let first = session.runs.first().context("nothing was measured")?;
    let us_per_op = session.rows.iter().map(|row| {
        let run = session.runs.iter().find(|run| run.row == row.id);
        let figure = run.and_then(bookstore_bench::record::Run::server_cpu_us_per_op);
        let figure = figure.with_context(|| format!("{} has no figure", row.id))?;
        Ok((row.id.clone(), figure))
    });
    let dropping = |gate: &Gate| matches!(gate, Gate::DroppedIterations { .. });
    let off_rate = session
        .runs
        .iter()
        .filter(|run| run.gates.iter().any(dropping));
    Ok(Sitting {
        engine: first.load.engine.clone(),
        us_per_op: us_per_op.collect::<anyhow::Result<_>>()?,
        off_rate: off_rate.count(),
    })
}

impl Outcome {
    fn add(&mut self, script: &Sitting, load: &Sitting) -> anyhow::Result<()> {
        ensure!(
            script.engine.workers == load.engine.workers,
            "{} and {} cannot be compared: the number of workers differs",
            script.engine,
            load.engine
        );
        let pairs = script.us_per_op.iter().zip(&load.us_per_op);
        for (place, ((row, script), (_, load))) in pairs.enumerate() {
            let (_, pairs) = self
                .rows
                .entry(place)
                .or_insert_with(|| (row.clone(), Pairs::default()));
            pairs.push(*script, *load);
        }
        self.off_rate[0] += script.off_rate;
        self.off_rate[1] += load.off_rate;
        self.runs += script.us_per_op.len();
        Ok(())
    }
}

fn table(outcome: &Outcome) -> Table {
    let mut table = Table::new(&[
        "cell",
        "under script (µs/op)",
        "under load (µs/op)",
        "ratio (95 % interval)",
    ]);
    for (row, pairs) in outcome.rows.values() {
        table.push(vec![
            row.clone(),
            words::figure(pairs.our_median()),
            words::figure(pairs.their_median()),
            pairs.ratio().map_or_else(|| "-".to_owned(), words::ratio),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use clap::Parser;

    use super::*;
    use crate::cli::{Checks, Command as Subcommand};

    fn options(flags: &[&str]) -> Drivers {
        let words = [&["checks", "drivers"][..], flags].concat();
        match Checks::try_parse_from(words).unwrap().command {
            Subcommand::Drivers(options) => options,
            _ => panic!("another command"),
        }
    }

    fn sitting(name: &str, workers: u32, us_per_op: f64) -> Sitting {
        Sitting {
            engine: Engine {
                name: name.to_owned(),
                version: "0".to_owned(),
                workers: Some(workers),
            },
            us_per_op: vec![("b-rest".to_owned(), us_per_op)],
            off_rate: 0,
        }
    }

    #[test]
    fn both_sessions_of_a_round_differ_in_the_driver_alone() {
        let options = options(&["--cells", "a-rest,b-grpc", "--rate", "500"]);
        let line = |driver| arguments(driver, 3, &options).join(" ");
        assert_eq!(
            line("script").replace("--driver script", "--driver load"),
            line("load")
        );
        let script = line("script");
        for part in ["--rate 500 --seed 4", "--rounds 1", "--cells a-rest,b-grpc"] {
            assert!(script.contains(part), "{script}");
        }
        assert_ne!(
            arguments("load", 4, &options),
            arguments("load", 3, &options)
        );
    }

    #[test]
    fn a_row_shows_both_medians_and_the_interval_of_their_ratio() {
        let mut outcome = Outcome::default();
        for _ in 0..6 {
            let (script, load) = (sitting("script", 1, 12.0), sitting("load", 1, 10.0));
            outcome.add(&script, &load).unwrap();
        }
        let table = table(&outcome).render(true);
        assert!(
            table.ends_with("| b-rest | 12.00 | 10.00 | 1.20 (1.20 to 1.20) |\n"),
            "{table}"
        );
    }

    #[test]
    fn other_worker_counts_are_not_compared() {
        let (script, load) = (sitting("script", 1, 12.0), sitting("load", 2, 10.0));
        let error = Outcome::default().add(&script, &load).unwrap_err();
        assert!(error.to_string().contains("workers differs"), "{error}");
    }
}
