//! Samples that are looked at while the run lasts.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use tokio::sync::watch;

use crate::metric::Recorded;

/// Copies of what the workers have recorded, made when the coordinator asks.
#[derive(Debug)]
pub(super) struct Live {
    ask: watch::Sender<()>,
    published: Mutex<BTreeMap<usize, Recorded>>,
}

impl Default for Live {
    fn default() -> Self {
        Self {
            ask: watch::channel(()).0,
            published: Mutex::default(),
        }
    }
}

impl Live {
    /// Asks all workers for a copy.
    pub(super) fn ask(&self) {
        // Workers may be done already.
        let _ = self.ask.send(());
    }

    /// Tells a worker when it is asked.
    pub(super) fn asked(&self) -> watch::Receiver<()> {
        self.ask.subscribe()
    }

    /// Leaves a worker's copy.
    pub(super) fn publish(&self, worker: usize, recorded: Recorded) {
        self.published
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(worker, recorded);
    }

    /// The latest copies of all workers, merged.
    pub(super) fn latest(&self) -> Recorded {
        let published = self
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        published
            .values()
            .fold(Recorded::default(), |mut all, more| {
                all.merge(more.clone());
                all
            })
    }
}
