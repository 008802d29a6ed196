//! One virtual user at work for a scenario.

use std::{
    cell::Cell,
    rc::Rc,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use tokio::task::{AbortHandle, spawn_local};

use super::ScenarioRun;
use crate::{
    control::{Control, Stop},
    engine::{Activation, CallError, Phase, Vm, Vu},
    log::{Level, Log},
    metric::{Builtin, TagSet},
};

/// A virtual user that works for a scenario.
pub(crate) struct Worker {
    pub(super) vm: Vm,
    /// The scenario.
    pub(crate) run: Arc<ScenarioRun>,
    /// When the run began.
    began: Instant,
    /// Its place among the virtual users of the scenario, from 0.
    place: u64,
    function: Rc<str>,
    tags: TagSet,
    iteration: Cell<u64>,
}

/// What became of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// It ran to its end, or threw.
    Complete,
    /// It was stopped.
    Interrupted,
}

impl Worker {
    /// Puts a virtual user to work for a scenario.
    pub(crate) fn new(vm: Vm, run: &Arc<ScenarioRun>, place: u64, began: Instant) -> Self {
        let scenario = &run.scenario;
        let vu = vm.vu();
        let options_tags = vu.options().tags();
        let has_tag = |tag: &str| vu.options().has_system_tag(tag);
        let run_tags = options_tags.iter().chain(&scenario.tags);
        let mut tags: Vec<(&str, &str)> = run_tags
            .map(|(key, value)| (key.as_str(), value.as_str()))
            .collect();
        if has_tag("scenario") {
            tags.push(("scenario", &scenario.name));
        }
        if has_tag("group") {
            tags.push(("group", ""));
        }
        let sets = vu.recorder().tags();
        let tags = sets.with(&sets.empty(), tags);
        let activation = Activation {
            scenario: scenario.name.clone(),
            run: Some(Arc::clone(run)),
        };
        vu.activate(Phase::Iteration, Rc::new(activation), tags.clone());
        Self {
            run: Arc::clone(run),
            began,
            place,
            function: scenario.exec.as_str().into(),
            tags,
            iteration: Cell::new(0),
            vm,
        }
    }

    /// Its place among the virtual users of the scenario, from 0.
    pub(super) fn place(&self) -> u64 {
        self.place
    }

    /// Whether it was made before the run.
    pub(super) fn is_planned(&self) -> bool {
        self.place < self.run.scenario.executor.planned_vus()
    }

    /// When the scenario begins.
    pub(crate) fn start(&self) -> Instant {
        self.run.start(self.began)
    }

    /// When no more iterations start.
    pub(super) fn end(&self) -> Instant {
        self.run.end(self.began)
    }

    /// When running iterations are interrupted.
    pub(super) fn hard_end(&self) -> Instant {
        self.run.hard_end(self.began)
    }

    /// Iterates as long as iterations may start.
    pub(super) async fn iterate_until(&self, end: Instant, hard_end: Instant) {
        self.guarded(hard_end, async {
            // The clock is read once for both questions.
            let mut now = Instant::now();
            while self.may_start_at(now, end) {
                self.iterate_from(now, hard_end).await;
                now = Instant::now();
            }
        })
        .await;
    }

    /// Whether another iteration may start before `end`.
    pub(super) fn may_start(&self, end: Instant) -> bool {
        self.may_start_at(Instant::now(), end)
    }

    fn may_start_at(&self, now: Instant, end: Instant) -> bool {
        now < end && !self.vm.vu().test().control().everyone().load(Relaxed)
    }

    /// Where messages go.
    pub(super) fn log(&self) -> &Log {
        self.vm.vu().test().log()
    }

    /// Counts iterations that were due and did not start.
    pub(super) fn record_dropped(&self, count: u64) {
        let recorder = self.vm.vu().recorder();
        recorder.record(Builtin::DroppedIterations.id(), &self.tags, count as f64);
    }

    /// Runs the scenario's function once; it is stopped at `hard_end`.
    pub(super) async fn iterate(&self, hard_end: Instant) -> Ended {
        self.iterate_from(Instant::now(), hard_end).await
    }

    async fn iterate_from(&self, began: Instant, hard_end: Instant) -> Ended {
        let vu = self.vm.vu();
        let control = vu.test().control();
        let in_test = self.run.start_iteration();
        let iteration = self.iteration.replace(self.iteration.get() + 1);
        vu.begin(iteration, iteration, in_test);
        let result = self.vm.call(&self.function, Some(hard_end)).await;
        let took = began.elapsed();
        let ended = self.note_failure(result);
        self.leave_groups();
        vu.record_traffic();
        if ended == Ended::Interrupted {
            control.interrupted.fetch_add(1, Relaxed);
            return ended;
        }
        control.iterations.fetch_add(1, Relaxed);
        let ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        let recorder = vu.recorder();
        let tags = vu.tags();
        recorder.record_ns(Builtin::IterationDuration.id(), &tags, ns);
        recorder.record(Builtin::Iterations.id(), &tags, 1.0);
        self.pad(took, hard_end).await;
        if !vu.interrupt().has_waited() {
            // Nobody else on this thread has had a turn.
            tokio::task::yield_now().await;
        }
        ended
    }

    /// Goes back to the root group, where an iteration was stopped within one. Tags that the
    /// script has set stay.
    fn leave_groups(&self) {
        let vu = self.vm.vu();
        if vu
            .tags()
            .get("group")
            .is_some_and(|group| !group.is_empty())
        {
            vu.set_tags(vu.tags_with([("group", "")]));
        }
    }

    /// Waits until `minIterationDuration` is over.
    async fn pad(&self, took: Duration, hard_end: Instant) {
        let least = self.vm.vu().options().min_iteration_duration();
        if let Some(rest) = least.checked_sub(took).filter(|rest| !rest.is_zero()) {
            self.sleep_until((Instant::now() + rest).min(hard_end))
                .await;
        }
    }

    /// Waits, unless the run is stopped.
    pub(crate) async fn sleep_until(&self, until: Instant) {
        tokio::select! {
            () = tokio::time::sleep_until(until.into()) => {}
            () = self.vm.vu().test().control().until_stopped() => {}
        }
    }

    fn note_failure(&self, result: Result<(), CallError>) -> Ended {
        let test = self.vm.vu().test();
        let error = match result {
            Ok(()) => return Ended::Complete,
            Err(CallError::Interrupted) => return Ended::Interrupted,
            Err(error) => error,
        };
        test.log().write(
            Level::Error,
            &error.to_string(),
            &[
                ("executor", self.run.scenario.executor.name()),
                ("scenario", &self.run.scenario.name),
                ("source", "stacktrace"),
            ],
        );
        if let CallError::Panicked(panicked) = error {
            test.control().stop(Stop::Panicked(panicked.0));
        }
        Ended::Complete
    }

    /// Does the work, and stops what still runs at `hard_end` or when the run is stopped.
    pub(super) async fn guarded(&self, hard_end: Instant, work: impl Future<Output = ()>) {
        let vu = self.vm.vu();
        let _active = Active::new(vu.test().control());
        let _guard = Guard::new(vu, hard_end);
        work.await;
    }
}

/// Interrupts a virtual user in time, while it lives. It is a task of its own, so that it costs
/// nothing when the user only goes on.
struct Guard(AbortHandle);

impl Guard {
    fn new(vu: &Vu, hard_end: Instant) -> Self {
        let test = Arc::clone(vu.test());
        let interrupt = Rc::clone(vu.interrupt());
        let task = spawn_local(async move {
            tokio::select! {
                () = tokio::time::sleep_until(hard_end.into()) => {}
                () = test.control().until_stopped() => {}
            }
            interrupt.trigger();
        });
        Self(task.abort_handle())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Counts a virtual user as active while it lives.
struct Active<'a>(&'a Control);

impl<'a> Active<'a> {
    fn new(control: &'a Control) -> Self {
        control.active.fetch_add(1, Relaxed);
        Self(control)
    }
}

impl Drop for Active<'_> {
    fn drop(&mut self) {
        self.0.active.fetch_sub(1, Relaxed);
    }
}
