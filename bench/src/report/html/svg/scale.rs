//! From values to pixels.

/// A linear or logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    start_px: f64,
    end_px: f64,
    logarithmic: bool,
}

impl Scale {
    /// A linear axis from `from` to `to`, drawn from `start_px` to `end_px`.
    pub(super) fn linear(from: f64, to: f64, start_px: f64, end_px: f64) -> Self {
        Self {
            from,
            to,
            start_px,
            end_px,
            logarithmic: false,
        }
    }

    /// A logarithmic axis for ratios.
    pub(super) fn logarithmic(from: f64, to: f64, start_px: f64, end_px: f64) -> Self {
        Self {
            from: from.ln(),
            to: to.ln(),
            start_px,
            end_px,
            logarithmic: true,
        }
    }

    /// Where `value` lies, to a tenth of a pixel.
    pub(super) fn px(self, value: f64) -> f64 {
        let value = if self.logarithmic { value.ln() } else { value };
        let share = (value - self.from) / (self.to - self.from);
        tenth(self.start_px + share.clamp(0.0, 1.0) * (self.end_px - self.start_px))
    }
}

/// Rounded to a tenth, which keeps the file small and the same on every machine.
pub(super) fn tenth(px: f64) -> f64 {
    (px * 10.0).round() / 10.0
}

/// The smallest 1, 2 or 5 times a power of ten that is not below `value`.
pub(super) fn round_up(value: f64) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let step = steps.iter().find(|step| **step * power >= value);
    step.map_or(10.0 * power, |step| step * power)
}

/// Ratios at which a logarithmic axis from `from` to `to` has ticks; 1 is always among them.
pub(super) fn ratio_ticks(from: f64, to: f64) -> Vec<f64> {
    const FINE: [f64; 9] = [0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0];
    const COARSE: [f64; 15] = [
        0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0,
    ];
    let ticks: &[f64] = if to / from < 3.0 { &FINE } else { &COARSE };
    let inside = ticks.iter().filter(|tick| (from..=to).contains(*tick));
    inside.copied().collect()
}

#[cfg(test)]
#[expect(
    clippy::float_cmp,
    reason = "pixels and ticks are rounded, hence exact"
)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_maps_its_ends_and_keeps_outliers_inside() {
        let scale = Scale::logarithmic(0.5, 2.0, 100.0, 300.0);
        assert_eq!(
            [0.1, 0.5, 1.0, 2.0, 9.0].map(|value| scale.px(value)),
            [100.0, 100.0, 200.0, 300.0, 300.0]
        );
        assert_eq!(Scale::linear(0.0, 10.0, 0.0, 50.0).px(3.0), 15.0);
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(
            [0.0, 3.2, 10.0, 61.0].map(round_up),
            [1.0, 5.0, 10.0, 100.0]
        );
        assert_eq!(ratio_ticks(0.85, 1.2), [0.9, 1.0, 1.1]);
        assert_eq!(ratio_ticks(0.3, 4.0), [0.3, 0.5, 1.0, 2.0, 3.0]);
    }
}
