//! `relay` as a process of its own.

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator::Signals,
};

use super::{Relay, RelayArgs, RelayError, check};
use crate::{error::BenchError, print::print};

/// Relays until Ctrl-C, or measures how exactly it does.
///
/// # Errors
/// See [`RelayError`]; the output cannot be printed.
pub fn execute(args: &RelayArgs) -> Result<(), BenchError> {
    if args.check {
        let checks = check::run(&check::Plan::default()).map_err(RelayError::Check)?;
        print(&checks.to_string())?;
        return Ok(checks.verdict()?);
    }
    let options = args.options()?;
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(RelayError::Signals)?;
    let relay = Relay::start(&options)?;
    print(&format!("relaying {} to {}\n", relay.address(), options.to))?;
    signals.forever().next();
    let report = relay.stop()?;
    print(&format!("{report}\n"))
}
