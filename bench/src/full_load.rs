//! Measures what rows do at full load before the rounds, where rates are given as a share of it.

use thiserror::Error;

use crate::{
    error::BenchError,
    progress::Progress,
    record::{Figure, Maximum, Row, Session, without_rate},
    rows,
    run::Runner,
};

/// Nothing to take a share of.
#[derive(Debug, Error)]
#[error(
    "at full load {row} did no operation, so there is no rate of which {percent} % could be offered; \
     measure it without a rate to see why, or give operations per second"
)]
struct NoMaximum {
    row: String,
    percent: f64,
}

/// Gives every row of the session that is offered a share its rate: the same for all rows of a group,
/// from one run of each in a closed loop. What the session knows already is not measured again.
///
/// # Errors
/// A run fails, is interrupted, or does nothing.
pub(crate) fn offer_shares(
    session: &mut Session,
    runner: &Runner<'_>,
    progress: &mut Progress,
) -> Result<(), BenchError> {
    for (row, percent) in shares(session) {
        let full = rows::at_full_load(&row);
        if is_known(&session.maxima, &full) {
            continue;
        }
        progress.prepare(&full);
        let ops_per_s = measured(session, runner, &full, percent)?;
        keep(&mut session.maxima, &full, ops_per_s);
    }
    for row in &mut session.rows {
        if let Some(percent) = row.condition.rate_percent {
            let group = without_rate(&row.group);
            let mut maxima = session.maxima.iter();
            let maximum = maxima.find(|maximum| maximum.group == group);
            row.condition.rate_per_s = maximum.and_then(|maximum| maximum.offered(percent));
        }
    }
    Ok(())
}

/// The rows at full load that have to be run before the rounds, each once.
pub(crate) fn first_runs(rows: &[Row]) -> Vec<Row> {
    let mut first: Vec<Row> = Vec::new();
    for row in rows
        .iter()
        .filter(|row| row.condition.rate_percent.is_some())
    {
        let full = rows::at_full_load(row);
        if first.iter().all(|known| known.id != full.id) {
            first.push(full);
        }
    }
    first
}

fn shares(session: &Session) -> Vec<(Row, f64)> {
    let rows = session.rows.iter();
    rows.filter_map(|row| Some((row.clone(), row.condition.rate_percent?)))
        .collect()
}

fn measured(
    session: &Session,
    runner: &Runner<'_>,
    row: &Row,
    percent: f64,
) -> Result<f64, BenchError> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| BenchError::FullLoad {
        row: row.id.clone(),
        source,
    };
    let run = runner
        .measure(row, 0, 0, &session.machine)
        .map_err(|error| {
            if error.is_interruption() {
                let planned = session.settings.order.iter().map(Vec::len).sum();
                BenchError::Interrupted {
                    made: session.runs.len(),
                    planned,
                }
            } else {
                failed(error.into())
            }
        })?;
    let reached = Figure::OpsPerS.of(&run).filter(|rate| *rate > 0.0);
    reached.ok_or_else(|| {
        failed(Box::new(NoMaximum {
            row: row.id.clone(),
            percent,
        }))
    })
}

fn is_known(maxima: &[Maximum], row: &Row) -> bool {
    let mut of_group = maxima.iter().filter(|maximum| maximum.group == row.group);
    of_group.any(|maximum| maximum.ops_per_s.contains_key(&row.id))
}

fn keep(maxima: &mut Vec<Maximum>, row: &Row, ops_per_s: f64) {
    let reached = (row.id.clone(), ops_per_s);
    match maxima.iter_mut().find(|maximum| maximum.group == row.group) {
        Some(maximum) => {
            maximum.ops_per_s.extend([reached]);
        }
        None => maxima.push(Maximum {
            group: row.group.clone(),
            ops_per_s: [reached].into(),
        }),
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::catalogue::Catalogue;

    fn assembled(ids: &[&str]) -> Vec<Row> {
        let catalogue = Catalogue::built_in();
        let named = |id: &&str| rows::named(&catalogue, id).unwrap();
        rows::assembled(ids.iter().map(named).collect(), true)
    }

    #[test]
    fn every_style_is_run_once_at_full_load_whatever_the_number_of_its_shares() {
        let rows = assembled(&[
            "L2-a-rest@rate=25%",
            "L2-a-rest@rate=75%",
            "L2-a-grpc@rate=25%",
            "L2-a-grpc@rate=25%,log-level=info",
            "L2-a-rest@rate=500",
        ]);
        let first = first_runs(&rows);
        let ids: Vec<&str> = first.iter().map(|row| &*row.id).collect();
        assert_eq!(ids, ["L2-a-rest", "L2-a-grpc", "L2-a-grpc@log-level=info"]);
        assert_eq!(first[1].group_label, "(a) 2 lines");
        assert_eq!(first[2].group_label, "(a) 2 lines, log-level=info");
        let groups: Vec<&str> = first.iter().map(|row| &*row.group).collect();
        assert_eq!(groups, ["L2-a", "L2-a", "L2-a@log-level=info"]);
        assert!(first.iter().all(|row| row.condition.rate_percent.is_none()));
    }

    #[test]
    fn what_was_reached_is_kept_by_group_and_not_asked_for_again() {
        let mut maxima = Vec::new();
        let first = first_runs(&assembled(&["L2-a-rest@rate=50%", "L2-a-grpc@rate=50%"]));
        for (row, rate) in first.iter().zip([9_000.0, 7_000.0]) {
            assert!(!is_known(&maxima, row));
            keep(&mut maxima, row, rate);
            assert!(is_known(&maxima, row));
        }
        assert_eq!(maxima.len(), 1);
        assert_eq!(maxima[0].offered(50.0), Some(3_500.0));
    }
}
