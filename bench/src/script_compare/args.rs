//! The command line of `script compare`.

use std::{ffi::OsString, path::PathBuf};

use clap::Args;

/// What is run when the command line says nothing about the load: work that is the same in every
/// run, so that all counts must agree.
const FIXED_WORK: [&str; 4] = ["--vus", "1", "--iterations", "10"];

const AFTER_HELP: &str = "\
Without flags about the load both make 10 iterations of one virtual user. Variables given with -e
whose values are addresses (http://HOST:PORT/… or HOST:PORT) are relayed, so that the requests are
seen; without any, a server of ours is started for BASE_URL and GRPC_ADDR.

Exit codes: 0 no difference; 1 could not compare; 2 usage; 3 differences; 130 interrupted.";

/// Arguments of `script compare`.
#[derive(Args, Clone, Debug)]
#[command(after_help = AFTER_HELP, after_long_help = AFTER_HELP)]
pub struct ScriptCompareArgs {
    /// The script.
    pub file: PathBuf,
    /// The k6 to compare with.
    #[arg(long, value_name = "EXE", default_value = "k6")]
    pub k6: PathBuf,
    /// Adds a variable to `__ENV` of both; may be repeated.
    #[arg(short, long = "env", value_name = "NAME=VALUE", value_parser = pair)]
    pub env: Vec<(String, String)>,
    /// Virtual users.
    #[arg(short = 'u', long)]
    pub vus: Option<u64>,
    /// Iterations that all virtual users share.
    #[arg(short, long)]
    pub iterations: Option<u64>,
    /// How long, for example 5s; counts are then not compared, since they depend on speed.
    #[arg(short, long)]
    pub duration: Option<String>,
    /// A stage; may be repeated. Counts are then not compared.
    #[arg(short, long = "stage", value_name = "DURATION:TARGET")]
    pub stages: Vec<String>,
    /// Runs what the script's own options say. Counts are compared when the script makes equally
    /// many iterations in both.
    #[arg(long, conflicts_with_all = ["vus", "iterations", "duration", "stages"])]
    pub as_written: bool,
    /// Further flags of `k6 run` for both, after `--`.
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<OsString>,
}

impl ScriptCompareArgs {
    /// What the flags say about the load, as both take it.
    pub(super) fn load(&self) -> Vec<String> {
        if self.as_written {
            return Vec::new();
        }
        let flag = |name: &str, value: &dyn ToString| [name.to_owned(), value.to_string()];
        let mut load = Vec::new();
        load.extend(self.vus.iter().flat_map(|vus| flag("--vus", vus)));
        load.extend(
            (self.iterations.iter()).flat_map(|iterations| flag("--iterations", iterations)),
        );
        load.extend((self.duration.iter()).flat_map(|duration| flag("--duration", duration)));
        load.extend(self.stages.iter().flat_map(|stage| flag("--stage", stage)));
        if load.is_empty() {
            load.extend(FIXED_WORK.map(str::to_owned));
        }
        load
    }

    /// Whether both are told how many iterations to make, so that another number is a difference.
    pub(super) fn is_fixed_work(&self) -> bool {
        let load = self.load();
        let has = |flag: &str| load.iter().any(|word| word == flag);
        has("--iterations") && !has("--duration")
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    text.split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| "write NAME=VALUE".to_owned())
}
