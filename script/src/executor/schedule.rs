//! When the iterations of an open model are due.

use std::time::Duration;

use crate::options::{Executor, Stage};

/// Due times of iterations, from the scenario's begin.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Schedule {
    /// Evenly spaced.
    Constant {
        rate: u64,
        time_unit: Duration,
        duration: Duration,
    },
    /// Following the area under a line.
    Ramping(Vec<Ramp>),
}

/// A stage of a changing rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ramp {
    /// When it begins, in seconds.
    began: f64,
    /// Iterations that were due before.
    before: f64,
    /// Iterations per second at its begin.
    from: f64,
    /// The same at its end.
    to: f64,
    /// Seconds.
    length: f64,
}

impl Schedule {
    /// `None` for executors of a closed loop.
    pub(super) fn new(executor: &Executor) -> Option<Self> {
        match executor {
            Executor::ConstantArrivalRate {
                rate,
                time_unit,
                duration,
                ..
            } => Some(Self::Constant {
                rate: *rate,
                time_unit: *time_unit,
                duration: *duration,
            }),
            Executor::RampingArrivalRate {
                start_rate,
                time_unit,
                stages,
                ..
            } => Some(Self::Ramping(ramps(*start_rate, *time_unit, stages))),
            _ => None,
        }
    }

    /// When the iteration of that number, from 0, is due; `None` when it is not in this scenario.
    pub(super) fn due(&self, number: u64) -> Option<Duration> {
        match self {
            Self::Constant {
                rate,
                time_unit,
                duration,
            } => {
                let ns = u128::from(number) * time_unit.as_nanos() / u128::from((*rate).max(1));
                let due = Duration::from_nanos(u64::try_from(ns).ok()?);
                (due < *duration).then_some(due)
            }
            Self::Ramping(ramps) => {
                let number = number as f64;
                let ramp = ramps
                    .iter()
                    .find(|ramp| ramp.before <= number && number < ramp.before + ramp.area())?;
                Some(Duration::from_secs_f64(
                    ramp.began + ramp.reaches(number - ramp.before),
                ))
            }
        }
    }

    /// Iterations that are due in all.
    pub(super) fn count(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of iterations"
        )]
        match self {
            Self::Constant {
                rate,
                time_unit,
                duration,
            } => {
                let due = duration.as_nanos() * u128::from(*rate);
                u64::try_from(due.div_ceil(time_unit.as_nanos().max(1))).unwrap_or(u64::MAX)
            }
            Self::Ramping(ramps) => {
                let area = |ramp: &Ramp| ramp.before + ramp.area();
                ramps.last().map(area).unwrap_or_default().ceil() as u64
            }
        }
    }
}

fn ramps(start_rate: u64, time_unit: Duration, stages: &[Stage]) -> Vec<Ramp> {
    let per_second = |rate: u64| rate as f64 / time_unit.as_secs_f64();
    let (mut began, mut before, mut from) = (0.0, 0.0, per_second(start_rate));
    let mut ramps = Vec::with_capacity(stages.len());
    for stage in stages {
        let ramp = Ramp {
            began,
            before,
            from,
            to: per_second(stage.target),
            length: stage.duration.as_secs_f64(),
        };
        began += ramp.length;
        before += ramp.area();
        from = ramp.to;
        ramps.push(ramp);
    }
    ramps
}

impl Ramp {
    fn area(&self) -> f64 {
        f64::midpoint(self.from, self.to) * self.length
    }

    /// After how many seconds of it the area is so large.
    fn reaches(&self, area: f64) -> f64 {
        // area = from·t + slope·t²/2, solved for t without losing digits when the slope is small.
        let slope = (self.to - self.from) / self.length;
        let root = (self.from * self.from + 2.0 * slope * area).max(0.0).sqrt();
        if self.from + root == 0.0 {
            return 0.0;
        }
        2.0 * area / (self.from + root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(schedule: &Schedule, number: u64) -> Option<u128> {
        schedule.due(number).map(|due| due.as_millis())
    }

    #[test]
    fn a_constant_rate_begins_at_once_and_is_even() {
        let schedule = Schedule::Constant {
            rate: 5,
            time_unit: Duration::from_secs(1),
            duration: Duration::from_secs(1),
        };
        let due: Vec<_> = (0..6).map(|number| ms(&schedule, number)).collect();
        assert_eq!(
            due,
            [Some(0), Some(200), Some(400), Some(600), Some(800), None]
        );
        assert_eq!(schedule.count(), 5);
    }

    #[test]
    fn a_changing_rate_follows_the_area() {
        let stages = [
            Stage {
                duration: Duration::from_secs(10),
                target: 10,
            },
            Stage {
                duration: Duration::from_secs(1),
                target: 10,
            },
        ];
        let schedule = Schedule::Ramping(ramps(0, Duration::from_secs(1), &stages));
        // Area t²/2.
        assert_eq!(ms(&schedule, 0), Some(0));
        assert_eq!(ms(&schedule, 8), Some(4_000));
        assert_eq!(ms(&schedule, 50), Some(10_000));
        assert_eq!(ms(&schedule, 55), Some(10_500));
        assert_eq!(ms(&schedule, 60), None);
        assert_eq!(schedule.count(), 60);
    }

    #[test]
    fn a_falling_rate_and_a_jump_are_solved() {
        let stages = [
            Stage {
                duration: Duration::from_secs(2),
                target: 0,
            },
            Stage {
                duration: Duration::ZERO,
                target: 4,
            },
            Stage {
                duration: Duration::from_secs(1),
                target: 4,
            },
        ];
        let schedule = Schedule::Ramping(ramps(4, Duration::from_secs(1), &stages));
        assert_eq!(schedule.count(), 8);
        assert_eq!(ms(&schedule, 3), Some(1_000));
        assert_eq!(ms(&schedule, 4), Some(2_000));
        assert_eq!(ms(&schedule, 6), Some(2_500));
    }
}
