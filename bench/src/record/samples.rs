//! Each operation of a sequential run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::stats::Spread;

/// The times of the operations of a sequential run, in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Samples {
    /// How many of the first operations are dropped from every figure of time.
    pub dropped: u32,
    /// Time from an operation's start to its end, in ms; of one that failed until it did.
    pub full_ms: Vec<f64>,
    /// Time to the first byte, in ms: from the first byte sent to the first byte received, without the
    /// time to connect. Of an operation of several requests it is their sum. As many values as
    /// operations, or none where the driver cannot see it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ttfb_ms: Vec<f64>,
}

impl Samples {
    /// The spread of the full times that count; `None` when too few do.
    #[must_use]
    pub fn full(&self) -> Option<Spread> {
        self.spread(&self.full_ms)
    }

    /// The spread of the times to the first byte that count; `None` when too few do.
    #[must_use]
    pub fn ttfb(&self) -> Option<Spread> {
        self.spread(&self.ttfb_ms)
    }

    /// Mean full time of the operations that are dropped, in ms; `None` without any.
    #[must_use]
    pub fn dropped_mean_ms(&self) -> Option<f64> {
        let dropped = self.full_ms.get(..self.dropped as usize)?;
        (!dropped.is_empty()).then(|| dropped.iter().sum::<f64>() / dropped.len() as f64)
    }

    fn spread(&self, times: &[f64]) -> Option<Spread> {
        Spread::of(times.get(self.dropped as usize..)?)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    #![expect(clippy::float_cmp, reason = "small whole numbers are exact")]

    use super::*;

    #[test]
    fn the_first_operations_are_left_out() {
        let samples = Samples {
            dropped: 2,
            full_ms: vec![900.0, 800.0, 2.0, 4.0],
            ttfb_ms: Vec::new(),
        };
        assert_eq!(samples.full().unwrap().mean, 3.0);
        assert_eq!(samples.ttfb(), None);
        assert_eq!(samples.dropped_mean_ms(), Some(850.0));
        let short = Samples {
            dropped: 5,
            ..samples
        };
        assert_eq!((short.full(), short.dropped_mean_ms()), (None, None));
    }
}
