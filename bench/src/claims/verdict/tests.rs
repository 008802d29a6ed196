use super::*;

fn ratio(claimed: Claimed, published: Option<f64>, low: f64, high: f64) -> ClaimVerdict {
    ask(FigureKind::Ratio, claimed, published, low, high)
}

fn ask(
    kind: FigureKind,
    claimed: Claimed,
    published: Option<f64>,
    low: f64,
    high: f64,
) -> ClaimVerdict {
    let value = if kind == FigureKind::Ratio {
        (low * high).sqrt()
    } else {
        f64::midpoint(low, high)
    };
    let ours = ClaimEstimate {
        value,
        low: Some(low),
        high: Some(high),
        min: low,
        max: high,
        rounds: 8,
    };
    Question {
        claimed,
        kind,
        published,
        ours: Some(&ours),
        tie_margin: 0.05,
    }
    .verdict()
}

fn more(more_rounds: u32) -> ClaimVerdict {
    let more_rounds = Some(more_rounds);
    ClaimVerdict::NotSettled { more_rounds }
}

#[test]
fn a_claimed_direction_holds_ties_flips_or_is_not_settled() {
    use ClaimVerdict::{Flips, Holds, HoldsLarger, HoldsSmaller, TieHere};
    for (low, high, verdict) in [
        (1.45, 1.60, Holds),
        (1.40, 1.70, Holds),
        (1.20, 1.35, HoldsSmaller),
        (1.02, 1.20, HoldsSmaller),
        (1.70, 1.90, HoldsLarger),
        (0.97, 1.04, TieHere),
        (1.01, 1.03, TieHere),
        (0.70, 0.80, Flips),
        (0.90, 0.98, Flips),
    ] {
        assert_eq!(
            ratio(Claimed::Above(1.0), Some(1.52), low, high),
            verdict,
            "{low} to {high}"
        );
        // The same claim about the inverse.
        let inverse = ratio(Claimed::Below(1.0), Some(1.0 / 1.52), 1.0 / high, 1.0 / low);
        assert_eq!(inverse, verdict, "1/{high} to 1/{low}");
    }
    assert_eq!(ratio(Claimed::Above(1.0), None, 0.9, 1.4), more(22));
    assert_eq!(
        ratio(Claimed::Above(1.0), None, 1.2, 9.0),
        Holds,
        "no published size"
    );
}

#[test]
fn a_claimed_bound_can_be_missed_on_its_own_side() {
    use ClaimVerdict::{Flips, Holds, HoldsLarger, HoldsSmaller, TieHere};
    let half = Claimed::Below(0.5);
    assert_eq!(ratio(half, Some(0.478), 0.48, 0.49), Holds);
    assert_eq!(ratio(half, Some(0.478), 0.40, 0.41), HoldsLarger);
    assert_eq!(ratio(half, Some(0.478), 0.52, 0.53), HoldsSmaller);
    assert_eq!(ratio(half, Some(0.478), 1.0, 1.0), TieHere);
    assert_eq!(ratio(half, Some(0.478), 1.2, 1.3), Flips);
    assert_eq!(ratio(half, Some(0.478), 0.46, 0.58), more(94));
    let third = Claimed::Within(0.28, 0.38);
    assert_eq!(ratio(third, Some(0.37), 0.29, 0.30), Holds);
    assert_eq!(ratio(third, None, 0.20, 0.25), HoldsLarger);
    assert_eq!(ratio(third, None, 0.40, 0.60), HoldsSmaller);
}

#[test]
fn a_claimed_likeness_holds_or_does_not() {
    let alike = Claimed::Within(0.9, 1.1);
    assert_eq!(ratio(alike, Some(1.0), 0.95, 1.08), ClaimVerdict::Holds);
    assert_eq!(ratio(alike, Some(1.0), 1.2, 1.3), ClaimVerdict::DoesNotHold);
    assert!(matches!(
        ratio(alike, Some(1.0), 1.0, 1.2),
        ClaimVerdict::NotSettled { .. }
    ));
}

#[test]
fn differences_have_a_direction_and_amounts_have_none() {
    use ClaimVerdict::{DoesNotHold, Flips, Holds, HoldsLarger, HoldsSmaller, TieHere};
    let difference =
        |claimed, low, high| ask(FigureKind::Difference, claimed, Some(10.0), low, high);
    assert_eq!(difference(Claimed::Above(0.0), 9.5, 10.5), Holds);
    assert_eq!(difference(Claimed::Above(0.0), 2.0, 4.0), HoldsSmaller);
    assert_eq!(difference(Claimed::Above(0.0), 12.0, 14.0), HoldsLarger);
    assert_eq!(difference(Claimed::Above(0.0), 0.0, 0.0), TieHere);
    assert_eq!(difference(Claimed::Above(0.0), -4.0, -2.0), Flips);
    assert_eq!(difference(Claimed::Below(20.0), 21.0, 22.0), DoesNotHold);
    assert_eq!(difference(Claimed::Exactly(0.0), 0.0, 0.0), Holds);
    assert_eq!(difference(Claimed::Exactly(0.0), 1.0, 1.0), DoesNotHold);
    let amount = |low, high| {
        ask(
            FigureKind::Amount,
            Claimed::Exactly(410.0),
            Some(410.0),
            low,
            high,
        )
    };
    assert_eq!(amount(410.0, 410.0), Holds);
    assert_eq!(amount(411.0, 411.0), DoesNotHold, "one byte longer");
}

/// On the log scale, where the estimate need not lie in the middle.
fn uneven(claimed: Claimed, [low, value, high]: [f64; 3]) -> ClaimVerdict {
    let ours = ClaimEstimate {
        value: value.exp(),
        low: Some(low.exp()),
        high: Some(high.exp()),
        min: low.exp(),
        max: high.exp(),
        rounds: 8,
    };
    Question {
        claimed,
        kind: FigureKind::Ratio,
        published: None,
        ours: Some(&ours),
        tie_margin: 0.05,
    }
    .verdict()
}

#[test]
fn the_rounds_needed_are_those_until_it_is_clear_of_what_is_still_open() {
    // Clear of the claimed bound, but it still holds 1: 8 × (0.3 / 0.2)² − 8.
    let half_again = Claimed::Above(3.0);
    assert_eq!(uneven(half_again, [-0.1, 0.2, 0.5]), more(10));
    let between = Claimed::Within(2.6, 3.2);
    assert_eq!(uneven(between, [-0.1, 0.2, 0.5]), more(10));
    // Across the bound and 1: the centre must be clear of both.
    let bound = Claimed::Above(1.0_f64.exp());
    assert_eq!(uneven(bound, [-0.1, 0.8, 1.1]), more(10));
    assert_eq!(uneven(bound, [-0.4, 0.4, 1.1]), more(24));
    // The arm that reaches over the bound counts, whatever the other one does.
    assert_eq!(uneven(Claimed::Above(1.0), [-0.1, 0.2, 0.3]), more(10));
    assert_eq!(uneven(Claimed::Below(1.0), [-0.3, -0.2, 0.1]), more(10));
    // A tie is as good an answer, where that is nearer.
    let tie = 1.05_f64.ln();
    assert_eq!(
        uneven(Claimed::Above(1.0), [-2.0 * tie, 0.0, tie]),
        more(24)
    );
    // Within a range without a side both ends must be in.
    let alike = Claimed::Within((-0.2_f64).exp(), 0.2_f64.exp());
    assert_eq!(uneven(alike, [-0.15, 0.0, 0.3]), more(10));
}

#[test]
fn without_an_interval_nothing_is_settled() {
    let mut ours = ClaimEstimate {
        value: 1.5,
        low: None,
        high: None,
        min: 1.4,
        max: 1.6,
        rounds: 4,
    };
    let ask = |ours: Option<&ClaimEstimate>| {
        Question {
            claimed: Claimed::Above(1.0),
            kind: FigureKind::Ratio,
            published: None,
            ours,
            tie_margin: 0.05,
        }
        .verdict()
    };
    assert_eq!(ask(Some(&ours)), more(2));
    ours.rounds = 0;
    assert_eq!(ask(Some(&ours)), more(6));
    assert_eq!(ask(None), ClaimVerdict::NotMeasured);
}
