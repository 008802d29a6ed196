//! A number of virtual users that changes.

use std::time::Duration;

use super::iteration::Worker;
use crate::options::Stage;

pub(super) async fn work(worker: &Worker, ramp: &Ramp<'_>) {
    let start = worker.start();
    for turn in turns(ramp.start_vus, ramp.stages, worker.place()) {
        worker.sleep_until(start + turn.from).await;
        let end = match turn.to {
            Some(to) => start + to,
            None => worker.end(),
        };
        let hard_end = match turn.to {
            Some(_) => (end + ramp.graceful_ramp_down).min(worker.hard_end()),
            None => worker.hard_end(),
        };
        worker.iterate_until(end, hard_end).await;
    }
}

/// The ramp of a scenario.
pub(super) struct Ramp<'a> {
    pub(super) start_vus: u64,
    pub(super) stages: &'a [Stage],
    pub(super) graceful_ramp_down: Duration,
}

/// When a virtual user is at work, from the scenario's begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    from: Duration,
    /// `None` for the end of the scenario.
    to: Option<Duration>,
}

/// The turns of the user at a place, from 0: whenever there are more users than its place.
fn turns(start_vus: u64, stages: &[Stage], place: u64) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut since = (start_vus > place).then_some(Duration::ZERO);
    let mut began = Duration::ZERO;
    let mut users = start_vus;
    for stage in stages {
        // The users reach `place` (going down) or exceed it (going up) after so many steps.
        let steps = match since {
            Some(_) if stage.target <= place => Some(users - place),
            None if stage.target > place => Some(place + 1 - users),
            _ => None,
        };
        if let Some(steps) = steps {
            let change = users.abs_diff(stage.target);
            let at = began + stage.duration.mul_f64(steps as f64 / change as f64);
            match since.take() {
                Some(from) => turns.push(Turn { from, to: Some(at) }),
                None => since = Some(at),
            }
        }
        began += stage.duration;
        users = stage.target;
    }
    turns.extend(since.map(|from| Turn { from, to: None }));
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(seconds: u64, target: u64) -> Stage {
        Stage {
            duration: Duration::from_secs(seconds),
            target,
        }
    }

    fn turn(from: u64, to: Option<u64>) -> Turn {
        Turn {
            from: Duration::from_secs(from),
            to: to.map(Duration::from_secs),
        }
    }

    #[test]
    fn users_come_and_go_one_by_one() {
        let stages = [stage(10, 10), stage(5, 10), stage(10, 0)];
        assert_eq!(turns(0, &stages, 0), [turn(1, Some(25))]);
        assert_eq!(turns(0, &stages, 9), [turn(10, Some(16))]);
    }

    #[test]
    fn a_user_may_have_several_turns() {
        let stages = [stage(2, 0), stage(2, 2), stage(0, 0), stage(4, 2)];
        assert_eq!(
            turns(2, &stages, 1),
            [turn(0, Some(1)), turn(4, Some(4)), turn(8, None)]
        );
    }

    #[test]
    fn a_stage_of_no_length_is_a_jump() {
        assert_eq!(turns(0, &[stage(0, 3), stage(5, 3)], 2), [turn(0, None)]);
        assert_eq!(turns(1, &[stage(5, 1)], 1), []);
    }
}
