//! The user's own k6.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use super::DriverError;

/// Major version from which the suite's scripts run.
const OLDEST_MAJOR: u32 = 2;

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
        let program = executable.to_owned();
        let output = Command::new(executable)
            .arg("version")
            .output()
            .map_err(|source| DriverError::NoK6 {
                program: program.clone(),
                source,
            })?;
        let answer = String::from_utf8_lossy(&output.stdout);
        let Some(version) = version(&answer) else {
            let answer = answer.lines().next().unwrap_or_default().to_owned();
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
    use super::*;

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
