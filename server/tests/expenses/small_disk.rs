//! A disk of few megabytes: a file system in memory that only one process sees.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

const VARIABLE: &str = "EXPENSES_SMALL_DISK";
const MOUNT: &str = r#"mount -t tmpfs -o "size=$1,mode=1777" none "$2" && shift 2 && exec "$@""#;

/// Runs the test of this name again in a process of its own, where it is given the folder of a disk of
/// this size. `None` in the process that calls first, when the other one has passed the test.
///
/// Mounting is for root, or for anyone where the system lets users have a namespace of their own; elsewhere
/// nothing is tried, and it says so.
pub fn enter(test: &str, size: &str) -> Option<PathBuf> {
    if let Some(folder) = env::var_os(VARIABLE) {
        return Some(folder.into());
    }
    let Some(namespace) = namespace() else {
        say(test, "this user may not mount a small disk; run it as root");
        return None;
    };
    let folder = TempDir::new().unwrap();
    let status = Command::new("unshare")
        .args(namespace)
        .args(["sh", "-c", MOUNT, "sh", size])
        .arg(folder.path())
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(VARIABLE, folder.path())
        .status()
        .unwrap();
    assert!(status.success(), "{test} on a small disk: {status}");
    None
}

/// Gives the disk another size.
pub fn resize(folder: &Path, size: &str) {
    let option = format!("remount,size={size}");
    let status = Command::new("mount")
        .args(["-o", &option])
        .arg(folder)
        .status();
    assert!(status.unwrap().success());
}

#[expect(
    clippy::print_stderr,
    reason = "who reads the tests' output must see it"
)]
pub fn say(test: &str, why: &str) {
    eprintln!("{test} was not tried: {why}");
}

fn namespace() -> Option<&'static [&'static str]> {
    let kinds: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    kinds.into_iter().find(|kind| {
        let tried = Command::new("unshare")
            .args(*kind)
            .args(["mount", "-t", "tmpfs", "none", "/mnt"])
            .stderr(Stdio::null())
            .status();
        tried.is_ok_and(|status| status.success())
    })
}
