//! CPU time per operation: the target against the floor, interleaved.

use std::path::Path;

use anyhow::ensure;
use bookstore_bench::meter::system_meter;

use crate::{
    cli::Limits,
    load::{self, Length},
    order,
    programs::Programs,
    progress::say,
    ratio::Pairs,
    row::Row,
    server::Server,
};

/// Server CPU of one row, in µs per operation.
pub struct RowTimes {
    pub row: Row,
    pub us_per_op: Pairs,
}

/// One run's outcome.
struct Run {
    us_per_op: f64,
    received_bytes_per_op: f64,
}

/// Measures every row in every round, each run against a fresh server process.
pub fn measure(
    programs: &Programs,
    options: &Limits,
    rows: &[Row],
) -> anyhow::Result<Vec<RowTimes>> {
    let (bench, floor) = (programs.bench()?, programs.floor()?);
    // Only asked while floor servers learn; idle while anything is measured.
    let teacher = Server::target(&bench, 1, None)?;
    let mut times: Vec<_> = rows
        .iter()
        .map(|row| RowTimes {
            row: row.clone(),
            us_per_op: Pairs::default(),
        })
        .collect();
    let plan = order::rounds(rows.len(), options.rounds, options.seed);
    for (round, turns) in plan.iter().enumerate() {
        for turn in turns {
            let row = &rows[turn.row];
            let ours = || {
                let server = Server::target(&bench, options.workers, None)?;
                timed(&bench, row, server, options)
            };
            let theirs = || {
                let server = Server::floor(&floor, row, &teacher, options.workers, None)?;
                timed(&bench, row, server, options)
            };
            let (ours, theirs) = in_order(turn.ours_first, ours, theirs)?;
            same_bytes(
                row,
                ours.received_bytes_per_op,
                theirs.received_bytes_per_op,
            )?;
            say(&format!(
                "round {} of {}: {:<13} {:7.2} µs, floor {:7.2} µs",
                round + 1,
                options.rounds,
                row.id,
                ours.us_per_op,
                theirs.us_per_op
            ));
            times[turn.row]
                .us_per_op
                .push(ours.us_per_op, theirs.us_per_op);
        }
    }
    teacher.stop()?;
    Ok(times)
}

/// Runs two contenders one after the other, in the order drawn.
pub fn in_order<T>(
    ours_first: bool,
    ours: impl FnOnce() -> anyhow::Result<T>,
    theirs: impl FnOnce() -> anyhow::Result<T>,
) -> anyhow::Result<(T, T)> {
    if ours_first {
        let ours = ours()?;
        Ok((ours, theirs()?))
    } else {
        let theirs = theirs()?;
        Ok((ours()?, theirs))
    }
}

/// Fails when the floor server does not answer the target's bytes. One percent is left for what time
/// puts into an answer: a new date, or an identifier that compresses otherwise.
pub fn same_bytes(row: &Row, ours: f64, theirs: f64) -> anyhow::Result<()> {
    ensure!(
        (ours - theirs).abs() <= 0.01 * ours,
        "{}: the target answers {ours:.1} bytes per operation, its floor server {theirs:.1}; \
         the comparison would mean nothing",
        row.id
    );
    Ok(())
}

fn timed(bench: &Path, row: &Row, server: Server, options: &Limits) -> anyhow::Result<Run> {
    let url = server.url(row.protocol())?;
    let window = |millis| {
        load::drive(bench, row, url, options.vus, Length::Millis(millis))
            .map(|loaded| loaded.summary)
    };
    let meter = system_meter();
    window(options.warmup_ms)?;
    let before = meter.process(server.pid())?.cpu_ns;
    let summary = window(options.duration_ms)?;
    let spent_ns = meter.process(server.pid())?.cpu_ns.saturating_sub(before);
    server.stop()?;
    let operations = summary.operations as f64;
    Ok(Run {
        us_per_op: spent_ns as f64 / 1e3 / operations,
        received_bytes_per_op: summary.received_bytes as f64 / operations,
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::cell::RefCell;

    use bookstore_bench::catalogue::Catalogue;

    use super::*;

    #[test]
    fn the_order_drawn_is_the_order_run() {
        let log = RefCell::new(Vec::new());
        let side = |name: &'static str| {
            let log = &log;
            move || {
                log.borrow_mut().push(name);
                Ok(name)
            }
        };
        for ours_first in [true, false] {
            let sides = in_order(ours_first, side("ours"), side("theirs")).unwrap();
            assert_eq!(sides, ("ours", "theirs"));
        }
        assert_eq!(*log.borrow(), ["ours", "theirs", "theirs", "ours"]);
    }

    #[test]
    fn a_floor_with_other_bytes_is_refused() {
        let row = &crate::row::rows(&Catalogue::built_in(), &["b-rest".to_owned()]).unwrap()[0];
        assert!(same_bytes(row, 1000.0, 1009.0).is_ok());
        let error = same_bytes(row, 1000.0, 980.0).unwrap_err();
        assert!(error.to_string().contains("b-rest"), "{error}");
    }
}
