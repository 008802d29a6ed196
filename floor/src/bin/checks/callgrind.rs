//! Reading what callgrind counted.

use std::{fs, path::Path};

use anyhow::{Context, anyhow};

/// Instructions of a whole run, from the file that callgrind wrote at its end.
pub fn instructions(file: &Path) -> anyhow::Result<u64> {
    let text = fs::read_to_string(file)
        .with_context(|| format!("callgrind left no {}", file.display()))?;
    total(&text).ok_or_else(|| anyhow!("{} holds no total of event Ir", file.display()))
}

/// The total of event `Ir` in a callgrind profile: the first number of `totals:` (`summary:` in a
/// profile without it), as the default events are `Ir` alone.
fn total(profile: &str) -> Option<u64> {
    let after = |key: &str| profile.lines().find_map(|line| line.strip_prefix(key));
    if after("events: ")?.split_whitespace().next() != Some("Ir") {
        return None;
    }
    let totals = after("totals: ").or_else(|| after("summary: "))?;
    totals.split_whitespace().next()?.parse().ok()
}

/// What one operation takes, from a shorter and a longer run: start-up, warm-up and shut-down are in
/// both and cancel.
pub fn per_operation(
    (operations, instructions): (u32, u64),
    (more_operations, more_instructions): (u32, u64),
) -> Option<f64> {
    let operations = more_operations.checked_sub(operations).filter(|&n| n > 0)?;
    let instructions = more_instructions
        .checked_sub(instructions)
        .filter(|&n| n > 0)?;
    Some(instructions as f64 / f64::from(operations))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read_from_a_profile() {
        let profile = "# callgrind format\nversion: 1\npid: 7\n\npositions: line\nevents: Ir\n\
                       summary: 5\n\nfn=(1)\n1 5\n\ntotals: 1234567\n";
        assert_eq!(total(profile), Some(1_234_567));
        assert_eq!(total("events: Ir\nsummary: 42\n"), Some(42));
        assert_eq!(total("events: Dr Ir\ntotals: 1 2\n"), None);
        assert_eq!(total("events: Ir\n"), None);
        assert_eq!(total(""), None);
    }

    #[test]
    fn what_both_runs_share_cancels() {
        assert_eq!(
            per_operation((100, 5_000_000), (300, 7_200_000)),
            Some(11_000.0)
        );
        assert_eq!(per_operation((100, 1), (100, 2)), None);
        assert_eq!(per_operation((100, 9), (300, 8)), None);
    }
}
