//! Rounding to significant digits, and writing digits in groups.

/// Significant digits of a figure whose spread is unknown or nil.
pub const DEFAULT_DIGITS: i32 = 3;

/// A rounding step as a power of ten; figures that belong together share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step(i32);

impl Step {
    /// The step of whole numbers.
    pub const ONE: Self = Self(0);

    /// The step that leaves `digits` significant digits of `value`.
    #[must_use]
    pub fn of_digits(value: f64, digits: i32) -> Self {
        Self(magnitude(value).map_or(0, |power| power + 1 - digits))
    }

    /// The step that leaves two or three significant digits of `value`: as many as a spread of
    /// `half_width` supports, with one more when the spread starts with a 1.
    #[must_use]
    pub fn matched(value: f64, half_width: f64) -> Self {
        let digits = match (magnitude(value), magnitude(half_width)) {
            (Some(value_power), Some(spread_power)) => {
                let starts_with_one = half_width / 10_f64.powi(spread_power) < 2.0;
                (value_power - spread_power + 1 + i32::from(starts_with_one)).clamp(2, 3)
            }
            _ => DEFAULT_DIGITS,
        };
        Self::of_digits(value, digits)
    }

    /// `value` rounded to this step.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        if self.0 >= 0 {
            let step = 10_f64.powi(self.0);
            grouped(&format!("{:.0}", (value / step).round() * step))
        } else {
            let decimals = usize::try_from(-self.0).unwrap_or(0);
            grouped(&format!("{value:.decimals$}"))
        }
    }
}

/// The power of ten of the first significant digit.
fn magnitude(value: f64) -> Option<i32> {
    let value = value.abs();
    if value == 0.0 || !value.is_finite() {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the logarithm of a finite f64 lies between -324 and 309"
    )]
    let power = value.log10().floor() as i32;
    Some(power)
}

/// Puts a comma between groups of three digits of the whole part.
#[must_use]
pub fn grouped(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", number),
    };
    let (whole, fraction) = match digits.find('.') {
        Some(point) => digits.split_at(point),
        None => (digits, ""),
    };
    let mut shown = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown + fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_leaves_as_many_digits_as_the_spread_supports() {
        for (value, half_width, shown) in [
            (87_388.0, 1_800.0, "87,400"),
            (87_388.0, 4_000.0, "87,000"),
            (31.23, 0.8, "31.2"),
            (31.23, 2.7, "31"),
            (0.1904, 0.0096, "0.190"),
            (31.23, 0.0, "31.2"),
        ] {
            assert_eq!(Step::matched(value, half_width).show(value), shown);
        }
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped("-12345.6"), "-12,345.6");
        assert_eq!(grouped("999"), "999");
        assert_eq!(Step::ONE.show(1_234_567.4), "1,234,567");
    }
}
