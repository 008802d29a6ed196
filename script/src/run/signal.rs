//! Ctrl-C and SIGTERM.

use std::{process, sync::Arc};

use tokio::task::{AbortHandle, spawn_local};

use crate::{control::Stop, error::exit, test::Test};

/// Watches for signals while it lives.
pub(super) struct Signals(AbortHandle);

impl Signals {
    /// The first signal ends the run in order, the second one at once.
    pub(super) fn watch(test: &Arc<Test>) -> Self {
        let test = Arc::clone(test);
        let task = spawn_local(async move {
            signalled().await;
            test.log()
                .warn("interrupted; a second signal ends without teardown and summary");
            test.control().stop(Stop::Interrupted);
            signalled().await;
            process::exit(i32::from(exit::INTERRUPTED));
        });
        Self(task.abort_handle())
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.0.abort();
    }
}

#[cfg(unix)]
async fn signalled() {
    use tokio::signal::unix::{SignalKind, signal};
    let (interrupt, terminate) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    );
    match (interrupt, terminate) {
        (Ok(mut interrupt), Ok(mut terminate)) => {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        // Then the system ends the process, as for every program.
        _ => std::future::pending().await,
    }
}

#[cfg(not(unix))]
async fn signalled() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}
