//! Tells the executable its own git revision, profile and compiler, and puts the suite's scripts
//! into it.

use std::{
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn main() -> Result<(), Box<dyn Error>> {
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
    embed_suite()
}

/// The first line that a command prints, when it succeeds and prints one.
fn first_line(program: &str, arguments: &[&str]) -> Option<String> {
    let Output { status, stdout, .. } = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(stdout).ok()?;
    let line = text.lines().next()?.trim();
    (status.success() && !line.is_empty()).then(|| line.to_owned())
}

/// Writes the table that `src/driver/suite.rs` includes: every file that a script of the catalogue
/// is, imports or opens, by its path from the top of the repository.
fn embed_suite() -> Result<(), Box<dyn Error>> {
    let top = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("..");
    // A new script is not seen by itself, but it needs its line in the catalogue.
    println!("cargo::rerun-if-changed=../k6/scenarios.json");
    let mut files: Vec<PathBuf> = children(&top.join("k6"))?
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "js"))
        .collect();
    for folder in ["k6/lib", "proto/bookstore"] {
        println!("cargo::rerun-if-changed=../{folder}");
        files.extend(files_below(&top.join(folder))?);
    }
    files.sort();
    let mut table = "&[\n".to_owned();
    for file in &files {
        let name = utf8(file.strip_prefix(&top)?)?;
        let path = utf8(file)?;
        writeln!(table, "    ({name:?}, include_str!({path:?})),")?;
    }
    table.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR")?).join("suite.rs");
    fs::write(out, table)?;
    Ok(())
}

fn utf8(path: &Path) -> Result<&str, String> {
    path.to_str()
        .ok_or_else(|| format!("{} is not UTF-8; build in another folder", path.display()))
}

fn children(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect()
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    for path in children(folder)? {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}
