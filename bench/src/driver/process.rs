//! The executables that can drive load, and how each is called.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DriverError, Job, K6, Suite};
use crate::record::{LOAD_CONTRACT, LoadSummary, Row};

/// Which kind of executable drives the load.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum DriverKind {
    /// The embedded runner, which runs the k6 scripts of the suite.
    #[default]
    Script,
    /// Compiled clients, which cost the least CPU.
    Load,
    /// Your own k6, which runs the scripts of the suite; see --k6.
    K6,
}

/// An executable that can drive load.
#[derive(Clone, Debug)]
pub enum Driver {
    /// The embedded runner of k6 scripts: this executable's `script`.
    Script {
        /// This executable.
        executable: PathBuf,
        /// The scripts.
        suite: Suite,
    },
    /// Our own compiled clients: this executable's `load`.
    Load {
        /// This executable.
        executable: PathBuf,
    },
    /// The user's k6.
    K6 {
        /// The executable.
        k6: K6,
        /// The scripts.
        suite: Suite,
    },
}

impl DriverKind {
    /// The kind's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Load => "load",
            Self::K6 => "k6",
        }
    }

    /// The shortest run that this kind can make, other than none; k6 refuses durations below one
    /// second, and the embedded runner with it.
    #[must_use]
    pub fn shortest_run(self) -> Duration {
        match self {
            Self::Load => Duration::from_millis(100),
            Self::Script | Self::K6 => Duration::from_secs(1),
        }
    }
}

impl Driver {
    /// The executable for `kind`; `k6` is where k6 is, and built-in scripts are written to `scratch`.
    ///
    /// # Errors
    /// The path of this executable is unknown, `k6` is no k6 that can run the scripts, or they cannot
    /// be written.
    pub fn new(kind: DriverKind, k6: &Path, scratch: &Path) -> Result<Self, DriverError> {
        let executable = || env::current_exe().map_err(DriverError::OwnPath);
        Ok(match kind {
            DriverKind::Script => Self::Script {
                executable: executable()?,
                suite: Suite::find(scratch)?,
            },
            DriverKind::Load => Self::Load {
                executable: executable()?,
            },
            DriverKind::K6 => Self::K6 {
                k6: K6::find(k6)?,
                suite: Suite::find(scratch)?,
            },
        })
    }

    /// Whether it can be told which certificate to trust.
    ///
    /// # Errors
    /// It cannot, and `row` is encrypted.
    pub fn check_trust(&self, row: &Row) -> Result<(), DriverError> {
        let is_blind = self.kind() == DriverKind::K6 && !K6::CAN_BE_TOLD_WHOM_TO_TRUST;
        if row.condition.tls && is_blind {
            return Err(DriverError::NoTrust {
                row: row.id.clone(),
            });
        }
        Ok(())
    }

    /// Which kind it is.
    #[must_use]
    pub fn kind(&self) -> DriverKind {
        match self {
            Self::Script { .. } => DriverKind::Script,
            Self::Load { .. } => DriverKind::Load,
            Self::K6 { .. } => DriverKind::K6,
        }
    }

    /// The command that does `job` and leaves its summary in `summary`.
    ///
    /// # Errors
    /// The script is not there.
    pub fn command(&self, job: &Job<'_>, summary: &Path) -> Result<Command, DriverError> {
        let mut command = match self {
            Self::Load { executable } | Self::Script { executable, .. } => Command::new(executable),
            Self::K6 { k6, .. } => k6.command(),
        };
        let mut variables = job.variables(summary);
        match self {
            Self::Load { .. } => {
                command.args(["load", "run", job.script, "--quiet"]);
                command.args(["--vus", &job.vus.to_string()]);
                command.args(["--duration", &milliseconds(job.duration)]);
                command.args(["--workers", &job.workers.to_string()]);
                variables.extend(job.http2.then(|| "HTTP_VERSION=2".to_owned()));
                variables.extend(job.patience_ms.map(|ms| format!("PATIENCE={ms}ms")));
                let certificate = job.certificate.map(Path::display);
                variables.extend(certificate.map(|path| format!("TLS_TRUST={path}")));
                variables.extend(job.new_connection.then(|| "CONNECTION=new".to_owned()));
            }
            Self::Script { suite, .. } => {
                command
                    .args(["script", "run"])
                    .arg(suite.script(job.script)?);
                command.arg("--quiet");
                command.args(["--workers", &job.workers.to_string()]);
                variables.extend(script_variables(job));
                variables.push("BODY_BYTES=1".to_owned());
                trust(&mut command, job);
            }
            Self::K6 { k6, suite } => {
                command.arg("run").arg(suite.script(job.script)?);
                command.arg("--quiet");
                variables.extend(script_variables(job));
                variables.push("BENCH_ENGINE=k6".to_owned());
                variables.push(format!("BENCH_ENGINE_VERSION={}", k6.version));
                trust(&mut command, job);
            }
        }
        for variable in variables {
            command.args(["-e", &variable]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Ok(command)
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
        if summary.contract != LOAD_CONTRACT {
            return Err(contract(format!(
                "it names the contract {:?}",
                summary.contract
            )));
        }
        let expected = self.kind().name();
        if summary.engine.name != expected {
            return Err(DriverError::OtherEngine {
                program: self.shown(),
                found: summary.engine.name,
                expected,
            });
        }
        Ok(summary)
    }

    fn executable(&self) -> &Path {
        match self {
            Self::Load { executable } | Self::Script { executable, .. } => executable,
            Self::K6 { k6, .. } => &k6.executable,
        }
    }

    fn shown(&self) -> String {
        self.executable().display().to_string()
    }
}

/// Settings as the scripts take them: k6's flags would replace the open model that a script builds
/// from RATE.
fn script_variables(job: &Job<'_>) -> [String; 3] {
    let encrypted = if job.certificate.is_some() {
        "on"
    } else {
        "off"
    };
    [
        format!("VUS={}", job.vus),
        format!("DURATION={}", milliseconds(job.duration)),
        format!("GRPC_TLS={encrypted}"),
    ]
}

/// Has scripts trust the server's certificate and no other, by the variables that Go reads and the
/// embedded runner with it.
fn trust(command: &mut Command, job: &Job<'_>) {
    if let Some((certificate, folder)) = job
        .certificate
        .and_then(|file| Some((file, file.parent()?)))
    {
        command.env("SSL_CERT_FILE", certificate);
        // Without one, Go would read the system's folder beside the file.
        command.env("SSL_CERT_DIR", folder);
    }
}

fn milliseconds(duration: Duration) -> String {
    format!("{}ms", duration.as_millis())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::{ffi::OsStr, net::SocketAddr};

    use super::*;
    use crate::record::LoadModel;

    const CERTIFICATE: &str = "/scratch/trusted/certificate.pem";

    fn command(kind: DriverKind, certificate: Option<&Path>) -> Command {
        let scratch = tempfile::tempdir().unwrap();
        let suite = Suite::find(scratch.path()).unwrap();
        let executable = PathBuf::from("bench");
        let driver = match kind {
            DriverKind::Script => Driver::Script { executable, suite },
            DriverKind::Load => Driver::Load { executable },
            DriverKind::K6 => Driver::K6 {
                k6: K6 {
                    executable,
                    version: "2.4.0".to_owned(),
                },
                suite,
            },
        };
        let address = SocketAddr::from(([127, 0, 0, 1], 1));
        let job = Job {
            script: "k6/a-grpc.js",
            lines: None,
            calls: None,
            patience_ms: None,
            limit: None,
            parts: None,
            token_scope: None,
            token: None,
            vus: 1,
            duration: Duration::from_secs(1),
            model: LoadModel::Closed,
            http2: false,
            new_connection: false,
            certificate,
            workers: 1,
            http1: address,
            h2c: address,
        };
        driver.command(&job, Path::new("summary.json")).unwrap()
    }

    fn says(command: &Command, variable: &str) -> bool {
        command.get_args().any(|word| word == variable)
    }

    fn trusted(command: &Command) -> [Option<&OsStr>; 2] {
        ["SSL_CERT_FILE", "SSL_CERT_DIR"].map(|name| {
            let mut set = command.get_envs();
            set.find(|(found, _)| *found == name)?.1
        })
    }

    #[test]
    fn scripts_trust_one_certificate_and_know_that_grpc_is_encrypted() {
        for kind in [DriverKind::Script, DriverKind::K6] {
            let encrypted = command(kind, Some(Path::new(CERTIFICATE)));
            let paths = [CERTIFICATE, "/scratch/trusted"].map(|path| Some(OsStr::new(path)));
            assert_eq!(trusted(&encrypted), paths, "{kind:?}");
            assert!(says(&encrypted, "GRPC_TLS=on"), "{kind:?}");
            assert!(says(&encrypted, "BASE_URL=https://127.0.0.1:1"), "{kind:?}");
            let plain = command(kind, None);
            assert_eq!(trusted(&plain), [None, None], "{kind:?}");
            // Said, as the shell of a user may say otherwise.
            assert!(says(&plain, "GRPC_TLS=off"), "{kind:?}");
            assert!(says(&plain, "BASE_URL=http://127.0.0.1:1"), "{kind:?}");
        }
    }

    #[test]
    fn compiled_clients_are_told_the_certificate() {
        let encrypted = command(DriverKind::Load, Some(Path::new(CERTIFICATE)));
        assert!(says(&encrypted, &format!("TLS_TRUST={CERTIFICATE}")));
        assert_eq!(trusted(&encrypted), [None, None]);
    }
}
