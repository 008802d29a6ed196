//! One run: a fresh server, a warm-up, and a window between two readings of every clock.

mod server;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use tempfile::TempDir;
use thiserror::Error;

use self::server::{
    TRUSTED, certificate_of, is_about_expenses, sql_use, target_options, token_for, token_scope,
};
use crate::{
    catalogue::Catalogue,
    child::{ChildError, ChildExit, ChildProcess, LastLines},
    driver::{Driver, DriverError, Job},
    gate,
    interrupt::Interrupt,
    meter::{self, Meter, MeterError, Window},
    network::Network,
    options::Options,
    place::PlaceError,
    record::{LinkUse, LoadSummary, Machine, Row, Run, Settings},
    relay::RelayError,
    target::{Quota, QuotaError, Target, TargetError},
};

/// How often a waiting wrapper looks whether it should stop or the server has died.
const POLL: Duration = Duration::from_millis(50);
/// How long a load process may take beyond its duration: to start, connect and finish its last
/// operations, which themselves time out after 10 s.
const GRACE: Duration = Duration::from_secs(20);

/// Makes runs, all in the same manner.
pub struct Runner<'a> {
    options: &'a Options,
    catalogue: &'a Catalogue,
    interrupt: Interrupt,
    /// The session's, and one for each other kind that a row names.
    drivers: Vec<Driver>,
    meter: Box<dyn Meter>,
    executable: PathBuf,
    /// Holds the load summaries, whatever a killed load process leaves of one, and built-in scripts.
    scratch: TempDir,
}

/// Why a run could not be made.
#[derive(Debug, Error)]
pub enum RunError {
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The server failed.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The load process could not be started or watched.
    #[error(transparent)]
    Child(#[from] ChildError),
    /// The load process ended badly.
    #[error("the load process ended with {status}; its last messages:{stderr}")]
    LoadFailed {
        /// Exit code or signal.
        status: std::process::ExitStatus,
        /// Its last messages.
        stderr: LastLines,
    },
    /// The load process did not end.
    #[error(
        "the load process was still running {seconds} s after its start, and was stopped; measure \
         again, with fewer --vus on a machine that is too slow for them"
    )]
    LoadHangs {
        /// Seconds waited.
        seconds: u64,
    },
    /// The link to the server failed.
    #[error("the link between load and server failed: {0}")]
    Link(#[from] RelayError),
    /// The load process left no usable summary.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// The load cannot be put on its CPUs.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The server's CPU time cannot be limited.
    #[error(transparent)]
    Quota(#[from] QuotaError),
    /// A clock could not be read.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// There is no place for load summaries.
    #[error(
        "cannot make a folder for load summaries in {}: {source}; free some space there, or set \
         TMPDIR to another folder", env::temp_dir().display()
    )]
    Scratch {
        /// The system's answer.
        source: io::Error,
    },
    /// The row is not in the catalogue.
    #[error("cell {0:?} is not in the catalogue")]
    Cell(String),
}

impl<'a> Runner<'a> {
    /// A runner for these options.
    ///
    /// # Errors
    /// This executable, which is also the server and the load process, cannot find itself, k6 was asked
    /// for and is none, or there is no room for temporary files.
    pub fn new(
        options: &'a Options,
        catalogue: &'a Catalogue,
        interrupt: Interrupt,
    ) -> Result<Self, RunError> {
        // Before anything is measured, not in its middle.
        if options.rows.iter().any(|row| row.condition.cpus.is_some()) {
            Quota::refusal().map_or(Ok(()), Err)?;
        }
        let scratch = tempfile::Builder::new()
            .prefix("bookstore-bench-")
            .tempdir()
            .map_err(|source| RunError::Scratch { source })?;
        fs::create_dir(scratch.path().join(TRUSTED))
            .map_err(|source| RunError::Scratch { source })?;
        let runner = Self {
            options,
            catalogue,
            interrupt,
            drivers: drivers(options, scratch.path())?,
            meter: meter::system_meter(),
            executable: env::current_exe().map_err(DriverError::OwnPath)?,
            scratch,
        };
        for row in &options.rows {
            runner.driver_of(row).check_trust(row)?;
        }
        Ok(runner)
    }

    /// How CPU time is read here.
    #[must_use]
    pub fn meter(&self) -> &dyn Meter {
        &*self.meter
    }

    /// Starts a server process, with the surcharge and the condition of `row` when it has them.
    ///
    /// # Errors
    /// It does not come up.
    pub fn start_server(&self, row: Option<&Row>) -> Result<Target, TargetError> {
        let mut options = target_options(&self.options.settings, row, self.scratch.path());
        if let Some(place) = row.and_then(|row| row.condition.place) {
            let (server, _) = place.cpus()?;
            options.cpus = Some(server);
        }
        Target::spawn(&self.executable, &options)
    }

    /// Whether a row is about expenses.
    #[must_use]
    pub fn has_expenses(&self) -> bool {
        self.options.rows.iter().any(is_about_expenses)
    }

    /// Starts a server process with generated expenses that asks nobody for a token.
    ///
    /// # Errors
    /// It does not come up.
    pub fn start_household(&self) -> Result<Target, TargetError> {
        let options = target_options(&self.options.settings, None, self.scratch.path());
        Target::spawn(&self.executable, &options.with_expenses())
    }

    /// Measures `row` once.
    ///
    /// # Errors
    /// Server or load process fail, a clock cannot be read, or the user interrupts. Failed operations
    /// are no error here: they are recorded.
    pub fn measure(
        &self,
        row: &Row,
        round: u32,
        slot: u32,
        machine: &Machine,
    ) -> Result<Run, RunError> {
        let quota = row.condition.cpus.map(Quota::new).transpose()?;
        let server = self.start_server(Some(row))?;
        if let (Some(quota), Some(pid)) = (&quota, server.pid()) {
            quota.hold(pid)?;
        }
        let token = token_for(&server, row)?;
        let token = token.as_deref();
        // A sequence warms up by the operations that it drops.
        if self.options.warmup > Duration::ZERO && row.condition.sequence().is_none() {
            self.drive(&server, row, self.options.warmup, token)?;
        }
        let started_at = jiff::Timestamp::now();
        let sql_before = sql_use(&server, row)?;
        let window = Window::open(self.meter(), server.pid())?;
        let duration = row.duration(self.options.duration);
        let (load, exit, link) = self.drive(&server, row, duration, token)?;
        let usage = window.close(self.meter(), &exit)?;
        let sql = sql_use(&server, row)?;
        server.stop()?;
        let mut run = Run {
            row: row.id.clone(),
            round,
            slot,
            started_at,
            load,
            usage,
            link,
            sql: sql.zip(sql_before).map(|(now, before)| now.since(before)),
            gates: Vec::new(),
        };
        let settings = Settings {
            model: row.condition.model(self.options.settings.model),
            vus: row.condition.vus(self.options.settings.vus),
            ..self.options.settings.clone()
        };
        run.gates = gate::gates_of(&run, &settings, machine);
        Ok(run)
    }

    /// Runs the load of `row` for `duration` and returns what it did and what it used.
    fn drive(
        &self,
        server: &Target,
        row: &Row,
        duration: Duration,
        token: Option<&str>,
    ) -> Result<(LoadSummary, ChildExit, Option<LinkUse>), RunError> {
        let cell = self
            .catalogue
            .cell(&row.cell)
            .ok_or_else(|| RunError::Cell(row.cell.clone()))?;
        let network = Network::to(server.http_address(), server.h2c_address(), &row.condition)?;
        let certificate = certificate_of(row, self.scratch.path());
        let job = Job {
            script: cell.program(),
            lines: row.lines,
            calls: row.condition.calls,
            limit: row.condition.limit,
            parts: row.condition.parts,
            token_scope: token_scope(row),
            token,
            vus: row.condition.vus(self.options.settings.vus),
            duration,
            model: row.condition.model(self.options.settings.model),
            http2: row.condition.http2,
            patience_ms: row.condition.patience_ms,
            new_connection: row.condition.new_connection,
            certificate: certificate.as_deref(),
            workers: self.options.settings.load_workers,
            http1: network.http_address(),
            h2c: network.h2c_address(),
        };
        let summary = self.scratch.path().join("summary.json");
        let driver = self.driver_of(row);
        let mut command = driver.command(&job, &summary)?;
        if let Some(place) = row.condition.place {
            let (_, load) = place.cpus()?;
            load.confine(&mut command);
        }
        let load = ChildProcess::spawn("the load process", command)?;
        let exit = self.watch(&load, server, duration + GRACE)?;
        let link = network.close()?;
        if !exit.status.success() {
            return Err(RunError::LoadFailed {
                status: exit.status,
                stderr: load.stderr_tail(),
            });
        }
        Ok((driver.read_summary(&summary)?, exit, link))
    }

    fn driver_of(&self, row: &Row) -> &Driver {
        let kind = row.condition.driver.unwrap_or(self.options.driver);
        let mut drivers = self.drivers.iter();
        drivers
            .find(|driver| driver.kind() == kind)
            .expect("there is a driver for every row of the options")
    }

    /// Waits for the load process, but no longer than `patience`, the server or the user allow. The
    /// load process is killed when this returns early.
    fn watch(
        &self,
        load: &ChildProcess,
        server: &Target,
        patience: Duration,
    ) -> Result<ChildExit, RunError> {
        let begun = Instant::now();
        loop {
            if let Some(exit) = load.wait_for(POLL)? {
                // A server that has died explains what became of its load, and not the reverse.
                server.check_alive()?;
                return Ok(exit);
            }
            if self.interrupt.asked() {
                return Err(RunError::Interrupted);
            }
            server.check_alive()?;
            if begun.elapsed() > patience {
                return Err(RunError::LoadHangs {
                    seconds: patience.as_secs(),
                });
            }
        }
    }
}

/// The driver of the session, and each other one that a row names.
fn drivers(options: &Options, scratch: &Path) -> Result<Vec<Driver>, DriverError> {
    let mut kinds = vec![options.driver];
    for kind in options.rows.iter().filter_map(|row| row.condition.driver) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
        .into_iter()
        .map(|kind| Driver::new(kind, &options.k6, scratch))
        .collect()
}

impl RunError {
    /// Whether the user asked for it.
    #[must_use]
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted)
    }
}
