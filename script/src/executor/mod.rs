//! Executors: when the virtual users of a scenario iterate.

mod constant_vus;
mod iteration;
mod per_vu_iterations;
mod scenario_run;
mod shared_iterations;

pub(crate) use iteration::Worker;
pub(crate) use scenario_run::ScenarioRun;

use crate::options::Executor;

/// Lets one virtual user work for its scenario, until that is over.
pub(crate) async fn work(worker: &Worker) {
    match &worker.run.scenario.executor {
        Executor::ConstantVus { .. } => constant_vus::work(worker).await,
        Executor::SharedIterations { iterations, .. } => {
            shared_iterations::work(worker, *iterations).await;
        }
        Executor::PerVuIterations { iterations, .. } => {
            per_vu_iterations::work(worker, *iterations).await;
        }
        Executor::RampingVus { .. }
        | Executor::ConstantArrivalRate { .. }
        | Executor::RampingArrivalRate { .. } => {}
    }
}
