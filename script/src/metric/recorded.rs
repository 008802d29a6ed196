//! What workers have recorded.

use std::collections::BTreeSet;

use super::{Kind, Metric, Place, Sink};

/// Samples of a metric that belong to the same of its parts.
#[derive(Clone, Debug)]
pub(super) struct Class {
    /// Places of the parts that samples of this class belong to.
    pub(super) parts: Vec<usize>,
    /// Where they were made; nowhere unless places are kept apart.
    pub(super) place: Place,
    pub(super) sink: Sink,
}

/// How often a check passed and failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckCount {
    /// Path of the group that it is in; empty at the root.
    pub group: String,
    /// Its name.
    pub name: String,
    /// Passed.
    pub passes: u64,
    /// Failed.
    pub fails: u64,
}

/// A group in which something was recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRecord {
    /// Its path, for example `::outer::inner`.
    pub path: String,
}

/// Samples of a metric and of its parts, merged over all workers.
#[derive(Clone, Debug)]
pub struct Series {
    /// The metric.
    pub metric: Metric,
    /// All its samples; absent when there were none.
    pub all: Option<Sink>,
    /// Those of its parts, in the order of the metric's `submetrics`.
    pub parts: Vec<Option<Sink>>,
}

/// Everything that workers have recorded.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    pub(super) metrics: Vec<RecordedMetric>,
    /// Checks in the order in which they were first seen.
    pub checks: Vec<CheckCount>,
    /// Groups in the order in which they were first seen.
    pub groups: Vec<GroupRecord>,
}

#[derive(Clone, Debug)]
pub(super) struct RecordedMetric {
    pub(super) metric: Metric,
    pub(super) classes: Vec<Class>,
}

impl Recorded {
    /// Takes over what another worker has recorded.
    pub fn merge(&mut self, other: Self) {
        for more in other.metrics {
            let known = self
                .metrics
                .iter_mut()
                .find(|known| known.metric.name == more.metric.name);
            match known {
                None => self.metrics.push(more),
                Some(known) => known.merge(more.classes),
            }
        }
        for more in other.checks {
            let same =
                |known: &&mut CheckCount| known.name == more.name && known.group == more.group;
            match self.checks.iter_mut().find(same) {
                None => self.checks.push(more),
                Some(known) => {
                    known.passes += more.passes;
                    known.fails += more.fails;
                }
            }
        }
        for group in other.groups {
            if !self.groups.contains(&group) {
                self.groups.push(group);
            }
        }
    }

    /// The samples of every metric that has some.
    #[must_use]
    pub fn series(&self) -> Vec<Series> {
        self.series_at(|_| true)
    }

    /// The samples of some places, of every metric that has some there.
    pub fn series_at(&self, is_wanted: impl Fn(&Place) -> bool) -> Vec<Series> {
        let series = (self.metrics.iter()).map(|metric| metric.series(&is_wanted));
        series.filter(|series| series.all.is_some()).collect()
    }

    /// Names of the scenarios in which something was recorded, sorted; none unless places were kept
    /// apart.
    #[must_use]
    pub fn scenarios(&self) -> BTreeSet<&str> {
        let classes = self.metrics.iter().flat_map(|metric| &metric.classes);
        classes
            .map(|class| class.place.scenario.as_str())
            .filter(|name| !name.is_empty())
            .collect()
    }
}

impl RecordedMetric {
    fn merge(&mut self, classes: Vec<Class>) {
        for more in classes {
            let known = self
                .classes
                .iter_mut()
                .find(|known| known.parts == more.parts && known.place == more.place);
            match known {
                None => self.classes.push(more),
                Some(known) => known.sink.merge(more.sink),
            }
        }
    }

    fn series(&self, is_wanted: impl Fn(&Place) -> bool) -> Series {
        let kind = self.metric.kind;
        let classes = || (self.classes.iter()).filter(|class| is_wanted(&class.place));
        let parts = 0..self.metric.submetrics.len();
        Series {
            metric: self.metric.clone(),
            all: merged(kind, classes()),
            parts: parts
                .map(|part| {
                    let in_part = |class: &&Class| class.parts.contains(&part);
                    merged(kind, classes().filter(in_part))
                })
                .collect(),
        }
    }
}

fn merged<'a>(kind: Kind, classes: impl Iterator<Item = &'a Class>) -> Option<Sink> {
    classes.fold(None, |sum, class| {
        let mut sum = sum.unwrap_or_else(|| Sink::new(kind));
        sum.merge(class.sink.clone());
        Some(sum)
    })
}
