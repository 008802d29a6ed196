//! The order of a run: prepare, setup, scenarios, teardown, summary.

use std::{collections::BTreeMap, rc::Rc, sync::Arc, time::Instant};

use rquickjs::Value;
use tokio::{
    runtime::{Builder, LocalOptions},
    sync::watch,
};

use super::{
    attendant::record_left_over,
    phase::PhaseCall,
    plan::Plan,
    signal::Signals,
    worker::{self, Handle, Slot, Start},
};
use crate::{
    args::ScriptArgs,
    engine::{Phase, setup_data},
    error::RunError,
    log::{Log, Streams},
    metric::{Recorded, Recorder},
    output::{self, Output},
    summary::Totals,
};

/// Runs a script.
pub(super) struct Coordinator<'a> {
    pub(super) args: &'a ScriptArgs,
    pub(super) streams: &'a Streams,
    pub(super) log: Log,
    /// Whether to look after Ctrl-C and show progress.
    pub(super) signals: bool,
}

impl Coordinator<'_> {
    /// Runs it; an error is what decides the exit code.
    pub(super) fn run(
        &self,
        variables: impl Iterator<Item = (String, String)>,
    ) -> Result<(), RunError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build_local(LocalOptions::default())
            .map_err(|error| RunError::Start(error.to_string()))?;
        runtime.block_on(self.drive(variables.collect()))
    }

    async fn drive(&self, variables: BTreeMap<String, String>) -> Result<(), RunError> {
        let plan = Arc::new(Plan::new(self.args, &self.log, variables).await?);
        let outputs = self.start_outputs(&plan)?;
        let recorder = Recorder::new(plan.test.registry()).with_points(plan.test.points());
        let recorder = Rc::new(recorder);
        let _signals = self.signals.then(|| Signals::watch(&plan.test));
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
        drop(recorder);
        plan.test.set_points(None);
        for output in outputs {
            errors.extend(output.finish().err());
        }
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
        let users = plan.scenarios.iter().flat_map(|run| {
            let places = 0..run.scenario.executor.max_vus();
            places.map(move |place| (Arc::clone(run), place))
        });
        let workers = self.args.worker_count()?;
        let mut slots: Vec<Vec<Slot>> = vec![Vec::new(); workers];
        for (nth, ((run, place), id)) in users.zip(1..).enumerate() {
            slots[nth % workers].push(Slot { id, run, place });
        }
        slots
            .into_iter()
            .enumerate()
            .filter(|(_, slots)| !slots.is_empty())
            .map(|(worker, slots)| worker::spawn(plan, worker, slots, started.clone()))
            .collect()
    }

    fn start_outputs(&self, plan: &Plan) -> Result<Vec<Output>, RunError> {
        if let [_, second, ..] = self.args.out.as_slice() {
            return Err(RunError::Argument {
                name: "out",
                value: second.clone(),
                expected: "one output only",
            });
        }
        let mut outputs = Vec::new();
        for name in &self.args.out {
            let test = &plan.test;
            let (output, points) = output::start(name, test, test.options(), self.streams)?;
            test.set_points(Some(points));
            outputs.push(output);
        }
        Ok(outputs)
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
        let began = control.began().unwrap_or_else(Instant::now);
        let result = tokio::select! {
            result = all => result,
            () = self.attend(plan, recorder, began) => Ok(()),
        };
        self.clear_progress();
        record_left_over(plan, recorder);
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
    // In teardown or the summary, which went on.
    if let Some(stop) = plan.test.control().stopped() {
        return Err(RunError::Stopped(stop));
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
