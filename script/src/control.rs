//! Stopping a run, and how far it is.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use tokio::sync::watch;

/// Why a run ends before its scenarios do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Ctrl-C.
    Interrupted,
    /// `exec.test.abort()`, with its message.
    Aborted(String),
    /// A threshold with `abortOnFail` failed.
    Threshold,
    /// The runner itself failed.
    Panicked(String),
}

/// Stops a run and counts what it does. Every thread may use it.
#[derive(Debug)]
pub struct Control {
    everyone: Arc<AtomicBool>,
    closing: AtomicBool,
    stop: watch::Sender<Option<Stop>>,
    failed: Mutex<Option<String>>,
    began: Mutex<Option<Instant>>,
    /// Complete iterations.
    pub iterations: AtomicU64,
    /// Iterations that were interrupted.
    pub interrupted: AtomicU64,
    /// Virtual users that are running iterations.
    pub active: AtomicU64,
    /// Virtual users whose script has been evaluated.
    pub initialised: AtomicU64,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            everyone: Arc::default(),
            closing: AtomicBool::default(),
            stop: watch::channel(None).0,
            failed: Mutex::default(),
            began: Mutex::default(),
            iterations: AtomicU64::default(),
            interrupted: AtomicU64::default(),
            active: AtomicU64::default(),
            initialised: AtomicU64::default(),
        }
    }
}

impl Control {
    /// The switch that stops all virtual users at once.
    pub(crate) fn everyone(&self) -> &Arc<AtomicBool> {
        &self.everyone
    }

    /// Stops all scenarios now, running iterations included. The first reason stands. Teardown and
    /// summary go on when it is Ctrl-C.
    pub fn stop(&self, reason: Stop) {
        if reason != Stop::Interrupted || !self.closing.load(Relaxed) {
            // First the switch: who is woken by the reason must not begin anything new.
            self.everyone.store(true, Relaxed);
        }
        self.stop.send_if_modified(|stop| {
            let first = stop.is_none();
            if first {
                *stop = Some(reason);
            }
            first
        });
    }

    /// Lets JavaScript run again, for teardown and summary.
    pub(crate) fn resume(&self) {
        self.closing.store(true, Relaxed);
        self.everyone.store(false, Relaxed);
    }

    /// Why the run was stopped, if it was.
    #[must_use]
    pub fn stopped(&self) -> Option<Stop> {
        self.stop.borrow().clone()
    }

    /// Returns when the run is stopped.
    pub async fn until_stopped(&self) {
        // The sender is `self`, so it is not gone.
        let _ = self.stop.subscribe().wait_for(Option::is_some).await;
    }

    /// Marks the test as failed without stopping it; the first message stands.
    pub fn fail(&self, message: String) {
        self.failed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(message);
    }

    /// What the test was marked as failed with.
    #[must_use]
    pub fn failed(&self) -> Option<String> {
        self.failed
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Notes that the scenarios begin now.
    pub(crate) fn begin(&self, at: Instant) {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    /// When the scenarios began; `None` before.
    #[must_use]
    pub fn began(&self) -> Option<Instant> {
        *self.began.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
