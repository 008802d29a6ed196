//! Executors: when the virtual users of a scenario iterate.

mod arrival_rate;
mod arrivals;
mod iteration;
mod iterations;
mod ramping_vus;
mod scenario_run;
mod schedule;

pub(crate) use iteration::Worker;
pub(crate) use scenario_run::ScenarioRun;

use crate::options::Executor;
use ramping_vus::Ramp;

/// Lets one virtual user work for its scenario, until that is over.
pub(crate) async fn work(worker: &Worker) {
    match &worker.run.scenario.executor {
        Executor::ConstantVus { .. } => {
            worker.iterate_until(worker.end(), worker.hard_end()).await;
        }
        Executor::SharedIterations { iterations, .. } => {
            iterations::share(worker, *iterations).await;
        }
        Executor::PerVuIterations { iterations, .. } => {
            iterations::repeat(worker, *iterations).await;
        }
        Executor::RampingVus {
            start_vus,
            stages,
            graceful_ramp_down,
        } => {
            let ramp = Ramp {
                start_vus: *start_vus,
                stages,
                graceful_ramp_down: *graceful_ramp_down,
            };
            ramping_vus::work(worker, &ramp).await;
        }
        Executor::ConstantArrivalRate { .. } | Executor::RampingArrivalRate { .. } => {
            arrival_rate::work(worker).await;
        }
    }
}
