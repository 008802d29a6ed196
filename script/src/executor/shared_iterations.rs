//! Sharing a number of iterations.

use super::iteration::Worker;

pub(super) async fn work(worker: &Worker, iterations: u64) {
    let (end, hard_end) = (worker.end(), worker.run.hard_end(worker.began));
    worker
        .guarded(hard_end, async {
            while worker.may_start(end) && worker.run.claim(iterations) {
                worker.iterate(hard_end).await;
            }
        })
        .await;
}
