//! Linux: the process CPU clock for the figure, `/proc` for the rest.
//!
//! `/proc/PID/schedstat` is not used for CPU time: it shows the main thread only, and the sum over
//! `task/*` forgets threads that have ended.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Instant,
};

use super::{MachineSnapshot, Meter, MeterError, ProcessSnapshot};
use crate::record::CpuMeter;

const NS_PER_S: u64 = 1_000_000_000;
/// Upper limit of `pid_max` (proc(5)).
const HIGHEST_PID: libc::pid_t = 1 << 22;

/// Reads the CPU clock and a `/proc` directory.
#[derive(Clone, Debug)]
pub struct LinuxMeter {
    proc: PathBuf,
}

impl LinuxMeter {
    /// A meter over the machine's `/proc`.
    #[must_use]
    pub fn new() -> Self {
        Self::with_proc("/proc")
    }

    /// A meter over another directory of the same shape; the CPU clock stays the system's.
    #[must_use]
    pub fn with_proc(proc: impl Into<PathBuf>) -> Self {
        Self { proc: proc.into() }
    }

    fn run_queue_wait_ns(&self, pid: u32) -> Result<Option<BTreeMap<u32, u64>>, MeterError> {
        let tasks = self.proc.join(pid.to_string()).join("task");
        let failed = |source| process_error(source, pid, &tasks);
        let mut waits = BTreeMap::new();
        for entry in fs::read_dir(&tasks).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path().join("schedstat");
            let text = match read_of_process(&path, pid) {
                Ok(text) => text,
                // The thread ended meanwhile, or the kernel keeps no such count.
                Err(MeterError::Vanished { .. }) => continue,
                Err(error) => return Err(error),
            };
            let Some(thread) = entry
                .file_name()
                .to_str()
                .and_then(|name| name.parse().ok())
            else {
                continue;
            };
            if let Wait::Ns(wait) = parse_wait(&text).ok_or_else(|| malformed(&path, &text))? {
                waits.insert(thread, wait);
            }
        }
        Ok((!waits.is_empty()).then_some(waits))
    }
}

impl Default for LinuxMeter {
    fn default() -> Self {
        Self::new()
    }
}

impl Meter for LinuxMeter {
    fn kind(&self) -> CpuMeter {
        let readings = self
            .process(std::process::id())
            .and(self.machine().map(drop));
        match readings {
            Ok(()) => CpuMeter::ProcessCpuClock,
            Err(error) => CpuMeter::Unavailable {
                reason: error.to_string(),
            },
        }
    }

    fn process(&self, pid: u32) -> Result<ProcessSnapshot, MeterError> {
        let directory = self.proc.join(pid.to_string());
        let (stat_path, status_path) = (directory.join("stat"), directory.join("status"));
        let cpu_ns = process_cpu_ns(pid)?;
        let stat_text = read_of_process(&stat_path, pid)?;
        let stat = parse_stat(&stat_text).ok_or_else(|| malformed(&stat_path, &stat_text))?;
        let status_text = read_of_process(&status_path, pid)?;
        let tick_ns = tick_ns();
        Ok(ProcessSnapshot {
            pid,
            started_ticks: stat.started,
            cpu_ns,
            user_ns_sampled: stat.user * tick_ns,
            system_ns_sampled: stat.system * tick_ns,
            run_queue_wait_ns: self.run_queue_wait_ns(pid)?,
            peak_rss_bytes: parse_peak_rss_bytes(&status_text),
        })
    }

    fn machine(&self) -> Result<MachineSnapshot, MeterError> {
        let path = self.proc.join("stat");
        let text = fs::read_to_string(&path).map_err(|source| file_error(source, &path))?;
        let at = Instant::now();
        let cpu = parse_machine(&text).ok_or_else(|| malformed(&path, &text))?;
        let tick_ns = tick_ns();
        Ok(MachineSnapshot {
            at,
            busy_ns: cpu.busy * tick_ns,
            steal_ns: cpu.steal * tick_ns,
            cores: cpu.cores,
        })
    }
}

/// CPU time of all threads of a process, ended threads included, in ns. Needs no privilege, and
/// works until the process has been waited for.
pub(super) fn process_cpu_ns(pid: u32) -> Result<u64, MeterError> {
    let clock_error = |source: io::Error| match source.raw_os_error() {
        Some(libc::ESRCH | libc::EINVAL) => MeterError::Vanished { pid },
        _ => MeterError::Clock { pid, source },
    };
    // The call takes 0 for the caller, and drops the upper bits of a number that is no process id.
    let id = libc::pid_t::try_from(pid)
        .ok()
        .filter(|id| (1..=HIGHEST_PID).contains(id))
        .ok_or(MeterError::Vanished { pid })?;
    let mut clock: libc::clockid_t = 0;
    // SAFETY: the call writes one `clockid_t` to the address it is given, which is a live local.
    let answer = unsafe { libc::clock_getcpuclockid(id, &raw mut clock) };
    if answer != 0 {
        return Err(clock_error(io::Error::from_raw_os_error(answer)));
    }
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes one `timespec` to the address it is given, which is a live local.
    if unsafe { libc::clock_gettime(clock, &raw mut time) } != 0 {
        return Err(clock_error(io::Error::last_os_error()));
    }
    let (seconds, nanoseconds) = (u64::try_from(time.tv_sec), u64::try_from(time.tv_nsec));
    Ok(seconds.unwrap_or(0) * NS_PER_S + nanoseconds.unwrap_or(0))
}

/// Highest resident memory of this very process since its exec, in bytes. `getrusage` would not do:
/// its peak outlives an exec, so that under `cargo run` it is cargo's.
pub(super) fn own_peak_rss_bytes() -> Option<u64> {
    parse_peak_rss_bytes(&fs::read_to_string("/proc/self/status").ok()?)
}

/// Length of the tick in which `/proc` counts, in ns.
fn tick_ns() -> u64 {
    // SAFETY: `sysconf` reads no memory of ours.
    let ticks_per_s = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    // Linux has shown 100 ticks a second to programs on every architecture but Alpha and IA-64.
    u64::try_from(ticks_per_s)
        .ok()
        .filter(|ticks| *ticks > 0)
        .map_or(NS_PER_S / 100, |ticks| NS_PER_S / ticks)
}

struct Stat {
    user: u64,
    system: u64,
    started: u64,
}

/// Fields 14, 15 and 22 of `/proc/PID/stat` (proc(5)). The name in brackets may itself hold spaces
/// and brackets, so fields are counted from the last bracket, behind which field 3 begins.
fn parse_stat(text: &str) -> Option<Stat> {
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse().ok();
    Some(Stat {
        user: field(14)?,
        system: field(15)?,
        started: field(22)?,
    })
}

#[derive(Debug, PartialEq, Eq)]
enum Wait {
    Ns(u64),
    /// The kernel keeps no count and shows zeros only.
    NotCounted,
}

/// The second number of a thread's `schedstat`: time on CPU, time waiting, times on CPU.
fn parse_wait(text: &str) -> Option<Wait> {
    let numbers: Vec<u64> = text
        .split_ascii_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [run, wait, slices] = numbers[..] else {
        return None;
    };
    Some(if run > 0 || slices > 0 {
        Wait::Ns(wait)
    } else {
        Wait::NotCounted
    })
}

/// `VmHWM` of `/proc/PID/status`; a process that has ended has none.
fn parse_peak_rss_bytes(text: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = value.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

struct MachineTicks {
    busy: u64,
    steal: u64,
    cores: u32,
}

/// The `cpu` line of `/proc/stat` (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal.
/// Guest time behind them is already part of user and nice.
fn parse_machine(text: &str) -> Option<MachineTicks> {
    let total = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = total
        .split_ascii_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let [user, nice, system, _idle, _iowait, irq, softirq, steal, ..] = ticks[..] else {
        return None;
    };
    let is_core = |line: &&str| {
        line.strip_prefix("cpu")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let cores = u32::try_from(text.lines().filter(is_core).count()).ok()?;
    Some(MachineTicks {
        busy: user + nice + system + irq + softirq,
        steal,
        cores,
    })
}

fn read_of_process(path: &Path, pid: u32) -> Result<String, MeterError> {
    fs::read_to_string(path).map_err(|source| process_error(source, pid, path))
}

fn process_error(source: io::Error, pid: u32, path: &Path) -> MeterError {
    let gone =
        source.kind() == io::ErrorKind::NotFound || source.raw_os_error() == Some(libc::ESRCH);
    if gone {
        MeterError::Vanished { pid }
    } else {
        file_error(source, path)
    }
}

fn file_error(source: io::Error, path: &Path) -> MeterError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::PermissionDenied => MeterError::Denied { path },
        _ => MeterError::Unreadable { path, source },
    }
}

fn malformed(path: &Path, text: &str) -> MeterError {
    MeterError::Malformed {
        path: path.to_owned(),
        text: text.chars().take(80).collect(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn stat_is_read_behind_a_name_with_spaces_and_brackets() {
        let text = "42 (a) R b (c) S 1 42 42 0 -1 4194560 100 0 0 0 17 5 0 0 20 0 3 0 8812 1 2";
        let stat = parse_stat(text).unwrap();
        assert_eq!((stat.user, stat.system, stat.started), (17, 5, 8812));
    }

    #[test]
    fn a_short_stat_is_not_read_as_zero() {
        assert!(parse_stat("42 (name) S 1 42").is_none());
        assert!(parse_stat("").is_none());
    }

    #[test]
    fn schedstat_of_a_kernel_without_the_count_is_unknown() {
        assert_eq!(parse_wait("5000 700 3\n"), Some(Wait::Ns(700)));
        assert_eq!(parse_wait("0 0 0\n"), Some(Wait::NotCounted));
        assert_eq!(parse_wait("5000\n"), None);
        assert_eq!(parse_wait("a b c\n"), None);
    }

    #[test]
    fn machine_adds_what_is_busy_and_counts_cores() {
        let text = "cpu  10 20 30 4000 500 6 7 80 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n\
                    cpu1 1 1 1 1 1 1 1 1 1 1\nintr 5\n";
        let ticks = parse_machine(text).unwrap();
        assert_eq!((ticks.busy, ticks.steal, ticks.cores), (73, 80, 2));
    }

    #[test]
    fn peak_memory_comes_in_bytes() {
        assert_eq!(
            parse_peak_rss_bytes("Name:\tx\nVmHWM:\t    2048 kB\n"),
            Some(2048 * 1024)
        );
        assert_eq!(parse_peak_rss_bytes("Name:\tx\nState:\tZ (zombie)\n"), None);
    }

    #[test]
    fn a_refusal_names_the_file_and_the_remedy_and_a_lost_process_its_id() {
        let path = Path::new("/proc/7/stat");
        let error = |number| process_error(io::Error::from_raw_os_error(number), 7, path);
        for refused in [libc::EACCES, libc::EPERM] {
            let words = error(refused).to_string();
            assert!(
                words.starts_with("no permission to read /proc/7/stat; run the wrapper as"),
                "{words}"
            );
        }
        for gone in [libc::ENOENT, libc::ESRCH] {
            assert!(matches!(error(gone), MeterError::Vanished { pid: 7 }));
        }
        assert!(matches!(error(libc::EIO), MeterError::Unreadable { .. }));
    }

    #[test]
    fn a_number_that_is_no_process_id_has_no_clock() {
        for pid in [0, 1 << 23, 1 << 30, u32::MAX] {
            let error = process_cpu_ns(pid).unwrap_err();
            assert!(
                matches!(error, MeterError::Vanished { .. }),
                "{pid}: {error}"
            );
        }
    }
}
