//! The embedded runner with many virtual users: start, memory, and CPU per operation.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, ensure};
use bookstore_bench::stats::median;

use crate::{
    child,
    cli::Limits,
    files,
    goals::{self, Goal},
    load::{Driver, Engine, Length},
    programs::Programs,
    progress::say,
    row::Row,
    runner::per_operation,
    server::Server,
    words,
};

/// Virtual users that are looked at.
const COUNTS: [u32; 2] = [1_000, 10_000];
/// The count that there are goals for, and the only one of a quick look.
const WITH_GOALS: u32 = COUNTS[0];
/// Operations of each virtual user in the shorter of the two runs whose difference is the cost of
/// operations. One could be done by a few of them, before the others have a connection.
const SHORT_RUN: u32 = 2;
/// Operations of each that the longer run has more, and those of all of them at least.
const MORE: (u32, u32) = (10, 50_000);
/// How often cost and start are measured; the median counts.
const REPEATS: usize = 3;

/// The runner at one number of virtual users.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    pub vus: u32,
    /// From the start of the process until all are ready, in seconds.
    pub ready_s: f64,
    /// Memory of each that is ready, in KB (1,000 bytes): PSS.
    pub ready_kb_per_vu: f64,
    /// Highest memory of each that worked, samples and connection included, in KB: RSS.
    pub peak_kb_per_vu: f64,
    /// The runner's CPU, in µs per operation.
    pub runner_us_per_op: f64,
    /// That of the load process with as many virtual users.
    pub load_us_per_op: f64,
}

/// What was found at one number of virtual users.
pub enum Look {
    /// The figures.
    Taken(Crowd),
    /// Why there are none.
    Refused { vus: u32, reason: String },
}

/// Measures the runner with the script of a row, which must be of HTTP/1.1.
pub fn measure(programs: &Programs, options: &Limits, row: &Row) -> anyhow::Result<Vec<Look>> {
    let bench = programs.bench()?;
    files::raise_limit();
    let server = Server::target(&bench, options.workers, None)?;
    let url = server.url(row.protocol())?;
    let one = started(&bench, row, url, 1)?;
    let look = |vus| match refusal(options, vus) {
        Some(reason) => Ok(Look::Refused { vus, reason }),
        None => crowd(&bench, row, url, vus, &one).map(Look::Taken),
    };
    let looks = COUNTS
        .into_iter()
        .map(look)
        .collect::<anyhow::Result<_>>()?;
    server.stop()?;
    Ok(looks)
}

/// Why so many virtual users are not looked at, if that is so.
fn refusal(options: &Limits, vus: u32) -> Option<String> {
    if options.quick && vus != WITH_GOALS {
        return Some("run without --quick".to_owned());
    }
    files::too_few_for(vus)
}

fn crowd(bench: &Path, row: &Row, url: &str, vus: u32, one: &Start) -> anyhow::Result<Crowd> {
    let starts = (0..REPEATS)
        .map(|_| started(bench, row, url, vus))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let of = |value: &dyn Fn(&Start) -> f64| {
        let values: Vec<f64> = starts.iter().map(value).collect();
        median(&values).unwrap_or_default()
    };
    let crowd = Crowd {
        vus,
        ready_s: of(&|start| start.ready.as_secs_f64()),
        ready_kb_per_vu: of(&|start| kb_per_vu(start.ready_bytes, one.ready_bytes, vus)),
        peak_kb_per_vu: of(&|start| kb_per_vu(start.peak_bytes, one.peak_bytes, vus)),
        runner_us_per_op: cost(bench, Engine::Script, row, url, vus)?,
        load_us_per_op: cost(bench, Engine::Load, row, url, vus)?,
    };
    say(&format!(
        "{vus} virtual users: ready after {:.2} s, {:.0} KB each; runner {:.2} µs, load {:.2} µs",
        crowd.ready_s, crowd.ready_kb_per_vu, crowd.runner_us_per_op, crowd.load_us_per_op
    ));
    Ok(crowd)
}

/// What was found as rows of a table: figures, goals and verdicts.
pub fn table_rows(look: &Look) -> Vec<Vec<String>> {
    match look {
        Look::Taken(crowd) => crowd_rows(crowd),
        Look::Refused { vus, reason } => vec![vec![
            format!("{vus} VUs"),
            "-".to_owned(),
            "-".to_owned(),
            words::not_measured(reason),
        ]],
    }
}

fn crowd_rows(crowd: &Crowd) -> Vec<Vec<String>> {
    let has_goals = crowd.vus == WITH_GOALS;
    [
        ("ready after (s)", crowd.ready_s, 2, Some(goals::READY_S)),
        (
            "memory of each when ready (KB)",
            crowd.ready_kb_per_vu,
            0,
            Some(goals::KB_PER_VU),
        ),
        (
            "highest memory of each at work (KB)",
            crowd.peak_kb_per_vu,
            0,
            None,
        ),
        ("runner (µs/op)", crowd.runner_us_per_op, 2, None),
        ("load (µs/op)", crowd.load_us_per_op, 2, None),
    ]
    .into_iter()
    .map(|(what, value, decimals, goal)| {
        let goal = goal.filter(|_| has_goals);
        vec![
            format!("{} VUs: {what}", crowd.vus),
            format!("{value:.decimals$}"),
            goal.map_or_else(|| "-".to_owned(), Goal::words),
            goal.map_or("-", |goal| goal.verdict(value)).to_owned(),
        ]
    })
    .collect()
}

/// How one start went.
struct Start {
    ready: Duration,
    ready_bytes: u64,
    peak_bytes: u64,
}

/// Starts the runner, waits until `setup` runs, which is when all virtual users are ready, and lets
/// them work for a second.
fn started(bench: &Path, row: &Row, url: &str, vus: u32) -> anyhow::Result<Start> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let script = folder.path().join("ready.js");
    let name = row.cell.program();
    let measured = Path::new(name)
        .canonicalize()
        .with_context(|| format!("cannot find {name}"))?;
    fs::write(&script, ready_script(&measured)).context("cannot write a script")?;
    let mut command = Command::new(bench);
    command
        .args(["script", "run", "--quiet", "--workers", "1"])
        .args(["--vus", &vus.to_string(), "--duration", "1s"])
        .args(["--summary-mode", "disabled"])
        .args(["-e", &format!("BASE_URL={url}")])
        .arg(&script)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let began = Instant::now();
    let mut process = command.spawn().context("cannot start the runner")?;
    let log = process.stderr.take().context("no standard error")?;
    let mut lines = BufReader::new(log).lines().map_while(Result::ok);
    let mut said = Vec::new();
    let is_ready = lines.by_ref().any(|line| {
        let is_ready = line.contains(READY);
        said.push(line);
        is_ready
    });
    let ready = began.elapsed();
    // It sleeps in `setup` now.
    let ready_bytes = if is_ready {
        proportional_bytes(process.id())
    } else {
        Err(anyhow!("it was never ready"))
    };
    said.extend(lines);
    let (status, usage) = child::wait(process.id())?;
    ensure!(
        status.success(),
        "the runner failed with {vus} virtual users ({status}):\n{}",
        said.join("\n")
    );
    Ok(Start {
        ready,
        ready_bytes: ready_bytes?,
        peak_bytes: usage.peak_bytes,
    })
}

/// What `setup` says.
const READY: &str = "all virtual users are ready";

/// A script that does what another does, and says when its virtual users are ready.
fn ready_script(measured: &Path) -> String {
    format!(
        "import {{ sleep }} from 'k6';\n\
         export {{ default }} from '{}';\n\
         export function setup() {{ console.log('{READY}'); sleep(1); }}\n",
        measured.display()
    )
}

/// Memory of a process, shared pages by its part of them.
fn proportional_bytes(pid: u32) -> anyhow::Result<u64> {
    let file = format!("/proc/{pid}/smaps_rollup");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {file}"))?;
    kibibytes(&text, "Pss:").ok_or_else(|| anyhow!("{file} has no line Pss"))
}

/// The value of a line `KEY    N kB`, in bytes.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let count: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(count * 1024)
}

fn kb_per_vu(bytes: u64, bytes_of_one: u64, vus: u32) -> f64 {
    (bytes as f64 - bytes_of_one as f64) / 1e3 / f64::from(vus - 1)
}

/// Median CPU per operation, in µs, from the difference of a shorter and a longer run.
fn cost(bench: &Path, engine: Engine, row: &Row, url: &str, vus: u32) -> anyhow::Result<f64> {
    let driver = Driver {
        bench,
        engine,
        workers: Some(1),
    };
    let run = |operations| -> anyhow::Result<(u64, Duration)> {
        let loaded = driver.drive(row, url, vus, Length::Operations(operations))?;
        Ok((loaded.summary.operations, loaded.cpu))
    };
    let (short, long) = operations(vus);
    let costs = (0..REPEATS)
        .map(|_| {
            per_operation(run(short)?, run(long)?).ok_or_else(|| {
                anyhow!(
                    "{engine:?}, {vus} virtual users: {long} operations took no more CPU time \
                     than {short}"
                )
            })
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    median(&costs).context("nothing was measured")
}

/// Operations of the shorter and of the longer run.
fn operations(vus: u32) -> (u32, u32) {
    let short = SHORT_RUN * vus;
    let (of_each, of_all) = MORE;
    (short, short + (of_each * vus).max(of_all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_each_further_virtual_user() {
        let kb = kb_per_vu(30_000_000 + 999 * 250_000, 30_000_000, 1_000);
        assert!((kb - 250.0).abs() < 1e-9, "{kb}");
        let text = "Rss:  9 kB\nPss:                 12 kB\nPss_Dirty:  3 kB\n";
        assert_eq!(kibibytes(text, "Pss:"), Some(12 * 1024));
        assert_eq!(kibibytes("", "Pss:"), None);
    }

    #[test]
    fn only_a_thousand_virtual_users_have_goals() {
        let crowd = |vus| Crowd {
            vus,
            ready_s: 2.5,
            ready_kb_per_vu: 250.4,
            peak_kb_per_vu: 400.0,
            runner_us_per_op: 20.0,
            load_us_per_op: 15.0,
        };
        let rows = table_rows(&Look::Taken(crowd(1_000)));
        assert_eq!(
            rows[0],
            ["1000 VUs: ready after (s)", "2.50", "2", "missed"]
        );
        assert_eq!(rows[1][1..], ["250", "300", "reached"]);
        assert_eq!(rows[3][1..], ["20.00", "-", "-"]);
        let rows = table_rows(&Look::Taken(crowd(10_000)));
        assert!(rows.iter().all(|row| row[3] == "-"));
    }

    #[test]
    fn a_count_that_was_not_measured_says_why() {
        let look = Look::Refused {
            vus: 10_000,
            reason: "too few files".to_owned(),
        };
        assert_eq!(
            table_rows(&look),
            [["10000 VUs", "-", "-", "not measured: too few files"]]
        );
    }

    #[test]
    fn every_virtual_user_has_some_operations_in_both_runs() {
        assert_eq!(operations(1_000), (2_000, 52_000));
        assert_eq!(operations(10_000), (20_000, 120_000));
    }

    #[test]
    fn the_script_imports_what_is_measured() {
        let script = ready_script(Path::new("/suite/a-rest.js"));
        assert!(
            script.contains("export { default } from '/suite/a-rest.js'"),
            "{script}"
        );
    }
}
