//! What has to be run for a choice of claims: sessions of rows, and checks.

use std::time::Duration;

use super::{
    catalogue::{Claim, Part},
    checks::CheckName,
};
use crate::{catalogue::Catalogue, cli::Pace, full_load, options::Options, record::Row, rows};

/// Starting and ending server and load process around a run, and connecting.
const AROUND_A_RUN: Duration = Duration::from_millis(500);
/// The opening of a session: facts, idle server, equal answers.
const OPENING: Duration = Duration::from_secs(2);

/// Sessions and checks that the claims share.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The rows of each session, in table order. Rows that one claim compares are in one session, in
    /// interleaved rounds; others need not wait for each other.
    pub sessions: Vec<Vec<Row>>,
    /// The checks, each once.
    pub checks: Vec<CheckName>,
}

impl Plan {
    /// The plan for these claims. Rows that the catalogue of cells does not have are left out; a test
    /// keeps the claims free of them.
    #[must_use]
    pub fn of<'a>(
        claims: impl Iterator<Item = &'a Claim>,
        catalogue: &Catalogue,
        noise_floor: bool,
        pace: Pace,
    ) -> Self {
        let parts: Vec<&Part> = claims.flat_map(|claim| &claim.parts).collect();
        let mut sets: Vec<Vec<&str>> = Vec::new();
        for set in parts.iter().flat_map(|part| part.row_sets(pace)) {
            join(&mut sets, set);
        }
        let mut sessions: Vec<Vec<Row>> = sets
            .iter()
            .map(|ids| in_table_order(ids, catalogue))
            .filter(|rows| !rows.is_empty())
            .collect();
        sessions.sort_by_key(|rows| position(&rows[0], catalogue));
        let mut checks: Vec<CheckName> = parts
            .iter()
            .filter_map(|part| match part {
                Part::Check(part) => Some(part.check),
                _ => None,
            })
            .collect();
        checks.sort_unstable();
        checks.dedup();
        Self {
            sessions: sessions
                .into_iter()
                .map(|rows| rows::assembled(rows, noise_floor))
                .collect(),
            checks,
        }
    }
}

impl Plan {
    /// Takes rows out, and gives them; a session without rows goes too.
    pub fn without(&mut self, is_out: impl Fn(&Row) -> bool) -> Vec<Row> {
        let mut out = Vec::new();
        for session in &mut self.sessions {
            let (gone, kept) = std::mem::take(session).into_iter().partition(&is_out);
            *session = kept;
            out.extend::<Vec<Row>>(gone);
        }
        self.sessions.retain(|rows| !rows.is_empty());
        out
    }
}

/// Adds a set of rows; sets that share a row become one.
fn join<'a>(sets: &mut Vec<Vec<&'a str>>, mut set: Vec<&'a str>) {
    sets.retain(|known| {
        let shares = known.iter().any(|row| set.contains(row));
        if shares {
            set.extend(known);
        }
        !shares
    });
    set.sort_unstable();
    set.dedup();
    sets.push(set);
}

fn in_table_order(ids: &[&str], catalogue: &Catalogue) -> Vec<Row> {
    let mut rows: Vec<Row> = ids
        .iter()
        .filter_map(|id| rows::named(catalogue, id))
        .collect();
    rows.sort_by_cached_key(|row| position(row, catalogue));
    rows
}

/// Scenario, lines, condition, cell.
fn position(
    row: &Row,
    catalogue: &Catalogue,
) -> (Option<usize>, Option<u32>, String, Option<usize>) {
    (
        catalogue
            .scenarios
            .iter()
            .position(|scenario| scenario.id == row.scenario),
        row.lines,
        row.condition.to_string(),
        catalogue.cells.iter().position(|cell| cell.id == row.cell),
    )
}

/// About how long these sessions take, the runs that are there already left out.
#[must_use]
pub fn time_needed(sessions: &[Options], made: u32) -> Duration {
    let mut time = Duration::ZERO;
    let mut made = made;
    for options in sessions {
        let runs = u32::try_from(options.rows.len()).unwrap_or(u32::MAX) * options.settings.rounds;
        let missing = runs.saturating_sub(made);
        made = made.saturating_sub(runs);
        let round: Duration = options.rows.iter().map(|row| of_run(row, options)).sum();
        if missing == runs {
            let first = full_load::first_runs(&options.rows);
            time += first
                .iter()
                .map(|row| of_run(row, options))
                .sum::<Duration>();
        }
        if missing > 0 {
            time += OPENING + round * missing / runs * options.settings.rounds;
        }
    }
    time
}

/// The last operations of warm-up and window begin in time and end after it.
fn of_run(row: &Row, options: &Options) -> Duration {
    // A sequence warms up by the operations that it drops.
    let warmup = match row.condition.sequence() {
        Some(_) => Duration::ZERO,
        None => options.warmup,
    };
    let loads = warmup + row.expected_duration(options.duration) + row.least_operation() * 2;
    loads + AROUND_A_RUN
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::claims::catalogue::Claims;

    fn plan(ids: &[&str]) -> Plan {
        let claims = Claims::built_in();
        let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
        let selected = claims.selected(&[], &ids).unwrap();
        let claims = selected.iter().map(|(_, claim)| *claim);
        Plan::of(claims, &Catalogue::built_in(), true, Pace::Quick)
    }

    fn ids(rows: &[Row]) -> Vec<&str> {
        rows.iter().map(|row| &*row.id).collect()
    }

    #[test]
    fn claims_share_their_rows_and_rows_that_are_not_compared_are_apart() {
        let plan = plan(&["C03", "C12", "C19"]);
        assert_eq!(
            plan.sessions
                .iter()
                .map(|rows| ids(rows))
                .collect::<Vec<_>>(),
            [
                vec!["L2-a-rest", "L2-a-rest#2", "L2-a-grpc", "L2-a-graphql"],
                vec!["b-rest", "b-rest#2", "b-grpcweb", "b-graphql"],
            ]
        );
        assert_eq!(plan.checks, []);
    }

    #[test]
    fn a_claim_about_several_order_sizes_needs_all_in_one_session() {
        let plan = plan(&["C16"]);
        assert_eq!(plan.sessions.len(), 1);
        assert_eq!(ids(&plan.sessions[0]).len(), 7);
    }

    #[test]
    fn the_full_pace_takes_more_order_sizes() {
        let claims = Claims::built_in();
        let (_, claim) = claims.find("C05").unwrap();
        let rows = |pace| {
            let plan = Plan::of([claim].into_iter(), &Catalogue::built_in(), false, pace);
            plan.sessions.iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!(rows(Pace::Quick), [6]);
        assert_eq!(rows(Pace::Full), [18]);
    }

    #[test]
    fn rows_that_cannot_be_measured_are_taken_out_and_given() {
        let mut plan = plan(&["T10"]);
        let rows = |plan: &Plan| plan.sessions.iter().map(Vec::len).sum::<usize>();
        let before = rows(&plan);
        let out = plan.without(|row| row.condition.cpus.is_some());
        assert_eq!(
            ids(&out),
            [
                "e-A-rest@cpu=0.25",
                "e-A-rest@cpu=0.25#2",
                "e-A-graphql@cpu=0.25"
            ]
        );
        assert_eq!(rows(&plan), before - 3);
        plan.without(|_| true);
        assert_eq!(plan.sessions, Vec::<Vec<Row>>::new());
    }

    #[test]
    fn a_claim_that_is_only_tried_needs_no_session() {
        let plan = plan(&["C29"]);
        assert_eq!(plan.sessions, Vec::<Vec<Row>>::new());
        assert_eq!(
            plan.checks,
            [
                CheckName::NewScreenByQueryAlone,
                CheckName::NewScreenTakesCode
            ]
        );
    }
}
