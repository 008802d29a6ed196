//! The executables that are started.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Context, bail, ensure};
use clap::Args;

/// Paths of our own executables.
#[derive(Args)]
pub struct Programs {
    /// The wrapper's executable [default: bookstore-bench of the release build]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Programs")]
    bench: Option<PathBuf>,
    /// The floor server's executable [default: floor of the release build]
    #[arg(long, global = true, value_name = "FILE", help_heading = "Programs")]
    floor: Option<PathBuf>,
}

impl Programs {
    /// The executable with the subcommands `serve` and `load`.
    pub fn bench(&self) -> anyhow::Result<PathBuf> {
        built(self.bench.as_deref(), "bookstore-bench")
    }

    /// The floor server.
    pub fn floor(&self) -> anyhow::Result<PathBuf> {
        built(self.floor.as_deref(), "floor")
    }
}

/// Where cargo builds.
pub fn target_folder() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from)
}

fn built(chosen: Option<&Path>, name: &str) -> anyhow::Result<PathBuf> {
    let path = chosen.map_or_else(
        || target_folder().join("release").join(name),
        Path::to_path_buf,
    );
    ensure!(
        path.is_file(),
        "{} does not exist; run `cargo build --release --bin {name}` at the top of the repository",
        path.display()
    );
    path.canonicalize()
        .with_context(|| format!("cannot resolve {}", path.display()))
}

/// Fails with the remedy when a program of the system is missing.
pub fn require(program: &str) -> anyhow::Result<()> {
    let found = env::var_os("PATH")
        .is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(program).is_file()));
    if !found {
        bail!("`{program}` is not installed; scripts/setup installs it");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_remedy() {
        let error = built(Some(Path::new("/no/such/floor")), "floor").unwrap_err();
        assert!(error.to_string().contains("/no/such/floor"), "{error}");
        assert!(error.to_string().contains("--bin floor"), "{error}");
        assert!(require("sh").is_ok());
        let error = require("no-such-program").unwrap_err();
        assert!(error.to_string().contains("scripts/setup"), "{error}");
    }
}
