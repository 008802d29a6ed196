//! Stopping a virtual user, whether it waits or computes.

use std::{
    cell::{Cell, RefCell},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::Waker,
    time::Instant,
};

/// Tells the fiber of one virtual user to stop. A native function that waits returns at once, and
/// JavaScript that computes is stopped by the engine's interrupt handler.
#[derive(Debug, Default)]
pub struct Interrupt {
    triggered: Cell<bool>,
    waited: Cell<bool>,
    deadline: Cell<Option<Instant>>,
    waker: RefCell<Option<Waker>>,
    everyone: Arc<AtomicBool>,
}

impl Interrupt {
    /// An interrupt that also follows a switch shared by all virtual users of a run.
    #[must_use]
    pub fn new(everyone: &Arc<AtomicBool>) -> Self {
        Self {
            everyone: Arc::clone(everyone),
            ..Self::default()
        }
    }

    /// Stops what is running now, until [`Self::arm`].
    pub fn trigger(&self) {
        self.triggered.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Makes ready for the next call, which JavaScript may compute in until `deadline`.
    pub fn arm(&self, deadline: Option<Instant>) {
        self.triggered.set(false);
        self.waited.set(false);
        self.deadline.set(deadline);
    }

    /// Whether the last call has ever put its fiber aside, and so let others run.
    pub fn has_waited(&self) -> bool {
        self.waited.get()
    }

    /// Whether to stop now.
    pub fn is_triggered(&self) -> bool {
        self.triggered.get() || self.everyone.load(Relaxed)
    }

    /// Whether JavaScript that computes must stop. A computation keeps the timers of its thread
    /// from running, so the deadline is looked at here.
    pub(super) fn stops_computation(&self) -> bool {
        if self
            .deadline
            .get()
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            self.triggered.set(true);
        }
        self.is_triggered()
    }

    pub(super) fn note_wait(&self) {
        self.waited.set(true);
    }

    pub(super) fn wake_with(&self, waker: &Waker) {
        let mut known = self.waker.borrow_mut();
        if !known.as_ref().is_some_and(|known| known.will_wake(waker)) {
            *known = Some(waker.clone());
        }
    }
}
