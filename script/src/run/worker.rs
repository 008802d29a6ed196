//! A thread that drives virtual users.

use std::{
    rc::Rc,
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::Instant,
};

use tokio::{
    runtime,
    sync::{oneshot, watch},
    task::{LocalSet, spawn_local},
};

use super::plan::Plan;
use crate::{
    engine::Vm,
    error::RunError,
    executor::{self, ScenarioRun, Worker},
    metric::{Recorded, Recorder},
};

/// A virtual user that is to be made.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Its number, from 1.
    pub(super) id: u64,
    /// The scenario that it works for.
    pub(super) run: Arc<ScenarioRun>,
}

/// Lets the virtual users begin.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) at: Instant,
    /// What setup returned, as JSON; `None` for undefined.
    pub(super) setup_data: Option<Arc<str>>,
}

/// A running worker.
pub(super) struct Handle {
    /// All its virtual users are initialised, or one could not be.
    pub(super) ready: oneshot::Receiver<Result<(), RunError>>,
    /// What they have recorded, when all are done.
    pub(super) recorded: oneshot::Receiver<Recorded>,
}

/// Starts a thread for some virtual users. They begin when `start` says so, and end without
/// having begun when its sender is gone.
pub(super) fn spawn(
    plan: &Arc<Plan>,
    slots: Vec<Slot>,
    start: watch::Receiver<Option<Start>>,
) -> Result<Handle, RunError> {
    let (ready_sender, ready) = oneshot::channel();
    let (recorded_sender, recorded) = oneshot::channel();
    let plan = Arc::clone(plan);
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| RunError::Start(error.to_string()))?;
    let drive = move || {
        let result = LocalSet::new().block_on(&runtime, work(&plan, slots, ready_sender, start));
        // Whoever does not wait for it any more does not need it.
        let _ = recorded_sender.send(result);
    };
    thread::Builder::new()
        .name("virtual-users".to_owned())
        .spawn(drive)
        .map_err(|error| RunError::Start(error.to_string()))?;
    Ok(Handle { ready, recorded })
}

async fn work(
    plan: &Arc<Plan>,
    slots: Vec<Slot>,
    ready: oneshot::Sender<Result<(), RunError>>,
    mut start: watch::Receiver<Option<Start>>,
) -> Recorded {
    let recorder = Rc::new(Recorder::new(plan.test.registry()));
    let users = match initialise(plan, slots, &recorder).await {
        Ok(users) => users,
        Err(error) => {
            // Without a coordinator there is no run either.
            let _ = ready.send(Err(error));
            return Recorded::default();
        }
    };
    let _ = ready.send(Ok(()));
    let start = match start.wait_for(Option::is_some).await {
        Ok(start) => start.clone(),
        Err(_) => None,
    };
    if let Some(start) = start {
        let tasks: Vec<_> = users
            .into_iter()
            .map(|(slot, vm)| spawn_local(drive(slot, vm, start.clone())))
            .collect();
        for task in tasks {
            if let Err(error) = task.await {
                let stop = crate::control::Stop::Panicked(error.to_string());
                plan.test.control().stop(stop);
            }
        }
    }
    recorder.take()
}

async fn initialise(
    plan: &Arc<Plan>,
    slots: Vec<Slot>,
    recorder: &Rc<Recorder>,
) -> Result<Vec<(Slot, Vm)>, RunError> {
    let mut users = Vec::with_capacity(slots.len());
    for slot in slots {
        let vm = Vm::new(&plan.test, recorder, slot.id)?;
        vm.init().await?;
        plan.test.control().initialised.fetch_add(1, Relaxed);
        users.push((slot, vm));
    }
    Ok(users)
}

async fn drive(slot: Slot, vm: Vm, start: Start) {
    let test = Arc::clone(vm.vu().test());
    let control = test.control();
    let prepared = async {
        vm.set_setup_data(start.setup_data).await?;
        vm.set_scenario_environment(&slot.run.scenario.env).await
    };
    if let Err(error) = prepared.await {
        test.log().error(error.to_string());
        return;
    }
    let worker = Worker::new(vm, &slot.run, start.at);
    worker
        .sleep_until(start.at + slot.run.scenario.start_time)
        .await;
    control.active.fetch_add(1, Relaxed);
    executor::work(&worker).await;
    control.active.fetch_sub(1, Relaxed);
}
