//! Arrays that all virtual users share.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Items as JSON.
pub(super) type Items = Arc<[Arc<str>]>;

/// Every shared array of a test, by name.
#[derive(Debug, Default)]
pub(super) struct SharedArrays(Mutex<HashMap<String, Items>>);

impl SharedArrays {
    pub(super) fn get(&self, name: &str) -> Option<Items> {
        let arrays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        arrays.get(name).cloned()
    }

    /// Keeps the items, unless there are some of that name; gives those that count.
    pub(super) fn insert(&self, name: String, items: Vec<Arc<str>>) -> Items {
        let mut arrays = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(arrays.entry(name).or_insert_with(|| items.into()))
    }
}
