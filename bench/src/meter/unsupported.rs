//! The meter for systems whose clocks we do not read: it says so and measures nothing.

use super::{MachineSnapshot, Meter, MeterError, ProcessSnapshot};
use crate::record::CpuMeter;

/// Reads nothing and says why.
#[derive(Clone, Debug)]
pub struct UnsupportedMeter {
    reason: String,
}

impl UnsupportedMeter {
    /// A meter that gives this reason.
    #[must_use]
    pub fn new(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
        }
    }

    /// A meter that names the system it was built for.
    #[must_use]
    pub fn for_this_system() -> Self {
        Self::new(format!(
            "only Linux is supported so far, this is {}",
            std::env::consts::OS
        ))
    }

    fn error(&self) -> MeterError {
        MeterError::Unavailable {
            reason: self.reason.clone(),
        }
    }
}

impl Meter for UnsupportedMeter {
    fn kind(&self) -> CpuMeter {
        CpuMeter::Unavailable {
            reason: self.reason.clone(),
        }
    }

    fn process(&self, _pid: u32) -> Result<ProcessSnapshot, MeterError> {
        Err(self.error())
    }

    fn machine(&self) -> Result<MachineSnapshot, MeterError> {
        Err(self.error())
    }
}
