//! Whether two rankings agree.
//!
//! Source: Kendall, "Rank Correlation Methods", for tau-b.

/// Kendall's tau-b of pairs of values, −1 (reversed) to 1 (same order), ties taken into account.
/// `None` below two pairs, or where one side has no order at all.
#[must_use]
pub fn kendall_tau_b(pairs: &[(f64, f64)]) -> Option<f64> {
    let mut agreeing = 0.0;
    let mut ordered = (0.0, 0.0);
    for (index, one) in pairs.iter().enumerate() {
        for other in &pairs[index + 1..] {
            let signs = (sign(one.0, other.0)?, sign(one.1, other.1)?);
            agreeing += signs.0 * signs.1;
            ordered.0 += signs.0.abs();
            ordered.1 += signs.1.abs();
        }
    }
    let scale: f64 = ordered.0 * ordered.1;
    (scale > 0.0).then(|| agreeing / scale.sqrt())
}

fn sign(left: f64, right: f64) -> Option<f64> {
    Some(f64::from(left.partial_cmp(&right)? as i8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_orders_reversed_orders_and_one_exchange() {
        assert_eq!(
            kendall_tau_b(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)]),
            Some(1.0)
        );
        assert_eq!(
            kendall_tau_b(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]),
            Some(-1.0)
        );
        // One of three pairs is reversed: (2 − 1) / 3.
        assert_eq!(
            kendall_tau_b(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)]),
            Some(1.0 / 3.0)
        );
    }

    #[test]
    fn ties_count_less_and_sides_without_an_order_say_nothing() {
        // Five pairs are ordered on the left, all six on the right, and five agree.
        let tau = kendall_tau_b(&[(1.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]);
        assert!(tau.is_some_and(|tau| (tau - 5.0 / 30.0_f64.sqrt()).abs() < 1e-12));
        assert_eq!(kendall_tau_b(&[(1.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(kendall_tau_b(&[(1.0, 1.0)]), None);
        assert_eq!(kendall_tau_b(&[(1.0, f64::NAN), (2.0, 1.0)]), None);
    }
}
