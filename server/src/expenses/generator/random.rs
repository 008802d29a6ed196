//! Numbers from a seed: the same on every machine and in every version of every library.

use uuid::Builder;

/// `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `bound` - 1; 0 when `bound` is 0. The bounds in use are far below 2^64, so
    /// that the bias of the remainder does not show.
    pub fn below(&mut self, bound: u32) -> u32 {
        let rest = self.next().checked_rem(bound.into()).unwrap_or(0);
        u32::try_from(rest).unwrap_or(0)
    }

    /// One of these, if there are any.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(from.len()).unwrap_or(u32::MAX);
        from.get(usize::try_from(self.below(count)).ok()?)
    }

    /// A UUID of version 4, 36 characters.
    pub fn uuid(&mut self) -> String {
        let bits = (u128::from(self.next()) << 64) | u128::from(self.next());
        Builder::from_random_bytes(bits.to_be_bytes())
            .into_uuid()
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_algorithm() {
        let mut random = Random::new(0);
        let first = [random.next(), random.next()];
        assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
    }
}
