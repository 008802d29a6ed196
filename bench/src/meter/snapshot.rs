//! Readings at one moment, and what lies between two of them.

use std::{collections::BTreeMap, time::Instant};

use super::MeterError;
use crate::record::{MachineUsage, ProcessUsage};

/// One process at one moment; counters run from its start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSnapshot {
    /// The process.
    pub pid: u32,
    /// When the process started, in clock ticks since boot; tells a reused process id.
    pub started_ticks: u64,
    /// CPU time of all threads, finished ones included, in ns.
    pub cpu_ns: u64,
    /// The part in user space, in ns; in steps of the kernel's tick.
    pub user_ns_sampled: u64,
    /// The part in the kernel, in ns; in steps of the kernel's tick.
    pub system_ns_sampled: u64,
    /// Time that each living thread was runnable and waited for a CPU, in ns by thread id; absent
    /// when the kernel keeps no such count.
    pub run_queue_wait_ns: Option<BTreeMap<u32, u64>>,
    /// Highest resident memory so far, in bytes; absent once the process has ended.
    pub peak_rss_bytes: Option<u64>,
}

impl ProcessSnapshot {
    /// What the process used from this snapshot to a later one.
    ///
    /// # Errors
    ///
    /// [`MeterError::Replaced`] when the snapshots show two processes.
    pub fn usage_until(&self, later: &Self) -> Result<ProcessUsage, MeterError> {
        if (self.pid, self.started_ticks) != (later.pid, later.started_ticks) {
            return Err(MeterError::Replaced { pid: later.pid });
        }
        Ok(ProcessUsage {
            cpu_us: Some(elapsed_us(self.cpu_ns, later.cpu_ns)),
            user_cpu_us_sampled: Some(elapsed_us(self.user_ns_sampled, later.user_ns_sampled)),
            system_cpu_us_sampled: Some(elapsed_us(
                self.system_ns_sampled,
                later.system_ns_sampled,
            )),
            run_queue_wait_us: self.run_queue_wait_us_until(later),
            peak_rss_bytes: later.peak_rss_bytes,
        })
    }

    /// A thread that ended takes its count with it, so only those alive at the end are summed.
    fn run_queue_wait_us_until(&self, later: &Self) -> Option<f64> {
        let before = self.run_queue_wait_ns.as_ref()?;
        let after = later.run_queue_wait_ns.as_ref()?;
        let waited = |(thread, end): (&u32, &u64)| {
            elapsed_us(before.get(thread).copied().unwrap_or(0), *end)
        };
        Some(after.iter().map(waited).sum())
    }
}

/// The whole machine at one moment; counters run from boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineSnapshot {
    /// When it was read.
    pub at: Instant,
    /// Busy time of all cores, in ns; in steps of the kernel's tick.
    pub busy_ns: u64,
    /// Time that the hypervisor gave to others, in ns; in steps of the kernel's tick.
    pub steal_ns: u64,
    /// Cores that are switched on.
    pub cores: u32,
}

impl MachineSnapshot {
    /// What the machine did from this snapshot to a later one.
    #[must_use]
    pub fn usage_until(&self, later: &Self) -> MachineUsage {
        let window = later.at.saturating_duration_since(self.at);
        MachineUsage {
            busy_us: elapsed_us(self.busy_ns, later.busy_ns),
            steal_us: elapsed_us(self.steal_ns, later.steal_ns),
            capacity_us: window.as_secs_f64() * 1e6 * f64::from(later.cores),
        }
    }
}

/// From nanoseconds at two moments to microseconds between them. The kernel's sampled counters may
/// step back by a tick, which counts as no time.
fn elapsed_us(before_ns: u64, after_ns: u64) -> f64 {
    after_ns.saturating_sub(before_ns) as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::time::Duration;

    use super::*;

    fn snapshot(cpu_ns: u64, waits: &[(u32, u64)]) -> ProcessSnapshot {
        ProcessSnapshot {
            pid: 7,
            started_ticks: 100,
            cpu_ns,
            user_ns_sampled: cpu_ns / 2,
            system_ns_sampled: cpu_ns / 4,
            run_queue_wait_ns: Some(waits.iter().copied().collect()),
            peak_rss_bytes: Some(cpu_ns * 10),
        }
    }

    #[test]
    fn usage_is_the_difference_in_microseconds_and_the_later_peak() {
        let before = snapshot(1_000_000, &[(7, 5_000)]);
        let usage = before
            .usage_until(&snapshot(3_500_000, &[(7, 9_000)]))
            .unwrap();
        assert_eq!(
            usage,
            ProcessUsage {
                cpu_us: Some(2_500.0),
                user_cpu_us_sampled: Some(1_250.0),
                system_cpu_us_sampled: Some(625.0),
                run_queue_wait_us: Some(4.0),
                peak_rss_bytes: Some(35_000_000),
            }
        );
    }

    #[test]
    fn run_queue_wait_counts_new_threads_in_full_and_ended_threads_not_at_all() {
        let before = snapshot(0, &[(7, 1_000), (8, 50_000)]);
        let usage = before
            .usage_until(&snapshot(0, &[(7, 3_000), (9, 4_000)]))
            .unwrap();
        assert_eq!(usage.run_queue_wait_us, Some(6.0));
    }

    #[test]
    fn a_reused_process_id_is_an_error() {
        let before = snapshot(0, &[]);
        let other = ProcessSnapshot {
            started_ticks: 101,
            ..snapshot(9_000, &[])
        };
        let error = before.usage_until(&other).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("process id 7 belongs to another process"),
            "{error}"
        );
    }

    #[test]
    fn machine_capacity_is_window_times_cores() {
        let at = Instant::now();
        let before = MachineSnapshot {
            at,
            busy_ns: 1_000,
            steal_ns: 0,
            cores: 4,
        };
        let later = MachineSnapshot {
            at: at + Duration::from_millis(500),
            busy_ns: 5_000,
            steal_ns: 2_000,
            cores: 4,
        };
        assert_eq!(
            before.usage_until(&later),
            MachineUsage {
                busy_us: 4.0,
                steal_us: 2.0,
                capacity_us: 2_000_000.0
            }
        );
    }
}
