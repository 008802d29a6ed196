//! What an expense consists of: made from its id whenever it is asked for, so that no database has a
//! share in it.

use super::{super::ExpenseError, random::Random, words};

/// Parts that an expense has.
const MOST_PARTS: u32 = 50;
/// Pieces of a part are at most so many.
const MOST_PIECES: u32 = 9;
/// Prices of parts in hundredths are below this.
const PRICE_BOUND: u32 = 10_000;

/// One thing of those that were paid for together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Counted from 1.
    pub number: u32,
    /// A word or two.
    pub name: &'static str,
    /// Pieces, 1 to 9.
    pub quantity: u32,
    /// Of one piece, in hundredths of the currency's unit, below 10,000.
    pub price_cents: u32,
}

/// How many parts of each expense are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartCount(u32);

impl PartCount {
    /// The first `count` of the 50.
    ///
    /// # Errors
    /// There are not so many.
    pub fn new(count: u32) -> Result<Self, ExpenseError> {
        if count > MOST_PARTS {
            return Err(ExpenseError::TooManyParts {
                count,
                most: MOST_PARTS,
            });
        }
        Ok(Self(count))
    }

    /// The first parts of the expense with this id, always the same ones.
    pub fn of(self, expense_id: &str) -> impl Iterator<Item = Part> + use<> {
        let mut random = Random::new(seed(expense_id));
        (1..=self.0).map(move |number| Part {
            number,
            name: words::thing(&mut random),
            quantity: 1 + random.below(MOST_PIECES),
            price_cents: random.below(PRICE_BOUND),
        })
    }
}

/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo, RFC 9923).
fn seed(id: &str) -> u64 {
    id.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn parts(id: &str, count: u32) -> Vec<Part> {
        PartCount::new(count).unwrap().of(id).collect()
    }

    #[test]
    fn an_id_has_the_same_parts_every_time_and_fewer_are_the_first_of_them() {
        let all = parts("a", 50);
        assert_eq!(all.len(), 50);
        assert_eq!(parts("a", 50), all);
        assert_eq!(parts("a", 7), all[..7]);
        assert_eq!(parts("a", 0), []);
        assert_ne!(parts("b", 50), all);
        assert!(all.iter().map(|part| part.number).eq(1..=50));
        assert!(all.iter().all(|part| (1..=9).contains(&part.quantity)));
    }

    #[test]
    fn more_than_there_are_is_refused() {
        let message = PartCount::new(51).unwrap_err().to_string();
        assert!(
            message.contains("51") && message.contains("50"),
            "{message}"
        );
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(seed(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(seed("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
