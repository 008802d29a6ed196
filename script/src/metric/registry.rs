//! The metrics of a test.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{Builtin, Submetric, SubmetricError};

/// What is made of the samples of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A sum.
    Counter,
    /// The last value, and the smallest and largest.
    Gauge,
    /// The share of samples that are not zero.
    Rate,
    /// A distribution.
    Trend,
}

impl Kind {
    /// As k6 writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Rate => "rate",
            Self::Trend => "trend",
        }
    }
}

/// What the values of a metric are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contains {
    /// Plain numbers.
    Default,
    /// Milliseconds.
    Time,
    /// Bytes.
    Data,
}

impl Contains {
    /// As k6 writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Time => "time",
            Self::Data => "data",
        }
    }
}

/// A metric's place in its [`Registry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetricId(pub(super) usize);

impl MetricId {
    /// Its place in [`Registry::metrics`].
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

/// A metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Its name.
    pub name: String,
    /// What is made of its samples.
    pub kind: Kind,
    /// What its values are.
    pub contains: Contains,
    /// Parts of it that are kept apart by their tags.
    pub submetrics: Vec<Submetric>,
}

/// Why a metric cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegistryError {
    /// The name has a character that is not allowed, or is too short or long.
    #[error(
        "invalid metric name {0:?}; a name begins with a letter or _ and has 2 to 129 letters, \
         digits and _"
    )]
    Name(String),
    /// There is a metric of that name already, and it is another one.
    #[error("metric {name} exists already as a {existing} of {contains} values; use another name")]
    Conflict {
        /// The name.
        name: String,
        /// Kind of the existing metric.
        existing: &'static str,
        /// What the existing one contains.
        contains: &'static str,
    },
}

/// All metrics of a test: the built-in ones and those of the script.
#[derive(Debug)]
pub struct Registry {
    metrics: Mutex<Vec<Metric>>,
    keeps_places: AtomicBool,
}

impl Default for Registry {
    /// The built-in metrics.
    fn default() -> Self {
        Self {
            metrics: Mutex::new(
                Builtin::ALL
                    .iter()
                    .map(|builtin| builtin.metric())
                    .collect(),
            ),
            keeps_places: AtomicBool::new(false),
        }
    }
}

impl Registry {
    /// Has recorders that are made from now on keep groups and scenarios apart.
    pub fn keep_places(&self) {
        self.keeps_places.store(true, Relaxed);
    }

    /// Whether groups and scenarios are kept apart.
    #[must_use]
    pub fn keeps_places(&self) -> bool {
        self.keeps_places.load(Relaxed)
    }

    /// The metric of that name; it is new, or the same kind as before.
    ///
    /// # Errors
    /// When the name cannot be one, or means another kind of metric.
    pub fn register(
        &self,
        name: &str,
        kind: Kind,
        contains: Contains,
    ) -> Result<MetricId, RegistryError> {
        if !is_name(name) {
            return Err(RegistryError::Name(name.to_owned()));
        }
        let mut metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = metrics.iter().position(|metric| metric.name == name) {
            let existing = &metrics[id];
            if existing.kind == kind && existing.contains == contains {
                return Ok(MetricId(id));
            }
            return Err(RegistryError::Conflict {
                name: name.to_owned(),
                existing: existing.kind.name(),
                contains: existing.contains.name(),
            });
        }
        metrics.push(Metric {
            name: name.to_owned(),
            kind,
            contains,
            submetrics: Vec::new(),
        });
        Ok(MetricId(metrics.len() - 1))
    }

    /// Keeps a part of a metric apart from now on, and gives the metric. Do this before the first
    /// sample.
    ///
    /// # Errors
    /// When the metric does not exist or the text is no `metric{tag:value}`.
    pub fn keep_apart(&self, text: &str) -> Result<Metric, SubmetricError> {
        let (name, submetric) = Submetric::parse(text)?;
        let mut metrics = self.metrics.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(metric) = metrics.iter_mut().find(|metric| metric.name == name) else {
            return Err(SubmetricError::UnknownMetric(name.to_owned()));
        };
        if let Some(submetric) = submetric
            && !metric
                .submetrics
                .iter()
                .any(|known| known.name == submetric.name)
        {
            metric.submetrics.push(submetric);
        }
        Ok(metric.clone())
    }

    /// All metrics, in the order of their ids.
    #[must_use]
    pub fn metrics(&self) -> Vec<Metric> {
        self.metrics
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && (1..=128).contains(&characters.clone().count())
        && characters.all(|character| character.is_ascii_alphanumeric() || character == '_')
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn the_same_metric_may_be_registered_again_but_not_another() {
        let registry = Registry::default();
        let id = registry
            .register("orders", Kind::Counter, Contains::Default)
            .unwrap();
        assert_eq!(
            registry.register("orders", Kind::Counter, Contains::Default),
            Ok(id)
        );
        let conflict = registry
            .register("orders", Kind::Trend, Contains::Time)
            .unwrap_err();
        assert!(
            conflict
                .to_string()
                .contains("orders exists already as a counter")
        );
    }

    #[test]
    fn names_are_checked() {
        let registry = Registry::default();
        for name in ["a", "1ab", "a-b", "a b", "", &"a".repeat(130)] {
            assert_eq!(
                registry.register(name, Kind::Rate, Contains::Default),
                Err(RegistryError::Name(name.to_owned())),
            );
        }
        registry
            .register("_b", Kind::Rate, Contains::Default)
            .unwrap();
    }
}
