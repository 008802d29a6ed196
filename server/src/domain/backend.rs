//! The time that a backend behind the store would take.

use std::time::Duration;

use super::Bookstore;

/// Waits as long as the store's backend takes for one operation; an adapter does so once for each
/// operation that it asks for, whatever else it then reads for the same answer. The clock is tokio's,
/// which rounds up to the next millisecond.
///
/// Without a delay nothing is waited for, and the caller does not give up its turn.
pub async fn reach(store: &dyn Bookstore) {
    if let Some(delay) = store.backend_delay() {
        sleep(delay).await;
    }
}

/// Boxed, so that a request that waits for nothing does not carry a timer about.
fn sleep(delay: Duration) -> std::pin::Pin<Box<tokio::time::Sleep>> {
    Box::pin(tokio::time::sleep(delay))
}
