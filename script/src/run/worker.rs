//! A thread that drives virtual users.

use std::{
    rc::Rc,
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
    time::Instant,
};

use tokio::{
    runtime::{Builder, LocalOptions},
    sync::{oneshot, watch},
    task::spawn_local,
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
    /// Its place among the scenario's virtual users, from 0.
    pub(super) place: u64,
}

impl Slot {
    /// Whether it is made before the run, and not only when it is wanted.
    fn is_planned(&self) -> bool {
        self.place < self.run.scenario.executor.planned_vus()
    }
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
    worker: usize,
    slots: Vec<Slot>,
    start: watch::Receiver<Option<Start>>,
) -> Result<Handle, RunError> {
    let (ready_sender, ready) = oneshot::channel();
    let (recorded_sender, recorded) = oneshot::channel();
    let plan = Arc::clone(plan);
    let drive = move || {
        // A local runtime stays on its thread, so it is made there.
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build_local(LocalOptions::default());
        // Whoever does not wait for what is sent any more does not need it.
        match runtime {
            Ok(runtime) => {
                let work = work(&plan, worker, slots, ready_sender, start);
                let _ = recorded_sender.send(runtime.block_on(work));
            }
            Err(error) => {
                let _ = ready_sender.send(Err(RunError::Start(error.to_string())));
            }
        }
    };
    thread::Builder::new()
        .name("virtual-users".to_owned())
        .spawn(drive)
        .map_err(|error| RunError::Start(error.to_string()))?;
    Ok(Handle { ready, recorded })
}

async fn work(
    plan: &Arc<Plan>,
    worker: usize,
    slots: Vec<Slot>,
    ready: oneshot::Sender<Result<(), RunError>>,
    mut start: watch::Receiver<Option<Start>>,
) -> Recorded {
    let recorder = Recorder::new(plan.test.registry()).with_points(plan.test.points());
    let recorder = Rc::new(recorder);
    let (planned, spare): (Vec<_>, Vec<_>) = slots.into_iter().partition(Slot::is_planned);
    let users = match initialise(plan, planned, &recorder).await {
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
        let mut tasks: Vec<_> = users
            .into_iter()
            .map(|(slot, vm)| spawn_local(drive(slot, vm, start.clone())))
            .collect();
        tasks.extend(spare.into_iter().map(|slot| {
            let (plan, recorder) = (Arc::clone(plan), Rc::clone(&recorder));
            spawn_local(drive_when_wanted(plan, recorder, slot, start.clone()))
        }));
        let publisher = spawn_local(publish(Arc::clone(plan), Rc::clone(&recorder), worker));
        for task in tasks {
            if let Err(error) = task.await {
                let stop = crate::control::Stop::Panicked(error.to_string());
                plan.test.control().stop(stop);
            }
        }
        publisher.abort();
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

/// Makes a virtual user when it is wanted, if that is before the end.
async fn drive_when_wanted(plan: Arc<Plan>, recorder: Rc<Recorder>, slot: Slot, start: Start) {
    let control = plan.test.control();
    tokio::select! {
        () = slot.run.until_wanted() => {}
        () = tokio::time::sleep_until(slot.run.end(start.at).into()) => return,
        () = control.until_stopped() => return,
    }
    match initialise(&plan, vec![slot], &recorder).await {
        Ok(users) => {
            for (slot, vm) in users {
                drive(slot, vm, start.clone()).await;
            }
        }
        Err(error) => plan.test.log().error(error.to_string()),
    }
}

/// Shows what has been recorded whenever the coordinator asks for it.
async fn publish(plan: Arc<Plan>, recorder: Rc<Recorder>, worker: usize) {
    let mut asked = plan.live.asked();
    while asked.changed().await.is_ok() {
        let snapshot = recorder.snapshot(|metric| plan.thresholds.may_abort_on(metric));
        plan.live.publish(worker, snapshot);
    }
}

async fn drive(slot: Slot, vm: Vm, start: Start) {
    let test = Arc::clone(vm.vu().test());
    let prepared = async {
        vm.set_setup_data(start.setup_data).await?;
        vm.set_scenario_environment(&slot.run.scenario.env).await
    };
    if let Err(error) = prepared.await {
        test.log().error(error.to_string());
        return;
    }
    let worker = Worker::new(vm, &slot.run, slot.place, start.at);
    worker.sleep_until(worker.start()).await;
    executor::work(&worker).await;
}
