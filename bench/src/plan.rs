//! The order of the runs: random, reproducible and balanced.
//!
//! A round holds every row once, so that a disturbance hits all rows alike. Within a block of as many
//! rounds as there are rows, the order is a Latin square: each row holds each slot once. The square is
//! Williams' ("Experimental Designs Balanced for the Estimation of Residual Effects of Treatments",
//! 1949): with an even number of rows each row also follows each other row once per block; with an odd
//! number that takes two blocks, a square and its mirror image.

use rand::{SeedableRng, rngs::Xoshiro256PlusPlus, seq::SliceRandom};

/// The rows of each of `rounds` rounds in the order in which they run. The same arguments always give
/// the same order: the generator is a named one whose stream is fixed, and the order is recorded too.
#[must_use]
pub fn order(rows: &[String], rounds: u32, seed: u64) -> Vec<Vec<String>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rounds = rounds as usize;
    let mut order = Vec::with_capacity(rounds);
    if rows.is_empty() {
        return order;
    }
    while order.len() < rounds {
        let mut labels: Vec<&String> = rows.iter().collect();
        labels.shuffle(&mut random);
        for mut square in squares(rows.len()) {
            square.shuffle(&mut random);
            order.extend(
                square
                    .iter()
                    .map(|round| round.iter().map(|&label| labels[label].clone()).collect()),
            );
        }
    }
    order.truncate(rounds);
    order
}

/// The squares that together are balanced for predecessors: one, or two for an odd number of rows.
fn squares(count: usize) -> Vec<Vec<Vec<usize>>> {
    let square = williams(count);
    if count.is_multiple_of(2) || count == 1 {
        return vec![square];
    }
    let mirror = square
        .iter()
        .map(|round| round.iter().rev().copied().collect())
        .collect();
    vec![square, mirror]
}

/// The first round goes 0, 1, n − 1, 2, n − 2, …; each further round adds one to every label.
fn williams(count: usize) -> Vec<Vec<usize>> {
    let first = (0..count).map(|slot| {
        if slot % 2 == 1 {
            slot.div_ceil(2)
        } else {
            (count - slot / 2) % count
        }
    });
    (0..count)
        .map(|shift| first.clone().map(|label| (label + shift) % count).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn rows(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("row-{index}")).collect()
    }

    fn counts<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
        let mut counts = BTreeMap::new();
        for item in items {
            *counts.entry(item).or_default() += 1;
        }
        counts
    }

    fn predecessors(order: &[Vec<String>]) -> BTreeMap<(&String, &String), usize> {
        counts(
            order
                .iter()
                .flat_map(|round| round.windows(2).map(|pair| (&pair[0], &pair[1]))),
        )
    }

    #[test]
    fn every_round_holds_every_row_once_and_slots_are_shared_evenly() {
        for count in 1..=12 {
            for rounds in [1, 2, 3, 5, 8, 10, 13, 30] {
                for seed in 0..5 {
                    let order = order(&rows(count), rounds, seed);
                    assert_eq!(order.len(), rounds as usize);
                    for round in &order {
                        let held: BTreeSet<&String> = round.iter().collect();
                        assert_eq!((held.len(), round.len()), (count, count));
                    }
                    let held = counts(order.iter().flat_map(|round| round.iter().enumerate()));
                    let floor = rounds as usize / count;
                    for row in &rows(count) {
                        for slot in 0..count {
                            let times = held.get(&(slot, row)).copied().unwrap_or(0);
                            assert!(
                                times == floor || times == floor + 1,
                                "{row} holds slot {slot} {times} times in {rounds} rounds"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn whole_blocks_balance_who_runs_before_whom() {
        for count in 2..=11 {
            let blocks = if count % 2 == 0 { 1 } else { 2 };
            let order = order(&rows(count), u32::try_from(blocks * count).unwrap(), 42);
            let found = predecessors(&order);
            assert_eq!(found.len(), count * (count - 1), "{count} rows");
            assert!(
                found.values().all(|&times| times == blocks),
                "{count} rows: {found:?}"
            );
        }
    }

    #[test]
    fn no_row_follows_another_more_than_twice_in_a_quick_session() {
        for count in 4..=11 {
            let order = order(&rows(count), 8, 1);
            let blocks = 8_usize.div_ceil(count);
            assert!(
                predecessors(&order)
                    .values()
                    .all(|&times| times <= 2 * blocks)
            );
        }
    }

    #[test]
    fn a_seed_fixes_the_order_and_another_seed_changes_it() {
        let rows = rows(7);
        assert_eq!(order(&rows, 8, 3), order(&rows, 8, 3));
        let different: BTreeSet<_> = (0..20).map(|seed| order(&rows, 8, seed)).collect();
        assert_eq!(different.len(), 20);
    }

    #[test]
    fn a_longer_session_begins_like_a_shorter_one() {
        let rows = rows(4);
        assert_eq!(order(&rows, 10, 5)[..6], order(&rows, 6, 5));
    }

    #[test]
    fn the_stream_behind_a_seed_does_not_change_with_the_library() {
        let names = [
            "a".to_owned(),
            "b".to_owned(),
            "c".to_owned(),
            "d".to_owned(),
        ];
        let shown: Vec<String> = order(&names, 4, 1)
            .iter()
            .map(|round| round.concat())
            .collect();
        assert_eq!(shown, ["abcd", "dcba", "cadb", "bdac"]);
    }

    #[test]
    fn without_rows_or_rounds_there_is_nothing_to_run() {
        assert!(order(&[], 5, 1).is_empty());
        assert!(order(&rows(3), 0, 1).is_empty());
    }
}
