//! One run: a fresh server, a warm-up, and a window between two readings of every clock.

use std::{
    env,
    path::PathBuf,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use jiff::SignedDuration;
use thiserror::Error;

use crate::{
    catalogue::Catalogue,
    child::{Child, ChildError},
    driver::{Driver, DriverError, Job},
    gate,
    interrupt::Interrupt,
    meter::{self, Meter, MeterError},
    options::Options,
    record::{LoadSummary, Machine, Row, Run, Usage},
    target::{Target, TargetError, TargetOptions},
};

/// How often a waiting wrapper looks: short against a window, long against the cost of looking.
const POLL: Duration = Duration::from_millis(2);
/// How long a load process may take beyond its duration: to start, connect and finish its last
/// operations, which themselves time out after 10 s.
const GRACE: Duration = Duration::from_secs(20);

/// Makes runs, all in the same manner.
pub struct Runner<'a> {
    options: &'a Options,
    catalogue: &'a Catalogue,
    interrupt: Interrupt,
    driver: Driver,
    meter: Box<dyn Meter>,
    executable: PathBuf,
    summary: PathBuf,
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
    #[error("the load process failed: {0}")]
    Child(#[from] ChildError),
    /// The load process ended badly.
    #[error("the load process ended with {status}{said}")]
    LoadFailed {
        /// Exit status.
        status: String,
        /// Its last words, if any.
        said: String,
    },
    /// The load process did not end.
    #[error("the load process had not ended {seconds} s after its time was over, and was stopped")]
    LoadHangs {
        /// Seconds waited.
        seconds: u64,
    },
    /// The load process left no usable summary.
    #[error(transparent)]
    Driver(#[from] DriverError),
    /// A clock could not be read.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// The row is not in the catalogue.
    #[error("cell {0} is not in the catalogue")]
    Cell(String),
}

impl RunError {
    /// Whether the user asked for it.
    #[must_use]
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Interrupted)
    }
}

impl<'a> Runner<'a> {
    /// A runner for these options.
    ///
    /// # Errors
    /// This executable, which is also the server and the load process, cannot find itself.
    pub fn new(
        options: &'a Options,
        catalogue: &'a Catalogue,
        interrupt: Interrupt,
    ) -> Result<Self, RunError> {
        Ok(Self {
            options,
            catalogue,
            interrupt,
            driver: Driver::new(options.load_program.as_deref())?,
            meter: meter::system(),
            executable: env::current_exe().map_err(DriverError::OwnPath)?,
            summary: env::temp_dir().join(format!("bookstore-bench-{}.json", std::process::id())),
        })
    }

    /// How CPU time is read here.
    #[must_use]
    pub fn meter(&self) -> &dyn Meter {
        &*self.meter
    }

    /// Starts a server process; with the row's surcharge when there is one.
    ///
    /// # Errors
    /// It does not come up.
    pub fn start_server(&self, row: Option<&Row>) -> Result<Target, RunError> {
        let surcharges = &self.options.settings.surcharges;
        Ok(Target::spawn(
            &self.executable,
            &TargetOptions {
                workers: self.options.settings.server_workers,
                surcharge: row.and_then(|row| surcharges.get(&row.id).copied()),
                ..TargetOptions::default()
            },
        )?)
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
        let mut server = self.start_server(Some(row))?;
        if self.options.warmup > SignedDuration::ZERO {
            self.drive(&mut server, row, self.options.warmup)?;
        }
        let started_at = jiff::Timestamp::now();
        let machine_before = self.meter.machine()?;
        let server_before = self.meter.process(server.pid())?;
        let opened = Instant::now();
        let (load, client) = self.drive(&mut server, row, self.options.duration)?;
        let server_after = self.meter.process(server.pid())?;
        let window_s = opened.elapsed().as_secs_f64();
        let machine_after = self.meter.machine()?;
        server.stop()?;
        let usage = Usage {
            window_s,
            server: server_after.since(&server_before),
            client,
            machine: machine_after.since(&machine_before, window_s),
        };
        let mut run = Run {
            row: row.id.clone(),
            round,
            slot,
            started_at,
            load,
            usage,
            gates: Vec::new(),
        };
        run.gates = gate::gates_of(&run, &self.options.settings, machine);
        Ok(run)
    }
}
