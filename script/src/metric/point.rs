//! Single samples, for outputs that write every one.

use std::{
    cell::RefCell,
    sync::{Arc, mpsc::Sender},
    time::SystemTime,
};

use super::{MetricId, TagSet};

/// A sample.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its metric.
    pub metric: MetricId,
    /// When it was recorded.
    pub at: SystemTime,
    /// Its value; ms in a trend of times.
    pub value: f64,
    /// Its tags as a JSON object.
    pub tags: Arc<str>,
}

/// Sends points from one worker.
#[derive(Debug)]
pub(super) struct Points {
    sender: Sender<Point>,
    /// Tags as JSON, by the id of the set.
    tags: RefCell<Vec<Option<Arc<str>>>>,
}

impl Points {
    pub(super) fn new(sender: Sender<Point>) -> Self {
        Self {
            sender,
            tags: RefCell::default(),
        }
    }

    pub(super) fn send(&self, metric: MetricId, tags: &TagSet, value: f64) {
        let point = Point {
            metric,
            at: SystemTime::now(),
            value,
            tags: self.json(tags),
        };
        // When the writer has failed, it has said so.
        let _ = self.sender.send(point);
    }

    fn json(&self, tags: &TagSet) -> Arc<str> {
        let mut known = self.tags.borrow_mut();
        if known.len() <= tags.id() {
            known.resize(tags.id() + 1, None);
        }
        let json = known[tags.id()].get_or_insert_with(|| {
            let object: serde_json::Map<String, serde_json::Value> = tags
                .iter()
                .map(|(key, value)| (key.to_owned(), value.into()))
                .collect();
            serde_json::Value::Object(object).to_string().into()
        });
        Arc::clone(json)
    }
}
