//! What was done, and how much of it for callers that had given up.

use std::{
    fmt::Write as _,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// Sums over all work since the start, and what is under way.
#[derive(Debug, Default)]
pub struct Account {
    /// Pieces of work that are under way.
    running: AtomicU64,
    /// Pieces of work that were begun.
    begun: AtomicU64,
    /// CPU that work took, in µs.
    cpu_us: AtomicU64,
    /// CPU that work took after its caller had given up, in µs.
    late_cpu_us: AtomicU64,
    /// Time that work went on after its caller had given up, in µs.
    late_us: AtomicU64,
    /// The longest such time of one piece of work, in µs.
    longest_late_us: AtomicU64,
}

impl Account {
    /// Work begins.
    pub fn begin(&self) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::Relaxed);
    }

    /// CPU was spent, for a caller that had given up or not.
    pub fn spend(&self, cpu: Duration, late: bool) {
        self.cpu_us.fetch_add(microseconds(cpu), Ordering::Relaxed);
        if late {
            let cpu_us = microseconds(cpu);
            self.late_cpu_us.fetch_add(cpu_us, Ordering::Relaxed);
        }
    }

    /// Work has ended, so long after its caller gave up.
    pub fn end(&self, late: Duration) {
        let late_us = microseconds(late);
        self.late_us.fetch_add(late_us, Ordering::Relaxed);
        self.longest_late_us.fetch_max(late_us, Ordering::Relaxed);
        // Last, so that whoever sees that nothing runs sees the whole account.
        self.running.fetch_sub(1, Ordering::Release);
    }

    /// The account in the Prometheus text format.
    pub fn exposition(&self) -> String {
        let mut text = String::with_capacity(1_024);
        let running = self.running.load(Ordering::Acquire).to_string();
        let mut push = |name: &str, kind: &str, help: &str, value: String| {
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"
            );
        };
        push("work_running", "gauge", "Work that is under way.", running);
        let begun = self.begun.load(Ordering::Relaxed).to_string();
        push("work_begun_total", "counter", "Work that was begun.", begun);
        for (name, kind, help, us) in [
            (
                "work_cpu_seconds_total",
                "counter",
                "CPU time of work in seconds.",
                &self.cpu_us,
            ),
            (
                "work_cpu_after_caller_seconds_total",
                "counter",
                "CPU time of work after its caller had given up, in seconds.",
                &self.late_cpu_us,
            ),
            (
                "work_after_caller_seconds_total",
                "counter",
                "Time that work went on after its caller had given up, in seconds.",
                &self.late_us,
            ),
            (
                "work_after_caller_seconds_max",
                "gauge",
                "The longest time that work went on after its caller had given up, in seconds.",
                &self.longest_late_us,
            ),
        ] {
            let us = us.load(Ordering::Relaxed);
            let seconds = format!("{}.{:06}", us / 1_000_000, us % 1_000_000);
            push(name, kind, help, seconds);
        }
        text
    }
}

fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
