//! The server dies, the disk fills up, the port is taken, the user stops: each ends with its own
//! message and exit code, keeps what was measured, and leaves no process behind.

use std::{net::TcpListener, path::Path, process::Command};

use bookstore_bench::record::{Session, SessionState};

use crate::sitting::{Sitting, send, wrapper};

const LONG: [&str; 7] = [
    "--cells",
    "b-rest-bff,b-graphql",
    "--no-noise-floor",
    "--rounds",
    "500",
    "--duration",
    "200ms",
];

fn long() -> Sitting {
    Sitting::start(&LONG)
}

#[test]
fn ctrl_c_keeps_the_runs_and_exits_with_130() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let mut sitting = long();
        sitting.wait_for_runs(2);
        sitting.signal(signal);
        let end = sitting.end();
        assert_eq!(end.status.code(), Some(130), "{}", end.stderr);
        assert!(end.stderr.contains("interrupted; "), "{}", end.stderr);
        let session = sitting.saved();
        assert_eq!(session.state, SessionState::Interrupted);
        assert!(session.runs.len() >= 2);
        assert!(
            end.stdout.contains("results.json"),
            "the partial result is shown"
        );
    }
}

#[test]
fn a_killed_wrapper_leaves_a_readable_file_and_no_orphan() {
    let mut sitting = long();
    sitting.wait_for_runs(1);
    sitting.signal(libc::SIGKILL);
    sitting.end();
    let session = sitting.saved();
    assert_eq!(session.state, SessionState::Running);
    assert!(!session.runs.is_empty());
}

#[test]
fn a_server_that_dies_is_reported_with_its_signal() {
    let mut sitting = long();
    sitting.wait_for_runs(1);
    sitting.wait_until(|sitting| sitting.child("load").is_some());
    send(sitting.child("serve").unwrap(), libc::SIGKILL);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(1), "{}", end.stderr);
    assert!(
        end.stderr.contains("server") && end.stderr.contains("signal"),
        "{}",
        end.stderr
    );
    let session = sitting.saved();
    assert!(
        matches!(session.state, SessionState::Failed { .. }),
        "{:?}",
        session.state
    );
    assert!(!session.runs.is_empty());
}

#[test]
fn a_full_disk_ends_the_session_and_keeps_the_last_saved_runs() {
    let root = tempfile::tempdir().unwrap();
    let disk = SmallDisk::mount(root.path());
    let out = root.path().join("out");
    let mut sitting = Sitting::start_in(&out, &LONG);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(1), "{}", end.stderr);
    assert!(end.stderr.contains("free some space"), "{}", end.stderr);
    let session: Session = sitting.saved();
    assert!(!session.runs.is_empty());
    drop(disk);
}

/// A file system that a few saved runs fill up.
struct SmallDisk<'a>(&'a Path);

impl<'a> SmallDisk<'a> {
    fn mount(at: &'a Path) -> Self {
        let status = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=96k", "tmpfs"])
            .arg(at)
            .status()
            .unwrap();
        assert!(
            status.success(),
            "this test mounts a small file system, which needs root"
        );
        Self(at)
    }
}

impl Drop for SmallDisk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[test]
fn a_taken_port_is_named_with_the_flag_that_changes_it() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = wrapper()
        .args(["serve", "--http-port", &port, "--h2c-port", "0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains(&port) && message.contains("--http-port"),
        "{message}"
    );
}

#[test]
fn a_debug_build_is_not_measured_unless_told_to() {
    if !cfg!(debug_assertions) {
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let output = wrapper()
        .arg("--out")
        .arg(root.path().join("out"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("debug build") && message.contains("--allow-debug"),
        "{message}"
    );
}
