//! A run, from the script to the exit code.

mod attendant;
mod coordinator;
mod ending;
mod live;
mod phase;
mod plan;
mod signal;
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
    let log = Log::new(Streams::default(), args.verbose);
    finish(
        &Coordinator {
            args,
            streams: &Streams::default(),
            log,
            signals: true,
        },
        env::vars(),
    )
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
        log,
        signals: false,
    };
    finish(&coordinator, variables)
}

fn finish(
    coordinator: &Coordinator<'_>,
    variables: impl Iterator<Item = (String, String)>,
) -> ScriptOutcome {
    let exit_code = match coordinator.run(variables) {
        Ok(()) => exit::OK,
        Err(error) => {
            coordinator.log.error(error.to_string());
            error.exit_code()
        }
    };
    ScriptOutcome { exit_code }
}
