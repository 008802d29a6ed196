//! The order of runs: rows shuffled in each round, and which contender of a pair goes first.

use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus, seq::SliceRandom};

/// One pair of adjacent runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Index of the row.
    pub row: usize,
    /// Whether our side runs first.
    pub ours_first: bool,
}

/// Every round holds every row once. A row's first place alternates between the contenders, so that
/// neither gains from what the one before leaves behind; the seed decides who begins.
pub fn rounds(rows: usize, rounds: u32, seed: u64) -> Vec<Vec<Turn>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let begins: Vec<bool> = (0..rows).map(|_| random.random()).collect();
    (0..rounds)
        .map(|round| {
            let mut turns: Vec<_> = (0..rows)
                .map(|row| Turn {
                    row,
                    ours_first: begins[row] == (round % 2 == 0),
                })
                .collect();
            turns.shuffle(&mut random);
            turns
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_holds_every_row_once_and_first_places_are_shared() {
        let plan = rounds(13, 8, 1);
        for round in &plan {
            let mut rows: Vec<_> = round.iter().map(|turn| turn.row).collect();
            rows.sort_unstable();
            assert!(rows.into_iter().eq(0..13));
        }
        for row in 0..13 {
            let turns = plan.iter().flatten().filter(|turn| turn.row == row);
            assert_eq!(turns.filter(|turn| turn.ours_first).count(), 4, "row {row}");
        }
    }

    #[test]
    fn a_seed_gives_one_order() {
        assert_eq!(rounds(5, 3, 7), rounds(5, 3, 7));
        assert_ne!(rounds(13, 3, 7), rounds(13, 3, 8));
    }
}
