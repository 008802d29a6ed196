//! A number of iterations, shared or for each virtual user.

use super::iteration::Worker;

/// Iterates until all users together have done so many.
pub(super) async fn share(worker: &Worker, iterations: u64) {
    let (end, hard_end) = (worker.end(), worker.hard_end());
    worker
        .guarded(hard_end, async {
            while worker.may_start(end) && worker.run.claim(iterations) {
                worker.iterate(hard_end).await;
            }
        })
        .await;
}

/// Iterates so many times.
pub(super) async fn repeat(worker: &Worker, iterations: u64) {
    let (end, hard_end) = (worker.end(), worker.hard_end());
    worker
        .guarded(hard_end, async {
            for done in 0..iterations {
                if !worker.may_start(end) {
                    worker.record_dropped(iterations - done);
                    break;
                }
                worker.iterate(hard_end).await;
            }
        })
        .await;
}
