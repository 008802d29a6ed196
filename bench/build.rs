//! Tells the executable its own git revision, profile and compiler.

use std::{
    env,
    process::{Command, Output},
};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(head) = first_line("git", &["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={head}");
    }
    let profile = env::var("PROFILE").unwrap_or_else(|_| "unknown".to_owned());
    println!("cargo::rustc-env=BOOKSTORE_BENCH_PROFILE={profile}");
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let compiler = first_line(&rustc, &["--version"]).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=BOOKSTORE_BENCH_RUSTC={compiler}");
    if let Some(revision) = first_line("git", &["describe", "--always", "--dirty", "--abbrev=12"]) {
        println!("cargo::rustc-env=BOOKSTORE_BENCH_REVISION={revision}");
    }
}

/// The first line that a command prints, when it succeeds and prints one.
fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let Output { status, stdout, .. } = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(stdout).ok()?;
    let line = text.lines().next()?.trim();
    (status.success() && !line.is_empty()).then(|| line.to_owned())
}
