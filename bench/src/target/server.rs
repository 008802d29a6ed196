//! Starting, watching and stopping the server.

use std::{
    io,
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::{Site, TargetError, TargetOptions, about, household, ready::Port};
use crate::{
    child::{ChildExit, ChildProcess, Line, Lines},
    record::{ServerFacts, SqlUse},
    trust::Trust,
};

/// A server that answers. One of ours is killed when this is dropped, and by the kernel (Linux) when
/// the wrapper itself is killed.
#[derive(Debug)]
pub struct Target {
    process: Process,
    http: Site,
    h2c_address: SocketAddr,
    facts: ServerFacts,
}

#[derive(Debug)]
enum Process {
    Ours {
        child: ChildProcess,
        stop_grace: Duration,
    },
    Foreign {
        pid: Option<u32>,
    },
}

impl Target {
    /// Starts `executable serve …`, waits until it listens, and asks it what it is.
    ///
    /// # Errors
    ///
    /// Any [`TargetError`]; no process is left then.
    pub fn spawn(executable: &Path, options: &TargetOptions) -> Result<Self, TargetError> {
        for port in [options.http_port, options.h2c_port] {
            check_port(port)?;
        }
        let mut command = Command::new(executable);
        command.args(options.arguments()).stdout(Stdio::piped());
        if let Some(cpus) = &options.cpus {
            cpus.confine(&mut command);
        }
        let child = ChildProcess::spawn("the server", command)?;
        let start = Start {
            executable,
            child: &child,
            timeout: options.ready_timeout,
            is_encrypted: options.certificate.is_some(),
        };
        let (address, h2c_address) = start.addresses()?;
        let trust = options
            .certificate
            .as_deref()
            .map(Trust::read)
            .transpose()?;
        let http = Site { address, trust };
        let facts = about::ask(&http, options.ready_timeout)
            .map_err(|error| start.death().unwrap_or(error))?;
        let process = Process::Ours {
            child,
            stop_grace: options.stop_grace,
        };
        Ok(Self {
            process,
            http,
            h2c_address,
            facts,
        })
    }

    /// Takes a server that the user runs, and asks it what it is. Without its process id its CPU
    /// cannot be read.
    ///
    /// # Errors
    ///
    /// [`TargetError::NoAnswer`] and [`TargetError::NotABookstore`].
    pub fn attach(
        http_address: SocketAddr,
        h2c_address: SocketAddr,
        pid: Option<u32>,
        patience: Duration,
    ) -> Result<Self, TargetError> {
        let http = Site {
            address: http_address,
            trust: None,
        };
        let facts = about::ask(&http, patience)?;
        Ok(Self {
            process: Process::Foreign { pid },
            http,
            h2c_address,
            facts,
        })
    }

    /// The process id; unknown of a foreign server unless it was given.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        match &self.process {
            Process::Ours { child, .. } => Some(child.pid()),
            Process::Foreign { pid } => *pid,
        }
    }

    /// Where it speaks HTTP/1.1.
    #[must_use]
    pub fn http_address(&self) -> SocketAddr {
        self.http.address
    }

    /// Where it speaks HTTP/2.
    #[must_use]
    pub fn h2c_address(&self) -> SocketAddr {
        self.h2c_address
    }

    /// What it says of itself.
    #[must_use]
    pub fn facts(&self) -> &ServerFacts {
        &self.facts
    }

    /// A token for its expenses.
    ///
    /// # Errors
    ///
    /// [`TargetError::Household`].
    pub fn log_in(&self) -> Result<String, TargetError> {
        household::log_in(&self.http)
    }

    /// What its database of expenses did so far; `None` without one.
    ///
    /// # Errors
    ///
    /// [`TargetError::Household`].
    pub fn sql_use(&self) -> Result<Option<SqlUse>, TargetError> {
        household::sql_use(&self.http)
    }

    /// Whether it still runs; a foreign server is believed to.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.check_alive().is_ok()
    }

    /// Says how it died, if it did; a foreign server is believed to live. Cheap enough to be called
    /// many times in a run.
    ///
    /// # Errors
    ///
    /// [`TargetError::Died`] with its last messages, or [`TargetError::Child`].
    pub fn check_alive(&self) -> Result<(), TargetError> {
        match &self.process {
            Process::Ours { child, .. } => match child.exit()? {
                Some(exit) => Err(died(child, &exit)),
                None => Ok(()),
            },
            Process::Foreign { .. } => Ok(()),
        }
    }

    /// Ends a server of ours: asks it, waits for the grace time, then kills it. A foreign server
    /// goes on, and `None` is returned.
    ///
    /// # Errors
    ///
    /// [`TargetError::Child`]; [`TargetError::Died`] when it had died before.
    pub fn stop(self) -> Result<Option<ChildExit>, TargetError> {
        self.check_alive()?;
        match &self.process {
            Process::Ours { child, stop_grace } => Ok(Some(child.stop(*stop_grace)?)),
            Process::Foreign { .. } => Ok(None),
        }
    }
}

/// A server that has been started and is not ready yet.
struct Start<'a> {
    executable: &'a Path,
    child: &'a ChildProcess,
    timeout: Duration,
    is_encrypted: bool,
}

impl Start<'_> {
    fn addresses(&self) -> Result<(SocketAddr, SocketAddr), TargetError> {
        let deadline = Instant::now() + self.timeout;
        let stdout = self.child.take_stdout().ok_or_else(|| {
            TargetError::Output(io::Error::other("its standard output is no pipe"))
        })?;
        let lines = Lines::of(stdout).map_err(TargetError::Output)?;
        let [http1, http2] = Port::both(self.is_encrypted);
        let address = |port| self.address(&lines, port, deadline);
        Ok((address(http1)?, address(http2)?))
    }

    fn address(
        &self,
        lines: &Lines,
        port: Port,
        deadline: Instant,
    ) -> Result<SocketAddr, TargetError> {
        match lines.next_before(deadline) {
            Line::Text(line) => {
                port.address_in(&line)
                    .ok_or_else(|| TargetError::UnexpectedOutput {
                        program: self.program(),
                        line,
                        scheme: port.scheme,
                        protocol: port.protocol,
                    })
            }
            Line::TimeOut => Err(self.not_ready()),
            // It closed its output: most likely it is about to end, and then it says why.
            Line::End => {
                let patience = deadline.saturating_duration_since(Instant::now());
                Err(match self.child.wait_for(patience)? {
                    Some(exit) => died(self.child, &exit),
                    None => self.not_ready(),
                })
            }
        }
    }

    fn not_ready(&self) -> TargetError {
        TargetError::NotReady {
            program: self.program(),
            timeout: self.timeout,
            stderr: self.child.stderr_tail(),
        }
    }

    /// The error of a server that has died meanwhile, which explains more than a lost connection.
    fn death(&self) -> Option<TargetError> {
        self.child
            .exit()
            .ok()
            .flatten()
            .map(|exit| died(self.child, &exit))
    }

    fn program(&self) -> PathBuf {
        self.executable.to_owned()
    }
}

fn died(child: &ChildProcess, exit: &ChildExit) -> TargetError {
    TargetError::Died {
        pid: child.pid(),
        status: exit.status,
        stderr: child.stderr_tail(),
    }
}

/// Whether a fixed port is free; the system finds a free one for port 0.
fn check_port(port: u16) -> Result<(), TargetError> {
    match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
        Ok(_free) => Ok(()),
        Err(source) if source.kind() == io::ErrorKind::AddrInUse => {
            Err(TargetError::PortInUse { port })
        }
        Err(source) => Err(TargetError::Port { port, source }),
    }
}
