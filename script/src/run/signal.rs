//! Ctrl-C and SIGTERM.

use std::{process, sync::Arc, thread};

use tokio::{runtime, sync::oneshot};

use crate::{control::Stop, error::exit, test::Test};

/// Watches for signals while it lives, on a thread of its own: JavaScript may keep the others
/// busy.
pub(super) struct Signals {
    _alive: Option<oneshot::Sender<()>>,
}

impl Signals {
    /// The first signal ends the run in order, the second one at once.
    pub(super) fn watch(test: &Arc<Test>) -> Self {
        let (alive, gone) = oneshot::channel();
        let watched = Arc::clone(test);
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let started = runtime.and_then(|runtime| {
            thread::Builder::new()
                .name("signals".to_owned())
                .spawn(move || runtime.block_on(until_gone(gone, &watched)))
        });
        if let Err(error) = &started {
            test.log()
                .warn(format!("signals are not looked after: {error}"));
        }
        Self {
            _alive: started.is_ok().then_some(alive),
        }
    }
}

async fn until_gone(gone: oneshot::Receiver<()>, test: &Test) {
    let act = async {
        signalled().await;
        test.log()
            .warn("interrupted; a second signal ends without teardown and summary");
        test.control().stop(Stop::Interrupted);
        signalled().await;
        process::exit(i32::from(exit::INTERRUPTED));
    };
    tokio::select! {
        _ = gone => {}
        () = act => {}
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
