//! A server process: the target or a floor server, bare or under callgrind.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow, bail};
use floor::Protocol;

use crate::{child, process, row::Row};

/// Generous, as callgrind makes a start some fifty times slower.
const START_DEADLINE: Duration = Duration::from_mins(2);
const STOP_DEADLINE: Duration = Duration::from_mins(1);

/// A running server; dropping it kills it.
pub struct Server {
    child: Child,
    name: String,
    http1: Option<String>,
    h2c: Option<String>,
}

impl Server {
    /// Starts the target.
    pub fn target(bench: &Path, workers: u16, callgrind_to: Option<&Path>) -> anyhow::Result<Self> {
        let mut command = program(bench, callgrind_to);
        command.args(["serve", "--http-port", "0", "--h2c-port", "0", "--workers"]);
        command.arg(workers.to_string());
        Self::start(command, bench, 2)
    }

    /// Starts a floor server that learns a row's answers from `teacher`.
    pub fn floor(
        floor: &Path,
        row: &Row,
        teacher: &Self,
        workers: u16,
        callgrind_to: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut command = program(floor, callgrind_to);
        let protocol = match row.protocol() {
            Protocol::Http1 => "http1",
            Protocol::H2c => "h2c",
        };
        command.args(["--port", "0", "--protocol", protocol]);
        command.args(["--learn", teacher.url(row.protocol())?]);
        command.args(["--answers", &row.cell.requests_per_op.to_string()]);
        command.args(["--workers", &workers.to_string()]);
        let mut server = Self::start(command, floor, 1)?;
        if row.protocol() == Protocol::H2c {
            server.h2c = server.http1.take();
        }
        Ok(server)
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `http://HOST:PORT` of a protocol.
    pub fn url(&self, protocol: Protocol) -> anyhow::Result<&str> {
        let url = match protocol {
            Protocol::Http1 => &self.http1,
            Protocol::H2c => &self.h2c,
        };
        url.as_deref()
            .ok_or_else(|| anyhow!("{} listens on no {protocol:?} port", self.name))
    }

    /// Ends it in good order and waits for that.
    pub fn stop(mut self) -> anyhow::Result<()> {
        let name = self.name.clone();
        child::signal(self.pid(), libc::SIGTERM).with_context(|| format!("cannot end {name}"))?;
        let deadline = Instant::now() + STOP_DEADLINE;
        while Instant::now() < deadline {
            match self.child.try_wait()? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => bail!("{name} ended with {status} after SIGTERM"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        }
        bail!("{name} did not end within {STOP_DEADLINE:?} of SIGTERM");
    }

    fn start(mut command: Command, executable: &Path, ports: usize) -> anyhow::Result<Self> {
        let name = process::name(executable.as_os_str());
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
        let lines = child.stdout.take().map(lines_of);
        let mut server = Self {
            child,
            name,
            http1: None,
            h2c: None,
        };
        let lines = lines.context("standard output was not piped")?;
        for _ in 0..ports {
            let (url, protocol) = next_address(&lines, &server.name)?;
            match protocol {
                Protocol::Http1 => server.http1 = Some(url),
                Protocol::H2c => server.h2c = Some(url),
            }
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail only when it has ended already, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn program(executable: &Path, callgrind_to: Option<&Path>) -> Command {
    let Some(file) = callgrind_to else {
        return Command::new(executable);
    };
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--tool=callgrind"]);
    command.arg(format!("--callgrind-out-file={}", file.display()));
    command.arg(executable);
    command
}

/// Lines of a process, read to the end so that its pipe never fills up.
fn lines_of(stdout: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            // The receiver is gone once the server is ready; reading goes on.
            let _ = sender.send(line);
        }
    });
    receiver
}

fn next_address(lines: &Receiver<String>, name: &str) -> anyhow::Result<(String, Protocol)> {
    let deadline = Instant::now() + START_DEADLINE;
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                if let Some(address) = listening(&line) {
                    return Ok(address);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                bail!("{name} did not listen within {START_DEADLINE:?}")
            }
            Err(RecvTimeoutError::Disconnected) => {
                bail!("{name} ended before it listened; its message is above")
            }
        }
    }
}

/// The address in a line `listening on http://HOST:PORT`, with `(h2c…` after it where it is h2c.
fn listening(line: &str) -> Option<(String, Protocol)> {
    let (_, rest) = line.split_once("listening on ")?;
    let (url, remark) = rest.split_once(' ').unwrap_or((rest, ""));
    let protocol = if remark.starts_with("(h2c") {
        Protocol::H2c
    } else {
        Protocol::Http1
    };
    url.starts_with("http://")
        .then(|| (url.to_owned(), protocol))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn addresses_are_read_from_what_a_server_prints() {
        let address = |line| listening(line).unwrap();
        assert_eq!(
            address("listening on http://127.0.0.1:5300 (HTTP/1.1: REST, GraphQL)"),
            ("http://127.0.0.1:5300".to_owned(), Protocol::Http1)
        );
        assert_eq!(
            address("listening on http://127.0.0.1:5301 (h2c: gRPC)"),
            ("http://127.0.0.1:5301".to_owned(), Protocol::H2c)
        );
        assert_eq!(
            address("listening on http://127.0.0.1:9").1,
            Protocol::Http1
        );
        assert_eq!(listening("ready"), None);
    }

    #[test]
    fn a_server_that_ends_at_once_is_reported() {
        let Err(error) = Server::target(Path::new("/bin/true"), 1, None) else {
            panic!("/bin/true does not listen");
        };
        assert!(
            error.to_string().contains("ended before it listened"),
            "{error}"
        );
    }
}
