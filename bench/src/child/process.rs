//! A process of ours, from start to end.

use std::{
    fmt, io,
    path::PathBuf,
    process::{ChildStdout, Command, Stdio},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{
    ChildError, ChildExit, LastLines,
    exit::{await_end, reap},
    output::Tail,
    spawn::spawn,
};
use crate::meter::own_peak_rss_bytes;

/// How long the last lines of an ended process may take to arrive.
const TAIL_PATIENCE: Duration = Duration::from_millis(500);

/// A running process; killed when dropped.
///
/// All methods take `&self`, so one thread may wait while another stops the process.
pub struct ChildProcess {
    name: String,
    pid: libc::pid_t,
    started_at: Instant,
    watch: Arc<Watch>,
    stdout: Mutex<Option<ChildStdout>>,
    stderr: Tail,
}

impl ChildProcess {
    /// Starts a command. Standard input is empty, standard error is read into
    /// [`stderr_tail`](Self::stderr_tail), standard output goes where the command says; when that is
    /// a pipe, [`take_stdout`](Self::take_stdout) hands it over. `name` is for messages.
    ///
    /// # Errors
    ///
    /// [`ChildError::Missing`] and [`ChildError::Start`].
    pub fn spawn(name: impl Into<String>, mut command: Command) -> Result<Self, ChildError> {
        let program = PathBuf::from(command.get_program());
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => ChildError::Missing {
                program: program.clone(),
            },
            _ => ChildError::Start {
                program: program.clone(),
                source,
            },
        };
        command.stdin(Stdio::null()).stderr(Stdio::piped());
        let rss_at_fork = own_peak_rss_bytes();
        let started_at = Instant::now();
        let mut child = spawn(command).map_err(failed)?;
        let piped = child
            .stderr
            .take()
            .ok_or_else(|| io::Error::other("no pipe for its messages"));
        let pid = libc::pid_t::try_from(child.id()).map_err(io::Error::other);
        let watched = pid.and_then(|pid| {
            let stderr = Tail::of(piped?)?;
            Ok((pid, stderr, Watch::over(pid, started_at, rss_at_fork)?))
        });
        match watched {
            Ok((pid, stderr, watch)) => Ok(Self {
                name: name.into(),
                pid,
                started_at,
                watch,
                stdout: Mutex::new(child.stdout.take()),
                stderr,
            }),
            Err(error) => {
                // No threads left for the watch: do not leave a process that nobody would end.
                let _ = child.kill();
                let _ = child.wait();
                Err(failed(error))
            }
        }
    }

    /// The process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid.unsigned_abs()
    }

    /// Just before the process was started.
    #[must_use]
    pub fn started_at(&self) -> Instant {
        self.started_at
    }

    /// Standard output, when the command piped it and nobody took it before. Who takes it must read
    /// it to the end, or the process blocks.
    #[must_use]
    pub fn take_stdout(&self) -> Option<ChildStdout> {
        self.stdout
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// The last lines of standard error, oldest first; of an ended process the very last ones.
    #[must_use]
    pub fn stderr_tail(&self) -> LastLines {
        LastLines(if matches!(*self.watch.lock(), State::Running) {
            self.stderr.lines()
        } else {
            self.stderr.lines_at_end(TAIL_PATIENCE)
        })
    }

    /// Waits until the process has ended by itself.
    ///
    /// # Errors
    ///
    /// [`ChildError::Wait`].
    pub fn wait(&self) -> Result<ChildExit, ChildError> {
        let mut state = self.watch.lock();
        loop {
            if let Some(exit) = self.exit_of(&state)? {
                return Ok(exit);
            }
            state = self
                .watch
                .ended
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the end, but no longer than `patience`; `None` when the process still runs.
    ///
    /// # Errors
    ///
    /// [`ChildError::Wait`].
    pub fn wait_for(&self, patience: Duration) -> Result<Option<ChildExit>, ChildError> {
        let running = |state: &mut State| matches!(state, State::Running);
        let waited = self
            .watch
            .ended
            .wait_timeout_while(self.watch.lock(), patience, running);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.exit_of(&state)
    }

    /// How it ended; `None` while it runs.
    ///
    /// # Errors
    ///
    /// [`ChildError::Wait`].
    pub fn exit(&self) -> Result<Option<ChildExit>, ChildError> {
        self.exit_of(&self.watch.lock())
    }

    /// Asks the process to end (SIGTERM). An ended process is left alone.
    pub fn terminate(&self) {
        self.watch.signal(self.pid, libc::SIGTERM);
    }

    /// Ends the process at once (SIGKILL). An ended process is left alone.
    pub fn kill(&self) {
        self.watch.signal(self.pid, libc::SIGKILL);
    }

    /// Asks the process to end, kills it when it has not ended after `grace`, and waits for the end.
    ///
    /// # Errors
    ///
    /// [`ChildError::Wait`].
    pub fn stop(&self, grace: Duration) -> Result<ChildExit, ChildError> {
        self.terminate();
        if let Some(exit) = self.wait_for(grace)? {
            return Ok(exit);
        }
        self.kill();
        self.wait()
    }

    fn exit_of(&self, state: &State) -> Result<Option<ChildExit>, ChildError> {
        match state {
            State::Running => Ok(None),
            State::Ended(exit) => Ok(Some(*exit)),
            State::Lost(code) => Err(ChildError::Wait {
                name: self.name.clone(),
                pid: self.pid(),
                source: code.map_or_else(
                    || io::Error::other("the system did not say why"),
                    io::Error::from_raw_os_error,
                ),
            }),
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
        // An error says that there is nothing left to wait for.
        let _ = self.wait();
    }
}

impl fmt::Debug for ChildProcess {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ChildProcess")
            .field("name", &self.name)
            .field("pid", &self.pid)
            .field("state", &*self.watch.lock())
            .finish_non_exhaustive()
    }
}

#[derive(Debug)]
enum State {
    Running,
    Ended(ChildExit),
    /// The system does not tell how it ended; the error's number.
    Lost(Option<i32>),
}

/// Shared with the thread that waits for the process. Reaping and signalling hold the same lock, so
/// that no signal can reach a stranger who got the process id afterwards.
#[derive(Debug)]
struct Watch {
    state: Mutex<State>,
    ended: Condvar,
}

impl Watch {
    fn over(
        pid: libc::pid_t,
        started_at: Instant,
        rss_at_fork: Option<u64>,
    ) -> io::Result<Arc<Self>> {
        let watch = Arc::new(Self {
            state: Mutex::new(State::Running),
            ended: Condvar::new(),
        });
        let watcher = Arc::clone(&watch);
        thread::Builder::new()
            .name(format!("watch {pid}"))
            .spawn(move || {
                let awaited = await_end(pid);
                let ran_for = started_at.elapsed();
                let mut state = watcher.lock();
                *state = match awaited.and_then(|()| reap(pid, ran_for, rss_at_fork)) {
                    Ok(exit) => State::Ended(exit),
                    Err(error) => State::Lost(error.raw_os_error()),
                };
                drop(state);
                watcher.ended.notify_all();
            })?;
        Ok(watch)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signal(&self, pid: libc::pid_t, signal: libc::c_int) {
        let state = self.lock();
        if matches!(*state, State::Running) {
            // SAFETY: `kill` touches no memory. The process is ours and not yet reaped, for reaping
            // holds the same lock. It can fail only when the process has just ended.
            unsafe { libc::kill(pid, signal) };
        }
    }
}
