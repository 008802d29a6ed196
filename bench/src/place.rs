//! Which CPUs the server and its load run on.

use std::{env, io, process::Command};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::machine;

/// Where the load runs beside a server that has the first half of the CPUs to itself or not. Without a
/// place the system decides, and both may run anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// On the server's CPUs.
    Shared,
    /// On the other half.
    Pinned,
}

/// CPUs by their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cpus(Vec<usize>);

/// Why processes cannot be put on CPUs.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PlaceError {
    /// The system cannot do it.
    #[error(
        "place= pins processes to CPUs, which is done on Linux alone and not on {0}; leave it out"
    )]
    System(&'static str),
    /// There is nothing to choose from.
    #[error(
        "place= needs two CPUs, and this process may use one; leave it out, or allow it more CPUs"
    )]
    OneCpu,
    /// The system does not say which CPUs there are.
    #[error(
        "place= cannot be used, as the system does not say which CPUs there are: {0}; leave it out"
    )]
    Unknown(String),
}

impl Place {
    /// Its name in a condition.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Pinned => "pinned",
        }
    }

    /// The place with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Shared, Self::Pinned]
            .into_iter()
            .find(|place| place.name() == name)
    }

    /// The CPUs of the server and those of the load.
    ///
    /// # Errors
    /// There are not two CPUs, or the system cannot say or obey.
    pub fn cpus(self) -> Result<(Cpus, Cpus), PlaceError> {
        if let Some(obstacle) = obstacle(env::consts::OS, machine::logical_cores()) {
            return Err(obstacle);
        }
        let (server, others) = halves(allowed()?).ok_or(PlaceError::OneCpu)?;
        Ok(match self {
            Self::Shared => (server.clone(), server),
            Self::Pinned => (server, others),
        })
    }
}

/// What stands in the way of a place on such a machine.
#[must_use]
pub fn obstacle(os: &str, logical_cores: u32) -> Option<PlaceError> {
    if os != "linux" {
        Some(PlaceError::System(env::consts::OS))
    } else if logical_cores < 2 {
        Some(PlaceError::OneCpu)
    } else {
        None
    }
}

/// The first half and the rest, of which neither is empty.
fn halves(mut cpus: Vec<usize>) -> Option<(Cpus, Cpus)> {
    let others = cpus.split_off(cpus.len() / 2);
    (!cpus.is_empty()).then_some((Cpus(cpus), Cpus(others)))
}

impl Cpus {
    /// Makes the process that `command` starts, and all its threads, run on these CPUs alone.
    #[cfg(target_os = "linux")]
    pub fn confine(&self, command: &mut Command) {
        use std::os::unix::process::CommandExt as _;

        let mut set = rustix::thread::CpuSet::new();
        self.0.iter().for_each(|&cpu| set.set(cpu));
        let confine =
            move || rustix::thread::sched_setaffinity(None, &set).map_err(io::Error::from);
        // SAFETY: between fork and exec the closure makes one system call with a value of its own and
        // allocates nothing.
        unsafe { command.pre_exec(confine) };
    }

    /// Nothing: no place has CPUs here.
    #[cfg(not(target_os = "linux"))]
    pub fn confine(&self, _: &mut Command) {}
}

/// The CPUs that this process may use, by rising number.
#[cfg(target_os = "linux")]
fn allowed() -> Result<Vec<usize>, PlaceError> {
    let set = rustix::thread::sched_getaffinity(None)
        .map_err(|error| PlaceError::Unknown(error.to_string()))?;
    let all = 0..rustix::thread::CpuSet::MAX_CPU;
    Ok(all.filter(|&cpu| set.is_set(cpu)).collect())
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Result<Vec<usize>, PlaceError> {
    Err(PlaceError::System(env::consts::OS))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn every_cpu_has_one_side() {
        let (server, others) = halves(vec![0, 2, 5]).unwrap();
        assert_eq!((server, others), (Cpus(vec![0]), Cpus(vec![2, 5])));
        assert_eq!(halves(vec![3]), None);
    }

    #[test]
    fn one_cpu_and_other_systems_have_no_places() {
        assert_eq!(obstacle("linux", 1), Some(PlaceError::OneCpu));
        assert!(matches!(obstacle("macos", 8), Some(PlaceError::System(_))));
        assert_eq!(obstacle("linux", 2), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_confined_process_runs_where_it_is_told() {
        let last = *allowed().unwrap().last().unwrap();
        let mut command = Command::new("grep");
        command.args(["Cpus_allowed_list", "/proc/self/status"]);
        Cpus(vec![last]).confine(&mut command);
        let output = command.output().unwrap();
        let line = String::from_utf8(output.stdout).unwrap();
        assert_eq!(line.trim(), format!("Cpus_allowed_list:\t{last}"));
    }
}
