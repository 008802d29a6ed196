//! An open model: iterations start when they are due.

use std::time::Instant;

use super::iteration::Worker;

pub(super) async fn work(worker: &Worker) {
    let Some(arrivals) = worker.run.arrivals() else {
        return;
    };
    let (start, end, hard_end) = (worker.start(), worker.end(), worker.hard_end());
    worker
        .guarded(hard_end, async {
            let mut is_first = worker.is_planned();
            while worker.may_start(end) || is_first {
                let claim = if is_first {
                    arrivals.first_claim()
                } else {
                    arrivals.claim(start.elapsed())
                };
                is_first = false;
                if claim.dropped > 0 {
                    worker.record_dropped(claim.dropped);
                    worker.run.warn_of_drops(worker.log());
                }
                let Some(due) = claim.due else { return };
                let due = start + due;
                if due > Instant::now() {
                    worker.sleep_until(due).await;
                }
                if worker.may_start(hard_end) {
                    worker.iterate(hard_end).await;
                }
            }
        })
        .await;
}
