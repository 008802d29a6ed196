//! Where the samples of one worker go.

use std::{
    cell::RefCell,
    mem,
    sync::{Arc, mpsc::Sender},
};

use super::{
    CheckCount, GroupRecord, Metric, MetricId, Place, Point, Recorded, Registry, Sink, TagSet,
    TagSets,
    point::Points,
    recorded::{Class, RecordedMetric},
};

/// Collects the samples of one worker without locks; its parts are merged at the end.
///
/// Samples are not kept by tag set, of which there may be very many, but by *class*: which of the
/// metric's parts they belong to, and where they were made if the registry keeps places apart. So
/// nothing is stored twice, and parts stay exact.
#[derive(Debug)]
pub struct Recorder {
    registry: Arc<Registry>,
    tags: TagSets,
    metrics: RefCell<Vec<MetricClasses>>,
    checks: RefCell<Vec<CheckCount>>,
    groups: RefCell<Vec<GroupRecord>>,
    points: Option<Points>,
}

#[derive(Debug)]
struct MetricClasses {
    metric: Metric,
    keeps_places: bool,
    /// By the id of the tag set: the place in `classes`, plus 1.
    by_tags: Vec<u32>,
    classes: Vec<Class>,
}

impl Recorder {
    /// One without samples.
    #[must_use]
    pub fn new(registry: &Arc<Registry>) -> Self {
        Self {
            registry: Arc::clone(registry),
            tags: TagSets::default(),
            metrics: RefCell::default(),
            checks: RefCell::default(),
            groups: RefCell::default(),
            points: None,
        }
    }

    /// Sends every sample too, if there is somebody to send it to.
    #[must_use]
    pub fn with_points(mut self, sender: Option<Sender<Point>>) -> Self {
        self.points = sender.map(Points::new);
        self
    }

    /// The tag sets of this worker.
    #[must_use]
    pub fn tags(&self) -> &TagSets {
        &self.tags
    }

    /// Adds a sample; ms for a trend of times.
    pub fn record(&self, metric: MetricId, tags: &TagSet, value: f64) {
        self.with_sink(metric, tags, |sink| sink.record(value));
        if let Some(points) = &self.points {
            points.send(metric, tags, value);
        }
    }

    /// Adds a measured duration, in ns.
    pub fn record_ns(&self, metric: MetricId, tags: &TagSet, ns: u64) {
        self.with_sink(metric, tags, |sink| sink.record_ns(ns));
        if let Some(points) = &self.points {
            points.send(metric, tags, ns as f64 / 1e6);
        }
    }

    /// Adds measured durations of several metrics, in ns, that all have the same tags.
    pub fn record_all_ns(&self, tags: &TagSet, durations: &[(MetricId, u64)]) {
        let mut metrics = self.metrics.borrow_mut();
        for &(metric, ns) in durations {
            self.sink(&mut metrics, metric, tags).record_ns(ns);
        }
        if let Some(points) = &self.points {
            for &(metric, ns) in durations {
                points.send(metric, tags, ns as f64 / 1e6);
            }
        }
    }

    fn with_sink(&self, metric: MetricId, tags: &TagSet, add: impl FnOnce(&mut Sink)) {
        add(self.sink(&mut self.metrics.borrow_mut(), metric, tags));
    }

    #[inline]
    fn sink<'a>(
        &self,
        metrics: &'a mut Vec<MetricClasses>,
        metric: MetricId,
        tags: &TagSet,
    ) -> &'a mut Sink {
        if metric.0 >= metrics.len() {
            self.learn(metrics);
        }
        metrics[metric.0].sink(tags)
    }

    /// Takes over what was registered since the last time.
    #[cold]
    fn learn(&self, metrics: &mut Vec<MetricClasses>) {
        let known = self.registry.metrics();
        let new = known.into_iter().skip(metrics.len());
        let keeps_places = self.registry.keeps_places();
        metrics.extend(new.map(|metric| MetricClasses::new(metric, keeps_places)));
    }

    /// Counts a check in a group.
    pub fn count_check(&self, group: &str, name: &str, passed: bool) {
        self.see_group(group);
        let mut checks = self.checks.borrow_mut();
        let known = checks
            .iter()
            .position(|check| check.name == name && check.group == group);
        let place = known.unwrap_or_else(|| {
            checks.push(CheckCount {
                group: group.to_owned(),
                name: name.to_owned(),
                passes: 0,
                fails: 0,
            });
            checks.len() - 1
        });
        let check = &mut checks[place];
        check.passes += u64::from(passed);
        check.fails += u64::from(!passed);
    }

    /// Notes that something was recorded in a group.
    pub fn see_group(&self, path: &str) {
        let mut groups = self.groups.borrow_mut();
        if !path.is_empty() && !groups.iter().any(|group| group.path == path) {
            groups.push(GroupRecord {
                path: path.to_owned(),
            });
        }
    }

    /// Takes out everything recorded so far.
    pub fn take(&self) -> Recorded {
        let metrics = mem::take(&mut *self.metrics.borrow_mut());
        Recorded {
            metrics: metrics.into_iter().map(MetricClasses::finish).collect(),
            checks: self.checks.take(),
            groups: self.groups.take(),
        }
    }

    /// A copy of everything recorded so far for some metrics.
    pub fn snapshot(&self, is_wanted: impl Fn(&Metric) -> bool) -> Recorded {
        let metrics = self.metrics.borrow();
        let wanted = metrics.iter().filter(|known| is_wanted(&known.metric));
        Recorded {
            metrics: wanted.map(MetricClasses::copy).collect(),
            checks: self.checks.borrow().clone(),
            groups: self.groups.borrow().clone(),
        }
    }
}

impl MetricClasses {
    fn new(metric: Metric, keeps_places: bool) -> Self {
        Self {
            metric,
            keeps_places,
            by_tags: Vec::new(),
            classes: Vec::new(),
        }
    }

    #[inline]
    fn sink(&mut self, tags: &TagSet) -> &mut Sink {
        let place = match self.by_tags.get(tags.id()) {
            Some(&known) if known > 0 => known as usize - 1,
            _ => self.find_class(tags),
        };
        &mut self.classes[place].sink
    }

    #[cold]
    fn find_class(&mut self, tags: &TagSet) -> usize {
        let parts: Vec<usize> = (self.metric.submetrics.iter().enumerate())
            .filter_map(|(place, part)| part.has(tags).then_some(place))
            .collect();
        let made_at = if self.keeps_places {
            Place::of(tags)
        } else {
            Place::default()
        };
        let is_same = |class: &Class| class.parts == parts && class.place == made_at;
        let known = self.classes.iter().position(is_same);
        let place = known.unwrap_or_else(|| {
            self.classes.push(Class {
                sink: Sink::new(self.metric.kind),
                place: made_at,
                parts,
            });
            self.classes.len() - 1
        });
        if self.by_tags.len() <= tags.id() {
            self.by_tags.resize(tags.id() + 1, 0);
        }
        // Classes are combinations of the parts that thresholds name, and of places: far fewer than
        // u32 holds.
        self.by_tags[tags.id()] = u32::try_from(place + 1).unwrap_or_default();
        place
    }

    fn finish(self) -> RecordedMetric {
        RecordedMetric {
            metric: self.metric,
            classes: self.classes,
        }
    }

    fn copy(&self) -> RecordedMetric {
        RecordedMetric {
            metric: self.metric.clone(),
            classes: self.classes.clone(),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::metric::{Builtin, Contains, Kind};

    /// The sum of a counter, as text so that it can be compared.
    fn count(sink: Option<&Sink>) -> String {
        match sink {
            Some(Sink::Counter { sum }) => sum.to_string(),
            other => panic!("no counter: {other:?}"),
        }
    }

    #[test]
    fn parts_are_kept_apart_and_merged_over_workers() {
        let registry = Arc::new(Registry::default());
        registry.keep_apart("http_reqs{scenario:a}").unwrap();
        registry.keep_apart("http_reqs{status:200}").unwrap();
        let mut merged = Recorded::default();
        for worker in 0..2_u8 {
            let recorder = Recorder::new(&registry);
            let tags = recorder.tags();
            let both = tags.with(&tags.empty(), [("scenario", "a"), ("status", "200")]);
            let other = tags.with(&tags.empty(), [("scenario", "b"), ("status", "404")]);
            let url = tags.with(&both, [("url", "http://x/")]);
            let id = Builtin::HttpReqs.id();
            recorder.record(id, &both, 1.0);
            recorder.record(id, &url, 1.0);
            recorder.record(id, &other, f64::from(worker));
            merged.merge(recorder.take());
        }
        let series = merged.series();
        assert_eq!(series.len(), 1);
        assert_eq!(count(series[0].all.as_ref()), "5");
        assert_eq!(count(series[0].parts[0].as_ref()), "4");
        assert_eq!(count(series[0].parts[1].as_ref()), "4");
    }

    #[test]
    fn places_are_kept_apart_where_somebody_asks_for_it() {
        let registry = Arc::new(Registry::default());
        for (keeps, at_g, scenarios) in [(false, None, 0), (true, Some("2"), 2)] {
            if keeps {
                registry.keep_places();
            }
            let recorder = Recorder::new(&registry);
            let tags = recorder.tags();
            for (group, scenario, value) in [("", "a", 1.0), ("::g", "a", 1.5), ("::g", "b", 0.5)] {
                let tags = tags.with(&tags.empty(), [("group", group), ("scenario", scenario)]);
                recorder.record(Builtin::HttpReqs.id(), &tags, value);
            }
            let taken = recorder.take();
            assert_eq!(count(taken.series()[0].all.as_ref()), "3");
            let of_g = taken.series_at(|place| place.group == "::g");
            let at = of_g.first().map(|series| count(series.all.as_ref()));
            assert_eq!(at.as_deref(), at_g);
            assert_eq!(taken.scenarios().len(), scenarios);
        }
    }

    #[test]
    fn a_metric_registered_late_is_found() {
        let registry = Arc::new(Registry::default());
        let recorder = Recorder::new(&registry);
        recorder.record(Builtin::Vus.id(), &recorder.tags().empty(), 1.0);
        let late = registry
            .register("late_one", Kind::Counter, Contains::Default)
            .unwrap();
        recorder.record(late, &recorder.tags().empty(), 2.0);
        let series = recorder.take().series();
        assert_eq!(count(series.last().unwrap().all.as_ref()), "2");
    }

    #[test]
    fn checks_keep_the_order_in_which_they_came() {
        let recorder = Recorder::new(&Arc::new(Registry::default()));
        recorder.count_check("", "second", true);
        recorder.count_check("::g", "first", false);
        recorder.count_check("", "second", false);
        let taken = recorder.take();
        let names: Vec<_> = taken
            .checks
            .iter()
            .map(|check| check.name.as_str())
            .collect();
        assert_eq!(names, ["second", "first"]);
        assert_eq!((taken.checks[0].passes, taken.checks[0].fails), (1, 1));
        assert_eq!(taken.groups[0].path, "::g");
    }
}
