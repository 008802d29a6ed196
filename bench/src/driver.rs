//! Starting a load process and reading what it did.
//!
//! Whatever drives the load is a child with k6's command line that leaves a [`LoadSummary`] in the
//! file that `BENCH_SUMMARY` names, so that different executables can stand in the same place.

use std::{
    env, fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use thiserror::Error;

use crate::record::{LOAD_CONTRACT, LoadModel, LoadSummary};

/// An executable that can drive load.
#[derive(Clone, Debug)]
pub struct Driver {
    program: PathBuf,
    own: bool,
}

/// One load run, warm-up or measured.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// The k6 script of the cell, from the top of the repository.
    pub script: &'a str,
    /// Lines per order, where the scenario has any.
    pub lines: Option<u32>,
    /// Virtual users.
    pub vus: u32,
    /// How long to start new operations.
    pub duration: Duration,
    /// Closed or open.
    pub model: LoadModel,
    /// Worker threads, for drivers that let them be set.
    pub workers: u32,
    /// The server's HTTP/1.1 port.
    pub http1: SocketAddr,
    /// The server's h2c port.
    pub h2c: SocketAddr,
}

/// Why there is no load summary.
#[derive(Debug, Error)]
pub enum DriverError {
    /// Our own path cannot be found.
    #[error("cannot find the path of this executable, which drives the load: {0}")]
    OwnPath(io::Error),
    /// The load process left no summary.
    #[error("{program} wrote no load summary to {path}: {source}")]
    NoSummary {
        /// The executable.
        program: String,
        /// The file expected.
        path: String,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// The load summary cannot be read.
    #[error(
        "{program} wrote a load summary that does not follow the contract {LOAD_CONTRACT}: {reason}"
    )]
    Contract {
        /// The executable.
        program: String,
        /// What is wrong.
        reason: String,
    },
}

impl Driver {
    /// Our own compiled clients, or `program` in their place.
    ///
    /// # Errors
    /// The path of this executable is unknown.
    pub fn new(program: Option<&Path>) -> Result<Self, DriverError> {
        match program {
            Some(program) => Ok(Self {
                program: program.to_owned(),
                own: false,
            }),
            None => Ok(Self {
                program: env::current_exe().map_err(DriverError::OwnPath)?,
                own: true,
            }),
        }
    }

    /// The command that does `job` and leaves its summary in `summary`.
    #[must_use]
    pub fn command(&self, job: &Job<'_>, summary: &Path) -> Command {
        let mut command = Command::new(&self.program);
        if self.own {
            command.arg("load");
        }
        command.args(["run", job.script, "--quiet"]);
        command.args(["--vus", &job.vus.to_string()]);
        command.args(["--duration", &format!("{}ms", job.duration.as_millis())]);
        if self.own {
            command.args(["--workers", &job.workers.to_string()]);
        }
        let mut variables = vec![
            format!("BASE_URL=http://{}", job.http1),
            format!("GRPC_ADDR={}", job.h2c),
            format!("BENCH_SUMMARY={}", summary.display()),
        ];
        variables.extend(job.lines.map(|lines| format!("LINES={lines}")));
        if let LoadModel::Open { rate_per_s } = job.model {
            variables.push(format!("RATE={rate_per_s}"));
        }
        for variable in variables {
            command.args(["-e", &variable]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        command
    }

    /// Reads the summary that a finished load process left, and removes the file.
    ///
    /// # Errors
    /// There is none, or it does not follow the contract.
    pub fn read_summary(&self, path: &Path) -> Result<LoadSummary, DriverError> {
        let text = fs::read_to_string(path).map_err(|source| DriverError::NoSummary {
            program: self.shown(),
            path: path.display().to_string(),
            source,
        })?;
        // A file that stays behind would only be overwritten by the next run.
        let _ = fs::remove_file(path);
        let contract = |reason| DriverError::Contract {
            program: self.shown(),
            reason,
        };
        let summary: LoadSummary =
            serde_json::from_str(&text).map_err(|error| contract(error.to_string()))?;
        if summary.contract == LOAD_CONTRACT {
            Ok(summary)
        } else {
            Err(contract(format!(
                "it names the contract {:?}",
                summary.contract
            )))
        }
    }

    fn shown(&self) -> String {
        self.program.display().to_string()
    }
}
