//! A timer finer than tokio's millisecond.

#[cfg(target_os = "linux")]
pub(crate) use linux::Timer;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::Timer;

#[cfg(target_os = "linux")]
mod linux {
    use std::{io, os::fd::OwnedFd, time::Instant};

    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use tokio::io::{Interest, unix::AsyncFd};

    /// The kernel's high-resolution timer, waited for like a socket.
    #[derive(Debug)]
    pub(crate) struct Timer(AsyncFd<OwnedFd>);

    impl Timer {
        /// Needs a tokio runtime.
        pub(crate) fn new() -> io::Result<Self> {
            let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
            let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
            // SAFETY: an `OwnedFd` is open as long as it lives and always the same descriptor.
            let registered = unsafe { AsyncFd::register_with_interest(timer, Interest::READABLE) };
            Ok(Self(registered?))
        }

        /// Returns at once when the moment is past.
        pub(crate) async fn wait_until(&self, due: Instant) -> io::Result<()> {
            let wait = due.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return Ok(());
            }
            let once = Itimerspec {
                it_interval: Timespec::default(),
                it_value: Timespec::try_from(wait).map_err(io::Error::other)?,
            };
            timerfd_settime(self.0.get_ref(), TimerfdTimerFlags::empty(), &once)?;
            loop {
                let mut ready = self.0.readable().await?;
                let mut expirations = [0; 8];
                let read =
                    ready.try_io(|timer| Ok(rustix::io::read(timer.get_ref(), &mut expirations)?));
                if let Ok(read) = read {
                    return read.map(drop);
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::{io, time::Instant};

    /// Tokio's timer, which is exact to a millisecond.
    #[derive(Debug)]
    pub(crate) struct Timer;

    impl Timer {
        #[expect(clippy::unnecessary_wraps, reason = "the same call on every system")]
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        /// Returns at once when the moment is past.
        #[expect(clippy::unnecessary_wraps, reason = "the same call on every system")]
        pub(crate) async fn wait_until(&self, due: Instant) -> io::Result<()> {
            tokio::time::sleep_until(due.into()).await;
            Ok(())
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[tokio::test]
    async fn it_never_fires_early_and_works_again_and_again() {
        let timer = Timer::new().unwrap();
        let start = Instant::now();
        for step in 1..=5 {
            let due = start + step * Duration::from_micros(300);
            timer.wait_until(due).await.unwrap();
            assert!(Instant::now() >= due);
        }
        timer.wait_until(start).await.unwrap();
    }
}
