//! What several verdicts say together.

use super::catalogue::Combine;
use crate::record::ClaimVerdict;

/// One verdict from several. With [`Combine::All`] the one that speaks most against the claim; sizes
/// that differ in both directions cancel to a plain "holds". With [`Combine::Any`] one part that holds
/// is enough, whatever its size, and one that is open leaves the claim open: the part that speaks least
/// against it decides.
#[must_use]
pub fn together(combine: Combine, parts: &[ClaimVerdict]) -> ClaimVerdict {
    if combine == Combine::Any && parts.iter().any(holds) {
        return ClaimVerdict::Holds;
    }
    let decisive = match combine {
        Combine::All => parts.iter().max_by_key(|verdict| weight(verdict)),
        Combine::Any => parts.iter().min_by_key(|verdict| weight(verdict)),
    };
    let Some(worst) = decisive else {
        return ClaimVerdict::NotMeasured;
    };
    if !holds(worst) {
        return match worst {
            ClaimVerdict::NotSettled { .. } => ClaimVerdict::NotSettled {
                more_rounds: match combine {
                    Combine::All => most_rounds(parts),
                    Combine::Any => fewest_rounds(parts),
                },
            },
            other => other.clone(),
        };
    }
    let smaller = parts.contains(&ClaimVerdict::HoldsSmaller);
    let larger = parts.contains(&ClaimVerdict::HoldsLarger);
    match (smaller, larger) {
        (true, false) => ClaimVerdict::HoldsSmaller,
        (false, true) => ClaimVerdict::HoldsLarger,
        _ => ClaimVerdict::Holds,
    }
}

/// Whether the claim stands, whatever the size.
#[must_use]
pub fn holds(verdict: &ClaimVerdict) -> bool {
    matches!(
        verdict,
        ClaimVerdict::Holds | ClaimVerdict::HoldsSmaller | ClaimVerdict::HoldsLarger
    )
}

fn weight(verdict: &ClaimVerdict) -> u8 {
    match verdict {
        ClaimVerdict::Holds
        | ClaimVerdict::HoldsSmaller
        | ClaimVerdict::HoldsLarger
        | ClaimVerdict::Beside => 0,
        ClaimVerdict::NeedsScenario { .. } => 1,
        ClaimVerdict::NotMeasurable { .. } => 2,
        ClaimVerdict::NotMeasured => 3,
        ClaimVerdict::NotSettled { .. } => 4,
        ClaimVerdict::TieHere => 5,
        ClaimVerdict::DoesNotHold => 6,
        ClaimVerdict::Flips => 7,
    }
}

/// The most that one part needs; unknown when one of them is.
fn most_rounds(parts: &[ClaimVerdict]) -> Option<u32> {
    let needed: Option<Vec<u32>> = open(parts).collect();
    needed?.into_iter().max()
}

/// The least that one part needs.
fn fewest_rounds(parts: &[ClaimVerdict]) -> Option<u32> {
    open(parts).flatten().min()
}

/// What each part needs that is not settled.
fn open(parts: &[ClaimVerdict]) -> impl Iterator<Item = Option<u32>> {
    parts.iter().filter_map(|part| match part {
        ClaimVerdict::NotSettled { more_rounds } => Some(*more_rounds),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn more(more_rounds: u32) -> ClaimVerdict {
        let more_rounds = Some(more_rounds);
        ClaimVerdict::NotSettled { more_rounds }
    }

    #[test]
    fn several_parts_make_the_verdict_that_speaks_most_against_the_claim() {
        use ClaimVerdict::{Flips, Holds, HoldsLarger, HoldsSmaller, TieHere};
        let all = |parts: &[ClaimVerdict]| together(Combine::All, parts);
        assert_eq!(all(&[Holds, HoldsSmaller]), HoldsSmaller);
        assert_eq!(all(&[HoldsLarger, HoldsSmaller]), Holds);
        assert_eq!(all(&[more(3), HoldsLarger, more(9)]), more(9));
        assert_eq!(all(&[more(3), TieHere]), TieHere);
        assert_eq!(all(&[TieHere, Flips, Holds]), Flips);
        assert_eq!(all(&[]), ClaimVerdict::NotMeasured);
        let any = |parts: &[ClaimVerdict]| together(Combine::Any, parts);
        assert_eq!(any(&[Flips, HoldsSmaller]), Holds);
        assert_eq!(any(&[Flips, TieHere]), TieHere);
        assert_eq!(any(&[more(9), Flips, more(3)]), more(3));
        let never = ClaimVerdict::NotSettled { more_rounds: None };
        assert_eq!(any(&[never.clone(), more(9)]), more(9));
        assert_eq!(all(&[never.clone(), more(9)]), never);
    }
}
