//! The order of a run: prepare, setup, scenarios, teardown, summary.

use std::{
    collections::BTreeMap,
    rc::Rc,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Duration, Instant},
};

use rquickjs::Value;
use tokio::{runtime, sync::watch, task::LocalSet};

use super::{
    phase::PhaseCall,
    plan::Plan,
    worker::{self, Handle, Slot, Start},
};
use crate::{
    args::ScriptArgs,
    engine::{Phase, setup_data},
    error::RunError,
    log::{Log, Streams},
    metric::{Builtin, Recorded, Recorder},
    options::Executor,
    summary::Totals,
};

/// Runs a script.
pub(super) struct Coordinator<'a> {
    pub(super) args: &'a ScriptArgs,
    pub(super) streams: &'a Streams,
    pub(super) log: Log,
}

/// How often the virtual users are counted.
const VUS_INTERVAL: Duration = Duration::from_secs(1);

impl Coordinator<'_> {
    /// Runs it; an error is what decides the exit code.
    pub(super) fn run(
        &self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), RunError> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| RunError::Start(error.to_string()))?;
        LocalSet::new().block_on(&runtime, self.drive(variables.collect()))
    }

    async fn drive(&self, variables: BTreeMap<String, String>) -> Result<(), RunError> {
        let plan = Arc::new(Plan::new(self.args, &self.log, variables).await?);
        let recorder = Rc::new(Recorder::new(plan.test.registry()));
        let (start, started) = watch::channel(None);
        let workers = self.start_workers(&plan, &started)?;
        drop(started);
        let workers = initialised(workers).await?;

        let began = Instant::now();
        let mut errors = Vec::new();
        let mut samples = Recorded::default();
        let setup_json = match self.setup(&plan, &recorder).await {
            Ok(setup_json) => {
                let at = Instant::now();
                plan.test.control().begin(at);
                let setup_data: Option<Arc<str>> = setup_json.as_deref().map(Into::into);
                let go = Start {
                    at,
                    setup_data: setup_data.clone(),
                };
                // A worker that is gone is found out when its samples are collected.
                let _ = start.send(Some(go));
                let ran = self
                    .scenarios(&plan, &recorder, workers, &mut samples)
                    .await;
                errors.extend(ran.err());
                plan.test.control().resume();
                errors.extend(self.teardown(&plan, &recorder, setup_data).await.err());
                setup_json
            }
            Err(error) => {
                errors.push(error);
                None
            }
        };
        drop(start);
        plan.test.control().resume();
        samples.merge(recorder.take());
        let totals = Totals::new(
            samples,
            plan.test.registry(),
            &plan.thresholds,
            began.elapsed(),
            setup_json,
        );
        errors.extend(self.summarize(&plan, &totals).await.err());
        verdict(&plan, &totals, errors)
    }

    /// Spreads the virtual users of all scenarios over the workers.
    fn start_workers(
        &self,
        plan: &Arc<Plan>,
        started: &watch::Receiver<Option<Start>>,
    ) -> Result<Vec<Handle>, RunError> {
        let users = plan
            .scenarios
            .iter()
            .flat_map(|run| (0..run.scenario.executor.planned_vus()).map(move |_| Arc::clone(run)));
        let workers = self.args.worker_count()?;
        let mut slots: Vec<Vec<Slot>> = vec![Vec::new(); workers];
        for (place, (run, id)) in users.zip(1..).enumerate() {
            slots[place % workers].push(Slot { id, run });
        }
        slots
            .into_iter()
            .filter(|slots| !slots.is_empty())
            .map(|slots| worker::spawn(plan, slots, started.clone()))
            .collect()
    }

    async fn setup(
        &self,
        plan: &Plan,
        recorder: &Rc<Recorder>,
    ) -> Result<Option<String>, RunError> {
        let options = plan.test.options();
        if options.no_setup() || !plan.exports.has("setup") {
            return Ok(None);
        }
        let timeout = options.setup_timeout();
        let call = PhaseCall {
            test: &plan.test,
            recorder,
            phase: Phase::Setup,
            timeout,
        };
        let result = call
            .call(
                |ctx, _| Ok(Value::new_undefined(ctx.clone())),
                |ctx, value| {
                    let json = ctx.json_stringify(value)?;
                    json.map(|json| json.to_string()).transpose()
                },
            )
            .await?;
        result.ok_or(RunError::SetupTimeout(timeout))
    }

    async fn teardown(
        &self,
        plan: &Plan,
        recorder: &Rc<Recorder>,
        setup_json: Option<Arc<str>>,
    ) -> Result<(), RunError> {
        let options = plan.test.options();
        if options.no_teardown() || !plan.exports.has("teardown") {
            return Ok(());
        }
        let timeout = options.teardown_timeout();
        let call = PhaseCall {
            test: &plan.test,
            recorder,
            phase: Phase::Teardown,
            timeout,
        };
        let result = call
            .call(
                move |ctx, vu| match setup_json {
                    Some(json) => ctx.json_parse(&*json),
                    None => setup_data(ctx, vu),
                },
                |_, _| Ok(()),
            )
            .await?;
        result.ok_or(RunError::TeardownTimeout(timeout))
    }

    /// Waits until all virtual users are done.
    async fn scenarios(
        &self,
        plan: &Plan,
        recorder: &Recorder,
        workers: Vec<Handle>,
        samples: &mut Recorded,
    ) -> Result<(), RunError> {
        let control = plan.test.control();
        let all = async {
            for worker in workers {
                match worker.recorded.await {
                    Ok(more) => samples.merge(more),
                    Err(_) => return Err(RunError::Panicked("a worker ended early".to_owned())),
                }
            }
            Ok(())
        };
        let result = tokio::select! {
            result = all => result,
            never = count_users(plan, recorder) => match never {},
        };
        record_dropped(plan, recorder);
        result?;
        match control.stopped() {
            Some(stop) => Err(RunError::Stopped(stop)),
            None => Ok(()),
        }
    }
}

/// The first error decides; the others are logged by whoever found them.
fn verdict(plan: &Plan, totals: &Totals, errors: Vec<RunError>) -> Result<(), RunError> {
    if let Some(error) = errors.into_iter().next() {
        return Err(error);
    }
    if let Some(message) = plan.test.control().failed() {
        return Err(RunError::Failed(message));
    }
    if !totals.thresholds_hold() {
        return Err(RunError::Thresholds(totals.failed_thresholds()));
    }
    Ok(())
}

async fn initialised(mut workers: Vec<Handle>) -> Result<Vec<Handle>, RunError> {
    for worker in &mut workers {
        match (&mut worker.ready).await {
            Ok(result) => result?,
            Err(_) => return Err(RunError::Panicked("a worker ended early".to_owned())),
        }
    }
    Ok(workers)
}

/// Records the virtual users once a second, without end.
async fn count_users(plan: &Plan, recorder: &Recorder) -> std::convert::Infallible {
    let control = plan.test.control();
    let tags = run_tags(plan, recorder);
    loop {
        tokio::time::sleep(VUS_INTERVAL).await;
        for (metric, count) in [
            (Builtin::Vus, &control.active),
            (Builtin::VusMax, &control.initialised),
        ] {
            recorder.record(metric.id(), &tags, count.load(Relaxed) as f64);
        }
    }
}

fn run_tags(plan: &Plan, recorder: &Recorder) -> crate::metric::TagSet {
    let tags = plan.test.options().tags();
    let pairs = tags
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()));
    recorder.tags().with(&recorder.tags().empty(), pairs)
}

/// Iterations that were to be shared and that nobody came to before the end.
fn record_dropped(plan: &Plan, recorder: &Recorder) {
    if plan.test.control().stopped().is_some() {
        return;
    }
    for run in &plan.scenarios {
        let Executor::SharedIterations { iterations, .. } = run.scenario.executor else {
            continue;
        };
        let dropped = run.unclaimed(iterations);
        if dropped > 0 {
            let tags = run_tags(plan, recorder);
            let scenario = [("scenario", run.scenario.name.as_str())];
            let tags = recorder.tags().with(&tags, scenario);
            recorder.record(Builtin::DroppedIterations.id(), &tags, dropped as f64);
        }
    }
}
