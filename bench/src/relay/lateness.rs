//! How late the relay was, beyond what was asked of it.

use std::time::Duration;

/// Width of a class in microseconds.
const CLASS_US: usize = 10;
/// Classes up to 20 ms; what is later is counted in the last.
const CLASSES: usize = 2_000;

/// Counts of delays by how late they were.
#[derive(Clone, Debug)]
pub(super) struct Lateness {
    counts: Box<[u64]>,
    total: u64,
}

impl Default for Lateness {
    fn default() -> Self {
        Self {
            counts: vec![0; CLASSES].into(),
            total: 0,
        }
    }
}

impl Lateness {
    /// Counts one piece.
    pub(super) fn count(&mut self, late: Duration) {
        let class = usize::try_from(late.as_micros()).map_or(CLASSES, |us| us / CLASS_US);
        self.counts[class.min(CLASSES - 1)] += 1;
        self.total += 1;
    }

    /// The lateness that this share of the pieces kept to, in microseconds, rounded up to the class;
    /// `None` when nothing was counted.
    pub(super) fn quantile_us(&self, share: f64) -> Option<u64> {
        let wanted = share * self.total as f64;
        let mut seen = 0_u64;
        let class = self.counts.iter().position(|count| {
            seen += count;
            seen > 0 && seen as f64 >= wanted
        })?;
        u64::try_from((class + 1) * CLASS_US).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_upper_ends_of_their_classes() {
        let mut lateness = Lateness::default();
        assert_eq!(lateness.quantile_us(0.5), None);
        for us in [0, 9, 15, 15, 5_000] {
            lateness.count(Duration::from_micros(us));
        }
        assert_eq!(lateness.quantile_us(0.4), Some(10));
        assert_eq!(lateness.quantile_us(0.5), Some(20));
        assert_eq!(lateness.quantile_us(1.0), Some(5_010));
    }

    #[test]
    fn what_is_off_the_scale_is_counted_in_the_last_class() {
        let mut lateness = Lateness::default();
        lateness.count(Duration::from_secs(9));
        assert_eq!(lateness.quantile_us(0.95), Some(20_000));
    }
}
