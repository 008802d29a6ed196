//! What the coordinator does while the scenarios run.

use std::{
    convert::Infallible,
    io::{IsTerminal, stderr},
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use super::{coordinator::Coordinator, plan::Plan};
use crate::{
    control::Stop,
    executor::ScenarioRun,
    metric::{Builtin, Recorder, TagSet},
};

/// How often the virtual users are counted and progress is shown.
const SECOND: Duration = Duration::from_secs(1);
/// How often thresholds that end the run are looked at.
const THRESHOLD_INTERVAL: Duration = Duration::from_secs(2);
/// How long the workers have for showing their samples.
const PUBLISH_TIME: Duration = Duration::from_millis(100);
/// How often overdue iterations are looked for.
const OVERDUE_INTERVAL: Duration = Duration::from_millis(10);

impl Coordinator<'_> {
    /// Attends to the run without end.
    pub(super) async fn attend(&self, plan: &Plan, recorder: &Recorder, began: Instant) {
        tokio::select! {
            never = self.every_second(plan, recorder, began) => match never {},
            () = watch_thresholds(plan, began) => {}
            () = watch_overdue(plan, recorder, began) => {}
        }
        std::future::pending::<()>().await;
    }

    async fn every_second(&self, plan: &Plan, recorder: &Recorder, began: Instant) -> Infallible {
        let control = plan.test.control();
        let tags = run_tags(plan, recorder);
        let shows_progress = self.signals && !self.args.quiet && stderr().is_terminal();
        loop {
            tokio::time::sleep(SECOND).await;
            let (active, all) = (
                control.active.load(Relaxed),
                control.initialised.load(Relaxed),
            );
            recorder.record(Builtin::Vus.id(), &tags, active as f64);
            recorder.record(Builtin::VusMax.id(), &tags, all as f64);
            if shows_progress {
                let line = format!(
                    "\r\x1b[Krunning ({:.0?}), {active}/{all} VUs, {} complete and {} interrupted \
                     iterations",
                    began.elapsed(),
                    control.iterations.load(Relaxed),
                    control.interrupted.load(Relaxed),
                );
                self.streams.print_error(line.as_bytes());
            }
        }
    }

    /// Takes the progress line away.
    pub(super) fn clear_progress(&self) {
        if self.signals && !self.args.quiet && stderr().is_terminal() {
            self.streams.print_error(b"\r\x1b[K");
        }
    }
}

/// Tags of samples that belong to no virtual user.
fn run_tags(plan: &Plan, recorder: &Recorder) -> TagSet {
    let tags = plan.test.options().tags();
    let pairs = tags
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()));
    recorder.tags().with(&recorder.tags().empty(), pairs)
}

/// Ends the run when a threshold with `abortOnFail` fails.
async fn watch_thresholds(plan: &Plan, began: Instant) {
    if plan.thresholds.aborting().next().is_none() {
        return std::future::pending().await;
    }
    loop {
        tokio::time::sleep(THRESHOLD_INTERVAL.saturating_sub(PUBLISH_TIME)).await;
        plan.live.ask();
        tokio::time::sleep(PUBLISH_TIME).await;
        let series = plan.live.latest().series();
        if plan.thresholds.must_abort(&series, began.elapsed()) {
            plan.test.control().stop(Stop::Threshold);
        }
    }
}

/// Finds iterations of open models that no virtual user came to, so that others are added.
async fn watch_overdue(plan: &Plan, recorder: &Recorder, began: Instant) {
    let runs: Vec<&Arc<ScenarioRun>> = (plan.scenarios.iter())
        .filter(|run| run.has_spare_users())
        .collect();
    if runs.is_empty() {
        return std::future::pending().await;
    }
    while plan.test.control().stopped().is_none() {
        tokio::time::sleep(OVERDUE_INTERVAL).await;
        for run in &runs {
            let dropped = run.drop_overdue(began);
            record_dropped(plan, recorder, run, dropped);
            if dropped > 0 {
                run.warn_of_drops(plan.test.log());
            }
        }
    }
}

/// Iterations that were due and that nobody came to before the end.
pub(super) fn record_left_over(plan: &Plan, recorder: &Recorder) {
    if plan.test.control().stopped().is_none() {
        for run in &plan.scenarios {
            record_dropped(plan, recorder, run, run.left_over());
        }
    }
}

fn record_dropped(plan: &Plan, recorder: &Recorder, run: &ScenarioRun, dropped: u64) {
    if dropped > 0 {
        let tags = run_tags(plan, recorder);
        let tags = recorder
            .tags()
            .with(&tags, [("scenario", run.scenario.name.as_str())]);
        recorder.record(Builtin::DroppedIterations.id(), &tags, dropped as f64);
    }
}
