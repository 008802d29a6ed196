//! Why a run fails, and with which exit code.

use std::{io, path::PathBuf};

use crate::{
    control::Stop, engine::ScriptException, metric::SubmetricError, options::OptionError,
    threshold::ExpressionError,
};

/// Exit codes; the numbers are k6's.
pub mod exit {
    /// Everything went well.
    pub const OK: u8 = 0;
    /// Thresholds failed.
    pub const THRESHOLDS: u8 = 99;
    /// `setup` took too long.
    pub const SETUP_TIMEOUT: u8 = 100;
    /// `teardown` took too long.
    pub const TEARDOWN_TIMEOUT: u8 = 101;
    /// The options cannot be used.
    pub const CONFIGURATION: u8 = 104;
    /// Ctrl-C.
    pub const INTERRUPTED: u8 = 105;
    /// The script threw in its init code, in `setup` or `teardown`.
    pub const SCRIPT: u8 = 107;
    /// `exec.test.abort()`.
    pub const ABORTED: u8 = 108;
    /// A fault of the runner.
    pub const PANIC: u8 = 109;
    /// `exec.test.fail()`.
    pub const FAILED: u8 = 110;
    /// Everything else.
    pub const OTHER: u8 = 255;
}

/// Why a run fails.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The script's file is not there.
    #[error("cannot read the script {path}: {error}", path = path.display())]
    Script {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The script threw where that ends the run.
    #[error("{0}")]
    Exception(ScriptException),
    /// Options that cannot be used.
    #[error("invalid options: {0}")]
    Options(#[from] OptionError),
    /// A threshold on a metric that does not exist.
    #[error("invalid threshold: {0}")]
    Metric(#[from] SubmetricError),
    /// A threshold that is none.
    #[error("invalid threshold of {metric}: {error}")]
    Threshold {
        /// The metric.
        metric: String,
        /// What is wrong.
        error: ExpressionError,
    },
    /// An argument of the command line that cannot be used.
    #[error("--{name} {value}: give {expected}")]
    Argument {
        /// The flag.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// The script exports no function.
    #[error("the script exports no function that could be run; export a default function")]
    NothingExported,
    /// Thresholds failed, of the metrics named.
    #[error("thresholds on metrics '{0}' have been crossed")]
    Thresholds(String),
    /// `setup` took too long.
    #[error("setup() took longer than {0:?}; raise setupTimeout")]
    SetupTimeout(std::time::Duration),
    /// `teardown` took too long.
    #[error("teardown() took longer than {0:?}; raise teardownTimeout")]
    TeardownTimeout(std::time::Duration),
    /// The run was stopped.
    #[error("{}", stop_text(.0))]
    Stopped(Stop),
    /// `exec.test.fail()`.
    #[error("test failed: {0}")]
    Failed(String),
    /// A fault of the runner.
    #[error("fault of the runner: {0}")]
    Panicked(String),
    /// The system gives no memory, thread or timer.
    #[error("cannot start: {0}")]
    Start(String),
    /// Something cannot be written.
    #[error("cannot write {path}: {error}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

fn stop_text(stop: &Stop) -> String {
    match stop {
        Stop::Interrupted => "the run was interrupted".to_owned(),
        Stop::Aborted(message) => format!("test aborted: {message}"),
        Stop::Threshold => "thresholds failed that end the run".to_owned(),
        Stop::Panicked(message) => format!("fault of the runner: {message}"),
    }
}

impl RunError {
    /// The exit code of k6 for it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Exception(_) => exit::SCRIPT,
            Self::Options(_) | Self::Metric(_) | Self::Threshold { .. } | Self::Argument { .. } => {
                exit::CONFIGURATION
            }
            Self::SetupTimeout(_) => exit::SETUP_TIMEOUT,
            Self::TeardownTimeout(_) => exit::TEARDOWN_TIMEOUT,
            Self::Failed(_) => exit::FAILED,
            Self::Panicked(_) | Self::Stopped(Stop::Panicked(_)) => exit::PANIC,
            Self::Stopped(Stop::Interrupted) => exit::INTERRUPTED,
            Self::Stopped(Stop::Aborted(_)) => exit::ABORTED,
            Self::Thresholds(_) | Self::Stopped(Stop::Threshold) => exit::THRESHOLDS,
            Self::Script { .. } | Self::NothingExported | Self::Start(_) | Self::Write { .. } => {
                exit::OTHER
            }
        }
    }
}
