//! A session under test: its own folder, its own process group, short runs.

use std::{
    fs,
    io::Read as _,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use bookstore_bench::{
    catalogue::Cell,
    record::{LoadSummary, Row, Session},
};
use tempfile::TempDir;

use crate::short::FLAGS;

/// Generous: a test machine may be busy, and nothing here is about speed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A wrapper process and the folder that it writes to.
pub struct Sitting {
    pub process: Child,
    pub out: PathBuf,
    /// Children as they were before the last signal: those of a dead wrapper have another parent.
    children: Vec<i32>,
    /// Removed with the sitting.
    root: Option<TempDir>,
}

/// How a wrapper ended.
pub struct End {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

impl Sitting {
    /// Starts the wrapper with short runs and these further flags.
    pub fn start(flags: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let mut sitting = Self::start_in(&root.path().join("out"), flags);
        sitting.root = Some(root);
        sitting
    }

    /// The same, writing to `out`.
    pub fn start_in(out: &Path, flags: &[&str]) -> Self {
        Self::spawn(wrapper(), out, flags)
    }

    /// The same in another working directory than the top of the repository.
    pub fn start_at(folder: &Path, flags: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let mut wrapper = wrapper();
        wrapper.current_dir(folder);
        let mut sitting = Self::spawn(wrapper, &root.path().join("out"), flags);
        sitting.root = Some(root);
        sitting
    }

    /// The same for claims.
    pub fn claims_in(out: &Path, flags: &[&str]) -> Self {
        let mut wrapper = wrapper();
        wrapper.arg("claims");
        Self::spawn(wrapper, out, flags)
    }

    fn spawn(mut wrapper: Command, out: &Path, flags: &[&str]) -> Self {
        let process = wrapper
            .args(FLAGS)
            .arg("--out")
            .arg(out)
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        Self {
            process,
            out: out.to_owned(),
            children: Vec::new(),
            root: None,
        }
    }

    /// The session as it stands on disk.
    pub fn saved(&self) -> Session {
        Session::read(&self.out.join("results.json")).unwrap()
    }

    /// Waits until this many runs are saved.
    pub fn wait_for_runs(&mut self, runs: usize) {
        self.wait_until(|sitting| {
            Session::read(&sitting.out.join("results.json"))
                .is_ok_and(|session| session.runs.len() >= runs)
        });
    }

    /// Waits until `done`, or fails.
    pub fn wait_until(&mut self, done: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !done(self) {
            assert!(begun.elapsed() < PATIENCE, "it never happened");
            assert!(
                self.process.try_wait().unwrap().is_none(),
                "the wrapper ended early"
            );
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// A child of the wrapper whose command line has this word.
    pub fn child(&self, word: &str) -> Option<i32> {
        processes().into_iter().find_map(|(pid, parent, words)| {
            (parent == self.pid() && words.iter().any(|found| found == word)).then_some(pid)
        })
    }

    /// Sends a signal to the wrapper alone, at a moment when it has children.
    pub fn signal(&mut self, signal: i32) {
        self.wait_until(|sitting| !sitting.running_children().is_empty());
        self.children = self.running_children();
        send(self.pid(), signal);
    }

    fn running_children(&self) -> Vec<i32> {
        processes()
            .into_iter()
            .filter(|(_, parent, _)| *parent == self.pid())
            .map(|(pid, _, _)| pid)
            .collect()
    }

    /// Waits for the end, and checks that the wrapper left no process behind.
    pub fn end(&mut self) -> End {
        let mut children = self.running_children();
        children.append(&mut self.children);
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "the wrapper does not end");
            thread::sleep(Duration::from_millis(5));
        };
        let mut end = End {
            status,
            stdout: String::new(),
            stderr: String::new(),
        };
        self.process
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut end.stdout)
            .unwrap();
        self.process
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut end.stderr)
            .unwrap();
        let begun = Instant::now();
        while children.iter().any(|pid| is_running(*pid)) {
            assert!(
                begun.elapsed() < Duration::from_secs(5),
                "an orphan is left: {children:?}"
            );
            thread::sleep(Duration::from_millis(5));
        }
        end
    }

    fn pid(&self) -> i32 {
        i32::try_from(self.process.id()).unwrap()
    }
}

impl Drop for Sitting {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The executable under test.
pub fn wrapper() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bookstore-bench"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    command
}

/// Sends `signal` to a process that the test started.
pub fn send(pid: i32, signal: i32) {
    // SAFETY: kill takes two numbers and touches no memory.
    let sent = unsafe { libc::kill(pid, signal) };
    assert_eq!(sent, 0, "no process {pid}");
}

/// Pid, parent and command line of every process that can be read.
fn processes() -> Vec<(i32, i32, Vec<String>)> {
    let read = |pid: i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let parent = stat
            .rsplit(')')
            .next()?
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()?;
        let line = fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
        Some((pid, parent, line.split('\0').map(str::to_owned).collect()))
    };
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(read)
        .collect()
}

/// Whether a process runs; one that only waits to be reaped does not.
fn is_running(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        !stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .trim()
            .starts_with('Z')
    })
}

/// Whether every operation made its requests, or, with a cache that keeps answers, some made fewer.
pub fn has_its_requests(row: &Row, load: &LoadSummary) -> bool {
    let most = load.operations * u64::from(row.requests_per_op);
    let keeps_answers = row.condition.server.get("cache-max-age");
    if keeps_answers.is_some_and(|seconds| seconds != "0") {
        load.requests < most
    } else {
        load.requests == most
    }
}

pub fn is_about_expenses(cell: &Cell) -> bool {
    cell.server.contains_key("expenses")
}

/// A cell of expenses as it is asked for where its time does not matter: a few times, few of them, and with a
/// token in one cell alone, since checking a password takes long on purpose.
pub fn shortly(cell: &Cell) -> String {
    let few = format!(
        "{}@sequential=3,drop=1,limit=5,expenses-count=50,expenses-users=5",
        cell.id
    );
    if cell.id == "e-users-rest" {
        few
    } else {
        format!("{few},expenses-tokens=off")
    }
}
