//! The measured window: what is read when it opens and when it closes.

use super::{MachineSnapshot, Meter, MeterError, ProcessSnapshot};
use crate::{
    child::ChildExit,
    record::{ProcessUsage, Usage},
};

/// Readings at the opening of a window.
#[derive(Debug)]
pub struct Window {
    server: Option<ProcessSnapshot>,
    machine: Option<MachineSnapshot>,
}

impl Window {
    /// Opens a window: reads the server process, unless its id is unknown, and the machine. What
    /// cannot be read on this system is left out.
    ///
    /// # Errors
    ///
    /// Any [`MeterError`] but [`MeterError::Unavailable`].
    pub fn open(meter: &dyn Meter, server_pid: Option<u32>) -> Result<Self, MeterError> {
        let server = server_pid
            .map(|pid| available(meter.process(pid)))
            .transpose()?
            .flatten();
        Ok(Self {
            server,
            machine: available(meter.machine())?,
        })
    }

    /// Closes the window after the load process has ended. `server_idle_cpu_us_per_s` is left empty
    /// for the session to fill in.
    ///
    /// # Errors
    ///
    /// Any [`MeterError`] but [`MeterError::Unavailable`].
    pub fn close(self, meter: &dyn Meter, load: &ChildExit) -> Result<Usage, MeterError> {
        let machine = match self.machine {
            Some(before) => available(meter.machine())?.map(|after| before.usage_until(&after)),
            None => None,
        };
        let server = match self.server {
            Some(before) => before.usage_until(&meter.process(before.pid)?)?,
            None => ProcessUsage::default(),
        };
        Ok(Usage {
            window_s: load.ran_for.as_secs_f64(),
            server,
            client: load.usage(),
            machine,
            server_idle_cpu_us_per_s: None,
        })
    }
}

/// A system that cannot be read is no error, every other failure is.
fn available<T>(reading: Result<T, MeterError>) -> Result<Option<T>, MeterError> {
    match reading {
        Ok(snapshot) => Ok(Some(snapshot)),
        Err(MeterError::Unavailable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
