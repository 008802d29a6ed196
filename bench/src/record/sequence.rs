//! The sequential model: one client, one operation after the other.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long all operations of a sequence may take beside their pauses; k6's own limit.
const LONGEST_WORK: Duration = Duration::from_mins(10);
/// How long one operation may take, as in every model.
const LONGEST_OPERATION: Duration = Duration::from_secs(10);

/// Operations of one client, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sequence {
    /// Operations in all.
    pub repetitions: u32,
    /// How many of the first are left out of the times, because they warm up.
    #[serde(default)]
    pub drop: u32,
    /// Wait after each operation, in ms.
    #[serde(default)]
    pub pause_ms: f64,
}

impl Sequence {
    /// The wait after each operation.
    #[must_use]
    pub fn pause(&self) -> Duration {
        Duration::from_secs_f64(self.pause_ms / 1e3)
    }

    /// All pauses together.
    #[must_use]
    pub fn pauses(&self) -> Duration {
        self.pause() * self.repetitions
    }

    /// How long it may last before no more operations start.
    #[must_use]
    pub fn longest(&self) -> Duration {
        let work = LONGEST_OPERATION.saturating_mul(self.repetitions);
        self.pauses() + work.min(LONGEST_WORK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_may_last_as_long_as_its_pauses_and_its_operations() {
        let sequence = |repetitions| Sequence {
            repetitions,
            drop: 0,
            pause_ms: 1_000.0,
        };
        assert_eq!(sequence(3).longest(), Duration::from_secs(33));
        assert_eq!(sequence(600).longest(), Duration::from_mins(20));
    }
}
