//! A limit on the CPU time of a server, by a control group of its own (Linux).

use std::{
    fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
};

use thiserror::Error;

/// Where the system shows its control groups.
const ROOT: &str = "/sys/fs/cgroup";
/// In which a group may use its share, in µs; the kernel's default.
const PERIOD_US: f64 = 100_000.0;

/// A control group that has so much CPU time and goes when this is dropped.
#[derive(Debug)]
pub struct Quota {
    group: PathBuf,
}

/// Why a server's CPU time cannot be limited here.
#[derive(Debug, Error)]
#[error(
    "the CPU time of a server cannot be limited here: {}: {source}; leave out cpu=, or run where \
     control groups may be made, for example as root",
    place.display()
)]
pub struct QuotaError {
    /// The file or folder.
    pub place: PathBuf,
    /// The system's answer.
    pub source: io::Error,
}

impl Quota {
    /// A group without processes that may use `cpus` CPUs.
    ///
    /// # Errors
    /// The system does not let us.
    pub fn new(cpus: f64) -> Result<Self, QuotaError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let membership = Path::new("/proc/self/cgroup");
        let text = fs::read_to_string(membership).map_err(at(membership))?;
        let parent = Parent::of(&text, Path::new(ROOT));
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("bookstore-bench-{}-{number}", process::id());
        let group = parent.path().join(name);
        parent.share_cpu()?;
        fs::create_dir(&group).map_err(at(&group))?;
        let quota = Self { group };
        parent.limit(&quota.group, cpus)?;
        Ok(quota)
    }

    /// Puts a process under the limit, with all its threads.
    ///
    /// # Errors
    /// The system does not let us.
    pub fn hold(&self, pid: u32) -> Result<(), QuotaError> {
        write(&self.group.join("cgroup.procs"), &pid.to_string())
    }

    /// Why no limit can be set here, if so.
    #[must_use]
    pub fn refusal() -> Option<QuotaError> {
        Self::new(1.0).err()
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // A group that still has a process stays; the next one has another name.
        let _ = fs::remove_dir(&self.group);
    }
}

/// The group in which ours is made: the one that we are in.
#[derive(Debug, PartialEq, Eq)]
enum Parent {
    /// The first version, where each controller has groups of its own.
    First(PathBuf),
    /// The second, where all controllers share them.
    Second(PathBuf),
}

impl Parent {
    /// Reads `/proc/self/cgroup`: lines of `number:controllers:path`.
    fn of(membership: &str, root: &Path) -> Self {
        let below = |folder: &Path, path: &str| folder.join(path.trim_start_matches('/'));
        let lines = membership.lines().filter_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            Some((fields.next()?, fields.next()?))
        });
        let mut second = root.to_owned();
        for (controllers, path) in lines {
            if controllers.split(',').any(|controller| controller == "cpu") {
                return Self::First(below(&root.join(controllers), path));
            }
            if controllers.is_empty() {
                second = below(root, path);
            }
        }
        Self::Second(second)
    }

    fn path(&self) -> &Path {
        match self {
            Self::First(path) | Self::Second(path) => path,
        }
    }

    /// Lets groups below have their own limits.
    fn share_cpu(&self) -> Result<(), QuotaError> {
        let Self::Second(path) = self else {
            return Ok(());
        };
        let shared = path.join("cgroup.subtree_control");
        let now = fs::read_to_string(&shared).map_err(at(&shared))?;
        if now.split_whitespace().any(|controller| controller == "cpu") {
            return Ok(());
        }
        write(&shared, "+cpu")
    }

    fn limit(&self, group: &Path, cpus: f64) -> Result<(), QuotaError> {
        let quota_us = (cpus * PERIOD_US).round();
        match self {
            Self::First(_) => {
                write(&group.join("cpu.cfs_period_us"), &PERIOD_US.to_string())?;
                write(&group.join("cpu.cfs_quota_us"), &quota_us.to_string())
            }
            Self::Second(_) => write(&group.join("cpu.max"), &format!("{quota_us} {PERIOD_US}")),
        }
    }
}

fn write(file: &Path, text: &str) -> Result<(), QuotaError> {
    fs::write(file, text).map_err(at(file))
}

fn at(place: &Path) -> impl FnOnce(io::Error) -> QuotaError + use<> {
    let place = place.to_owned();
    move |source| QuotaError { place, source }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn parent(membership: &str) -> Parent {
        Parent::of(membership, Path::new(ROOT))
    }

    #[test]
    fn the_group_of_this_process_is_found_in_both_versions() {
        assert_eq!(
            parent("9:name=systemd:/\n1:cpu,cpuacct:/jobs/7\n0::/\n"),
            Parent::First("/sys/fs/cgroup/cpu,cpuacct/jobs/7".into())
        );
        assert_eq!(
            parent("0::/user.slice/session\n"),
            Parent::Second("/sys/fs/cgroup/user.slice/session".into())
        );
        assert_eq!(parent(""), Parent::Second(ROOT.into()));
    }

    #[test]
    fn a_limit_is_written_as_each_version_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let group = folder.path();
        let read = |name: &str| fs::read_to_string(group.join(name)).unwrap();
        Parent::First(group.into()).limit(group, 0.25).unwrap();
        assert_eq!(read("cpu.cfs_quota_us"), "25000");
        assert_eq!(read("cpu.cfs_period_us"), "100000");
        let second = Parent::Second(group.into());
        second.limit(group, 1.5).unwrap();
        assert_eq!(read("cpu.max"), "150000 100000");
        let error = second.share_cpu().unwrap_err().to_string();
        assert!(
            error.contains("cgroup.subtree_control") && error.contains("leave out cpu="),
            "{error}"
        );
    }
}
