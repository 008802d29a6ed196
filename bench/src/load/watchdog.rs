//! Ends operations that get no answer.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::Poll,
    time::{Duration, Instant},
};

use tokio::time::{Sleep, sleep};

use super::failure::OperationError;

/// The time limit of one virtual user's operations.
///
/// One timer serves them all: it stays set while operations come and go and, when it fires, looks
/// how old the operation in hand is. Setting a timer for each would cost more than the rest of the
/// book-keeping.
#[derive(Debug)]
pub(super) struct Watchdog {
    limit: Duration,
    timer: Pin<Box<Sleep>>,
}

impl Watchdog {
    /// Needs a tokio runtime.
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            limit,
            timer: Box::pin(sleep(limit)),
        }
    }

    /// Waits for an operation that started at `start`, at most until the limit is over.
    pub(super) async fn guard<T>(
        &mut self,
        start: Instant,
        operation: impl Future<Output = Result<T, OperationError>>,
    ) -> Result<T, OperationError> {
        let mut operation = pin!(operation);
        let end = start + self.limit;
        poll_fn(|cx| {
            if let Poll::Ready(result) = operation.as_mut().poll(cx) {
                return Poll::Ready(result);
            }
            while self.timer.as_mut().poll(cx).is_ready() {
                if Instant::now() >= end {
                    return Poll::Ready(Err(OperationError::Silent(self.limit)));
                }
                self.timer.as_mut().reset(end.into());
            }
            Poll::Pending
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use super::*;

    #[tokio::test]
    async fn one_timer_ends_every_silent_operation_and_no_other() {
        let mut watchdog = Watchdog::new(Duration::from_millis(20));
        for _ in 0..3 {
            let start = Instant::now();
            let result = watchdog.guard(start, pending::<Result<(), _>>()).await;
            assert!(matches!(result, Err(OperationError::Silent(_))));
            assert!(start.elapsed() >= Duration::from_millis(20));
            // The timer has fired; an operation with an answer must not notice.
            assert!(watchdog.guard(start, ready(Ok(()))).await.is_ok());
        }
    }
}
