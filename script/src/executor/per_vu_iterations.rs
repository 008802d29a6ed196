//! A number of iterations for each virtual user.

use super::iteration::Worker;

pub(super) async fn work(worker: &Worker, iterations: u64) {
    let (end, hard_end) = (worker.end(), worker.run.hard_end(worker.began));
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
