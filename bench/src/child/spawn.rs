//! Starts processes that cannot outlive the wrapper.

use std::{
    io,
    os::unix::process::CommandExt,
    process::{Child, Command},
    sync::{LazyLock, mpsc},
    thread,
};

struct Request {
    command: Command,
    answer: mpsc::Sender<io::Result<Child>>,
}

/// Linux sends a parent-death signal when the *thread* that forked ends. A worker of some thread
/// pool may end long before the wrapper does, so one thread that never ends does all the forking.
static SPAWNER: LazyLock<mpsc::Sender<Request>> = LazyLock::new(|| {
    let (requests, inbox) = mpsc::channel::<Request>();
    // Without the thread the inbox is gone, and every request is answered with an error.
    let _ = thread::Builder::new()
        .name("spawner".to_owned())
        .spawn(move || {
            for Request {
                mut command,
                answer,
            } in inbox
            {
                // The asker waits for the answer; if it is gone, nobody wants the child.
                if let Err(mpsc::SendError(Ok(mut unwanted))) = answer.send(command.spawn()) {
                    let _ = unwanted.kill();
                    let _ = unwanted.wait();
                }
            }
        });
    requests
});

/// Starts a command in a process group of its own, so that Ctrl-C reaches the wrapper alone and the
/// wrapper ends its children in order. On Linux the kernel kills the child when the wrapper dies,
/// even by SIGKILL; elsewhere only an orderly end of the wrapper does.
pub(super) fn spawn(mut command: Command) -> io::Result<Child> {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    die_with_parent(&mut command);
    let (answer, answered) = mpsc::channel();
    let lost = || io::Error::other("the thread that starts processes could not be started");
    SPAWNER
        .send(Request { command, answer })
        .map_err(|_| lost())?;
    answered.recv().map_err(|_| lost())?
}

#[cfg(target_os = "linux")]
fn die_with_parent(command: &mut Command) {
    let parent = std::process::id();
    let ask_for_signal = move || {
        // SAFETY: this option of `prctl` takes a number and touches no memory.
        if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
            return Err(io::Error::last_os_error());
        }
        // The wrapper may have died before the request: then nobody would send the signal.
        if std::os::unix::process::parent_id() != parent {
            return Err(io::Error::from_raw_os_error(libc::ESRCH));
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only makes the system calls `prctl` and `getppid`
    // and allocates nothing.
    unsafe { command.pre_exec(ask_for_signal) };
}
