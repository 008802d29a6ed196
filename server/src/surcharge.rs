//! A planted cost: burns a known share of extra CPU, so that a test can see whether a measurement
//! finds it.
//!
//! Every 16th request compares the CPU time of the process with what was burnt so far and spins
//! until `burnt = share × (total − burnt)`. It calibrates itself: whatever the requests cost on
//! this machine, the surcharge stays the same share of it. Without the layer nothing is paid.

use std::{
    sync::{
        Arc, Mutex, TryLockError,
        atomic::{AtomicU32, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use tower::{Layer, Service};

use crate::clock;

/// Requests between two settlements. Reading the process clock is a system call that sums over all
/// threads, too dear for every request.
const REQUESTS_PER_SETTLEMENT: u32 = 16;

/// Adds the surcharge to every service that it wraps; they share one account.
#[derive(Clone, Debug)]
pub struct SurchargeLayer {
    account: Arc<Account>,
}

impl SurchargeLayer {
    /// Burns `share` (0.15 = 15 %) of the CPU time that the process uses from now on.
    #[must_use]
    pub fn new(share: f64) -> Self {
        let account = Account {
            share,
            opened_at: clock::process_cpu().unwrap_or_default(),
            requests: AtomicU32::new(0),
            burnt: Mutex::new(Duration::ZERO),
        };
        Self {
            account: Arc::new(account),
        }
    }
}

impl<S> Layer<S> for SurchargeLayer {
    type Service = SurchargedService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        SurchargedService {
            inner,
            account: Arc::clone(&self.account),
        }
    }
}

/// A service that burns extra CPU now and then before it answers.
#[derive(Clone, Debug)]
pub struct SurchargedService<S> {
    inner: S,
    account: Arc<Account>,
}

impl<S, R> Service<R> for SurchargedService<S>
where
    S: Service<R>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: R) -> S::Future {
        self.account.count_request();
        self.inner.call(request)
    }
}

/// What is owed and what was paid.
#[derive(Debug)]
struct Account {
    share: f64,
    opened_at: Duration,
    requests: AtomicU32,
    burnt: Mutex<Duration>,
}

impl Account {
    fn count_request(&self) {
        let nth = self.requests.fetch_add(1, Ordering::Relaxed);
        if nth % REQUESTS_PER_SETTLEMENT == REQUESTS_PER_SETTLEMENT - 1 {
            self.settle();
        }
    }

    /// One thread at a time pays; another that comes meanwhile leaves it to the next settlement.
    fn settle(&self) {
        let mut burnt = match self.burnt.try_lock() {
            Ok(burnt) => burnt,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        let Some(now) = clock::process_cpu() else {
            return;
        };
        let total = now.saturating_sub(self.opened_at);
        let debt = debt(self.share, total, *burnt);
        *burnt += clock::burn(debt);
    }
}

/// What is still to be burnt of `total`, of which `burnt` was burnt on purpose.
fn debt(share: f64, total: Duration, burnt: Duration) -> Duration {
    let own = total.saturating_sub(burnt);
    own.mul_f64(share).saturating_sub(burnt)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn debt_is_the_share_of_the_own_time_less_what_was_paid() {
        assert_eq!(debt(0.15, 100 * MS, Duration::ZERO), 15 * MS);
        assert_eq!(debt(0.15, 115 * MS, 15 * MS), Duration::ZERO);
        assert_eq!(debt(0.15, 215 * MS, 15 * MS), 15 * MS);
        assert_eq!(debt(0.15, 100 * MS, 50 * MS), Duration::ZERO);
    }
}
