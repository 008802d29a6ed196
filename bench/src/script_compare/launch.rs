//! Starting one of the two, and waiting for its end.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use super::{args::ScriptCompareArgs, error::CompareError};
use crate::{
    child::{ChildProcess, LastLines},
    driver::K6,
    interrupt::Interrupt,
};

/// How often a signal is looked for.
const LOOK: Duration = Duration::from_millis(50);
/// How long a run may take to end when it was asked to.
const GRACE: Duration = Duration::from_secs(5);

/// One of the two that run the script.
#[derive(Clone, Copy, Debug)]
pub(super) enum Engine<'a> {
    /// The embedded runner: this executable.
    Runner(&'a Path),
    /// The user's k6.
    K6(&'a K6),
}

/// The files that a run writes.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// That of `--summary-export`.
    pub(super) summary: PathBuf,
    /// That of `--out json`.
    pub(super) samples: PathBuf,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// The exit code, or the signal that ended it.
    pub(super) how: String,
    /// What it printed last to standard error.
    pub(super) messages: LastLines,
}

impl Engine<'_> {
    /// How messages name it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Runner(_) => "the runner".to_owned(),
            Self::K6(k6) => format!("k6 {}", k6.version),
        }
    }

    /// Runs the script to its end.
    ///
    /// # Errors
    /// It cannot be started, or the user wants to stop.
    pub(super) fn run(
        &self,
        args: &ScriptCompareArgs,
        variables: &[(String, String)],
        files: &Files,
        interrupt: &Interrupt,
    ) -> Result<Ended, CompareError> {
        let mut command = match self {
            Self::Runner(executable) => {
                let mut command = Command::new(executable);
                command.arg("script");
                command
            }
            Self::K6(k6) => k6.command(),
        };
        command.arg("run").arg(&args.file).arg("--quiet");
        command.arg("--summary-export").arg(&files.summary);
        command
            .arg("--out")
            .arg(format!("json={}", files.samples.display()));
        for (name, value) in variables {
            command.arg("-e").arg(format!("{name}={value}"));
        }
        command.args(args.load()).args(&args.flags);
        command.stdout(Stdio::null());
        let child = ChildProcess::spawn(self.name(), command)?;
        loop {
            if let Some(exit) = child.wait_for(LOOK)? {
                return Ok(Ended {
                    how: exit
                        .status
                        .code()
                        .map_or_else(|| exit.status.to_string(), |code| code.to_string()),
                    messages: child.stderr_tail(),
                });
            }
            if interrupt.asked() {
                child.stop(GRACE)?;
                return Err(CompareError::Interrupted);
            }
        }
    }
}
