//! A run, from the script to the exit code.

mod coordinator;
mod ending;
mod phase;
mod plan;
mod worker;

use std::env;

use crate::{
    args::ScriptArgs,
    error::exit,
    log::{Log, Streams},
};
use coordinator::Coordinator;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptOutcome {
    /// k6's exit code for it, see [`exit`].
    pub exit_code: u8,
}

/// Runs a script with the streams of the process; Ctrl-C ends it in order.
#[must_use]
pub fn run(args: &ScriptArgs) -> ScriptOutcome {
    run_with(args, &Streams::default(), env::vars())
}

/// Runs a script with other streams, and variables instead of those of the system.
#[must_use]
pub fn run_with(
    args: &ScriptArgs,
    streams: &Streams,
    variables: impl Iterator<Item = (String, String)>,
) -> ScriptOutcome {
    let log = Log::new(streams.clone(), args.verbose);
    let coordinator = Coordinator {
        args,
        streams,
        log: log.clone(),
    };
    let exit_code = match coordinator.run(variables) {
        Ok(()) => exit::OK,
        Err(error) => {
            log.error(error.to_string());
            error.exit_code()
        }
    };
    ScriptOutcome { exit_code }
}
