//! Which rounds and runs count.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    gate::takes_round_out,
    number,
    record::{Gate, RoundOut, Run, Session},
};

/// The runs that count, by row and round.
pub(crate) struct Rounds<'a> {
    counting: BTreeMap<&'a str, BTreeMap<u32, &'a Run>>,
    /// Rounds taken out, in order, each with the first run that spoilt it.
    pub out: Vec<RoundOut>,
    /// Rounds with at least one run.
    pub begun: u32,
    /// Rounds that hold every row and are not out.
    pub valid: u32,
}

impl<'a> Rounds<'a> {
    /// Sorts the session's runs. A round with an invalid run is out for every row: the others ran
    /// beside a server that was failing, or have no partner to be compared with.
    pub fn of(session: &'a Session) -> Self {
        let out = rounds_out(session);
        let spoilt: BTreeSet<u32> = out.iter().map(|out| out.round).collect();
        let mut counting: BTreeMap<&str, BTreeMap<u32, &Run>> = BTreeMap::new();
        for run in &session.runs {
            if !spoilt.contains(&run.round) {
                let of_row = counting.entry(&run.row).or_default();
                of_row.insert(run.round, run);
            }
        }
        let begun: BTreeSet<u32> = session.runs.iter().map(|run| run.round).collect();
        let holds_every_row = |round: &u32| {
            session.rows.iter().all(|row| {
                let runs = counting.get(row.id.as_str());
                runs.is_some_and(|runs| runs.contains_key(round))
            })
        };
        let valid = begun.iter().filter(|round| holds_every_row(round)).count();
        Self {
            valid: count(valid),
            begun: count(begun.len()),
            counting,
            out,
        }
    }

    /// The runs of a row that count, by round.
    pub fn runs_of(&self, row: &str) -> impl Iterator<Item = &'a Run> {
        self.counting
            .get(row)
            .into_iter()
            .flat_map(|runs| runs.values().copied())
    }

    /// The runs of two rows in the rounds in which both count.
    pub fn pairs(&self, row: &str, against: &str) -> impl Iterator<Item = (&'a Run, &'a Run)> {
        let against = self.counting.get(against);
        self.runs_of(row)
            .filter_map(move |run| Some((run, *against?.get(&run.round)?)))
    }
}

/// A number of rounds or runs; `u32::MAX` stands for more than any session holds.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn rounds_out(session: &Session) -> Vec<RoundOut> {
    let mut out = BTreeMap::new();
    for run in &session.runs {
        if let Some(gate) = run.gates.iter().find(|gate| takes_round_out(gate)) {
            out.entry(run.round).or_insert_with(|| RoundOut {
                round: run.round,
                row: run.row.clone(),
                reason: reason(gate),
            });
        }
    }
    out.into_values().collect()
}

fn reason(gate: &Gate) -> String {
    match gate {
        Gate::FailedOperations { failed, of, reason } => format!(
            "{} of {} failed: {reason}",
            number::count(*failed),
            number::counted(*of, "operation")
        ),
        _ => "no operation succeeded".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::record::fixture;

    fn failing(session: &mut Session, row: &str, round: u32, gate: Gate) {
        let mut runs = session.runs.iter_mut();
        let run = runs.find(|run| run.row == row && run.round == round);
        run.unwrap().gates.push(gate);
    }

    fn rounds_of_row(rounds: &Rounds, row: &str) -> Vec<u32> {
        rounds.runs_of(row).map(|run| run.round).collect()
    }

    #[test]
    fn a_failed_run_takes_its_round_out_for_every_row() {
        let mut session = fixture::session(&[
            ("a-rest", &[1.0; 4]),
            ("a-grpc", &[1.0; 4]),
            ("b-rest", &[1.0; 4]),
        ]);
        let failed = Gate::FailedOperations {
            failed: 2,
            of: 100,
            reason: "status 500".to_owned(),
        };
        failing(&mut session, "a-grpc", 2, failed);
        failing(&mut session, "b-rest", 2, Gate::NoOperations);
        failing(&mut session, "b-rest", 4, Gate::NoOperations);
        let rounds = Rounds::of(&session);
        for row in ["a-rest", "a-grpc", "b-rest"] {
            assert_eq!(rounds_of_row(&rounds, row), [1, 3]);
        }
        assert_eq!((rounds.valid, rounds.begun), (2, 4));
        let told: Vec<_> = rounds
            .out
            .iter()
            .map(|out| (out.round, out.row.as_str(), out.reason.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (2, "a-grpc", "2 of 100 operations failed: status 500"),
                (4, "b-rest", "no operation succeeded")
            ]
        );
    }

    #[test]
    fn a_gate_that_only_annotates_keeps_the_round() {
        let mut session = fixture::session(&[("a-rest", &[1.0; 2])]);
        failing(&mut session, "a-rest", 1, Gate::Steal { share: 0.2 });
        let rounds = Rounds::of(&session);
        assert_eq!((rounds.valid, rounds.out.len()), (2, 0));
    }

    #[test]
    fn rows_are_paired_in_the_rounds_that_both_have() {
        let session = fixture::session(&[("a-rest", &[1.0; 5]), ("a-grpc", &[1.0; 3])]);
        let rounds = Rounds::of(&session);
        let pairs: Vec<_> = rounds
            .pairs("a-rest", "a-grpc")
            .map(|(row, against)| (row.round, against.round))
            .collect();
        assert_eq!(pairs, [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(rounds.pairs("a-rest", "no-such-row").count(), 0);
        assert_eq!((rounds.valid, rounds.begun), (3, 5));
    }

    #[test]
    fn a_session_without_runs_has_no_rounds() {
        let session = fixture::without_runs();
        let rounds = Rounds::of(&session);
        assert_eq!((rounds.valid, rounds.begun), (0, 0));
    }
}
