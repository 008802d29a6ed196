//! A child process that runs to its end, with its output and its CPU time.

use std::{
    ffi::OsStr,
    fs, io,
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use anyhow::{Context, ensure};
use tempfile::NamedTempFile;

use crate::child;

/// What a finished process left.
pub struct Finished {
    pub cpu: Duration,
    pub stdout: String,
}

/// Runs a command to its end; fails with its standard error when it does.
pub fn run(command: &mut Command) -> anyhow::Result<Finished> {
    let name = name(command.get_program());
    let (status, cpu, stdout, stderr) =
        attempt(command).with_context(|| format!("cannot run {name}"))?;
    ensure!(
        status.success(),
        "{name} failed ({status}):\n{}{}",
        stdout.trim_end(),
        stderr.trim_end()
    );
    Ok(Finished { cpu, stdout })
}

/// Output goes to files and not to pipes, so that reading it costs the measured process no waiting.
fn attempt(command: &mut Command) -> io::Result<(ExitStatus, Duration, String, String)> {
    let stdout = NamedTempFile::new()?;
    let stderr = NamedTempFile::new()?;
    let child = command
        .stdin(Stdio::null())
        .stdout(stdout.reopen()?)
        .stderr(stderr.reopen()?)
        .spawn()?;
    let (status, usage) = child::wait(child.id())?;
    Ok((
        status,
        usage.cpu,
        String::from_utf8_lossy(&fs::read(stdout.path())?).into_owned(),
        String::from_utf8_lossy(&fs::read(stderr.path())?).into_owned(),
    ))
}

/// A program's file name for messages.
pub fn name(program: &OsStr) -> String {
    let path = std::path::Path::new(program);
    path.file_name()
        .unwrap_or(program)
        .to_string_lossy()
        .into_owned()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_failure_carries_what_the_process_said() {
        let finished = run(Command::new("sh").args(["-c", "echo fine"])).unwrap();
        assert_eq!(finished.stdout, "fine\n");
        let error = run(Command::new("sh").args(["-c", "echo broken >&2; exit 4"]))
            .err()
            .unwrap();
        assert!(error.to_string().contains("broken"), "{error}");
        assert!(error.to_string().contains("sh failed"), "{error}");
    }
}
