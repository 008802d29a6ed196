//! Iterating for some time: a closed loop.

use super::iteration::Worker;

pub(super) async fn work(worker: &Worker) {
    let (end, hard_end) = (worker.end(), worker.run.hard_end(worker.began));
    worker
        .guarded(hard_end, async {
            while worker.may_start(end) {
                worker.iterate(hard_end).await;
            }
        })
        .await;
}
