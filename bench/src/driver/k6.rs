//! The user's own k6.

use std::{
    io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::DriverError;
use crate::child::{Line, Lines};

/// Major version from which the suite's scripts run.
const OLDEST_MAJOR: u32 = 2;
/// How long k6 may take to say its version, which is a matter of a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(10);

/// A k6 that the user has, and that said which version it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct K6 {
    /// The executable.
    pub executable: PathBuf,
    /// Its version, without the `v`.
    pub version: String,
}

impl K6 {
    /// Asks `executable` for its version.
    ///
    /// # Errors
    /// It cannot be run, is no k6, or is too old.
    pub fn find(executable: &Path) -> Result<Self, DriverError> {
        Self::asked(executable, PATIENCE)
    }

    fn asked(executable: &Path, patience: Duration) -> Result<Self, DriverError> {
        let program = executable.to_owned();
        let first = first_line(executable, patience).map_err(|source| DriverError::NoK6 {
            program: program.clone(),
            source,
        })?;
        let answer = match first {
            Line::Text(answer) => answer,
            Line::End => String::new(),
            Line::TimeOut => return Err(DriverError::MuteK6 { program, patience }),
        };
        let Some(version) = version(&answer) else {
            return Err(DriverError::NotK6 { program, answer });
        };
        let major = version
            .split('.')
            .next()
            .and_then(|major| major.parse::<u32>().ok());
        if major.is_some_and(|major| major < OLDEST_MAJOR) {
            return Err(DriverError::OldK6 { program, version });
        }
        Ok(Self {
            executable: program,
            version,
        })
    }

    /// Whether k6 can be told here whom to trust: Go reads files of certificates where the system itself
    /// has no say in it.
    pub(super) const CAN_BE_TOLD_WHOM_TO_TRUST: bool =
        !cfg!(any(target_os = "macos", target_os = "ios", windows));

    /// A command that fetches and runs nothing remote, and reports nothing anywhere.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.executable);
        command.env("K6_AUTO_EXTENSION_RESOLUTION", "false");
        command.env("K6_NO_USAGE_REPORT", "true");
        command
    }
}

/// The first line that the program answers to `version`. It is ended then: not every program that is
/// asked is k6, and some go on for ever.
fn first_line(executable: &Path, patience: Duration) -> io::Result<Line> {
    let mut child = Command::new(executable)
        .arg("version")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let stdout = child.stdout.take();
    let lines = stdout
        .ok_or_else(|| io::Error::other("its standard output is no pipe"))
        .and_then(Lines::of);
    let first = lines.map(|lines| lines.next_before(Instant::now() + patience));
    // An error says that it has ended by itself.
    let _ = child.kill();
    child.wait()?;
    first
}

/// The version in `k6 v2.4.0 (commit/…)`; older versions print `k6.exe v…` on Windows.
fn version(answer: &str) -> Option<String> {
    let mut words = answer.split_whitespace();
    words.next().filter(|name| name.starts_with("k6"))?;
    let version = words.next()?.strip_prefix('v')?;
    version
        .starts_with(|first: char| first.is_ascii_digit())
        .then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// A script that another process has written: this one, with its many threads, may hold a file open
    /// that it writes when it starts it.
    fn script(folder: &Path, text: &str) -> PathBuf {
        let path = folder.join("program");
        let written = Command::new("sh")
            .args(["-c", r#"echo "$1" > "$0"; chmod +x "$0""#])
            .arg(&path)
            .arg(format!("#!/bin/sh\n{text}"))
            .status();
        assert!(written.unwrap().success());
        path
    }

    #[test]
    fn a_program_that_never_ends_is_asked_no_longer_than_it_takes() {
        let folder = tempfile::tempdir().unwrap();
        let chatty = script(folder.path(), "exec yes hello");
        let error = K6::find(&chatty).unwrap_err().to_string();
        assert!(error.contains(r#"with "hello""#), "{error}");
        let mute = script(folder.path(), "exec sleep 600");
        let error = K6::asked(&mute, Duration::from_millis(50)).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("within 50ms") && error.contains("--driver script"),
            "{error}"
        );
    }

    #[test]
    fn only_an_answer_that_begins_as_k6s_has_a_version() {
        assert_eq!(
            version("k6 v2.4.0 (go1.27.0, linux/amd64)\n").as_deref(),
            Some("2.4.0")
        );
        assert_eq!(version("k6.exe v2.0.1\n").as_deref(), Some("2.0.1"));
        for other in ["", "k6", "k6 unknown", "GNU bash, version 5.2", "k6 vNext"] {
            assert_eq!(version(other), None, "{other}");
        }
    }
}
