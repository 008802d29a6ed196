//! The command `limits`: which measurements, and how they are shown.

use anyhow::bail;
use bookstore_bench::{build, catalogue::Catalogue, machine, meter::system_meter};
use floor::Protocol;

use crate::{
    baseline::Baseline,
    cli::Limits,
    clients::{self, ClientTimes},
    goals::{self, Goal},
    instructions::{self, Counts},
    programs::Programs,
    progress::say,
    ratio::Pairs,
    rivals,
    row::{self, Row},
    runner::{self, RunnerTimes},
    startup,
    table::Table,
    time::{self, RowTimes},
    words,
};

/// Measures what the options ask for and prints it.
pub fn run(programs: &Programs, options: &Limits) -> anyhow::Result<()> {
    let rows = row::rows(&Catalogue::built_in(), &options.cells)?;
    // Read first: a baseline that is missing or damaged is told before minutes of counting.
    let committed = options
        .check
        .then(|| Baseline::read(&options.baseline))
        .transpose()?;
    if options.markdown {
        println!("{}\n", facts());
    }
    if options.clients {
        let times = clients::measure(programs, options, &rows)?;
        show(&client_table(&times), options);
        return Ok(());
    }
    if options.runner {
        return compare_runner(programs, options, &rows);
    }
    let count = options.instructions || options.check || options.update_baseline;
    if !count {
        let times = time::measure(programs, options, &rows)?;
        show(&time_table(&times), options);
    }
    if !options.time {
        let counts = instructions::count(programs, options.operations, &rows)?;
        show(&instruction_table(&counts), options);
        if options.update_baseline {
            update(options, &counts)?;
        }
        if let Some(committed) = committed {
            check(&committed, &counts)?;
        }
    }
    Ok(())
}

fn compare_runner(programs: &Programs, options: &Limits, rows: &[Row]) -> anyhow::Result<()> {
    let times = runner::measure(programs, options, rows)?;
    show(&runner_table(&times), options);
    if let Some(row) = rows.iter().find(|row| row.id == "L2-a-rest") {
        let mut table = Table::new(&["runner", "measured", "at most", "verdict"]);
        for look in startup::measure(programs, options, row)? {
            for cells in startup::table_rows(&look) {
                table.push(cells);
            }
        }
        show(&table, options);
    }
    Ok(())
}

fn show(table: &Table, options: &Limits) {
    println!("{}", table.render(options.markdown));
}

/// Machine, build and date in one line.
fn facts() -> String {
    let machine = machine::collect(&*system_meter());
    let cpu = machine.cpu_model.as_deref().unwrap_or("unknown processor");
    format!(
        "{}: {cpu}, {} logical cores, {} {}; revision {}, {}.",
        jiff::Timestamp::now().strftime("%Y-%m-%d"),
        machine.logical_cores,
        machine.os,
        machine.kernel.as_deref().unwrap_or("of unknown version"),
        build::GIT_REVISION.unwrap_or("unknown"),
        build::RUSTC
    )
}

fn update(options: &Limits, counts: &[(Row, Counts)]) -> anyhow::Result<()> {
    let mut baseline = if options.cells.is_empty() || !options.baseline.exists() {
        Baseline::default()
    } else {
        Baseline::read(&options.baseline)?
    };
    baseline.update(counts);
    baseline.write(&options.baseline)?;
    say(&format!("wrote {}", options.baseline.display()));
    Ok(())
}

fn check(committed: &Baseline, counts: &[(Row, Counts)]) -> anyhow::Result<()> {
    let changes = committed.compare(counts);
    for change in &changes {
        println!("{change}");
    }
    let failed = changes.iter().filter(|change| change.fails()).count();
    if failed > 0 {
        bail!(
            "{failed} of {} rows do not agree with the baseline",
            counts.len()
        );
    }
    println!(
        "no row is dearer than the baseline allows ({} counted)",
        counts.len()
    );
    Ok(())
}

fn time_table(times: &[RowTimes]) -> Table {
    let mut table = Table::new(&[
        "cell",
        "ours (µs/op)",
        "floor (µs/op)",
        "ratio (95 % interval)",
        "reach (stretch)",
        "verdict",
    ]);
    for RowTimes { row, us_per_op } in times {
        let goal = goals::of(&row.id).map(|goals| goals.time);
        table.push(paired_row(row.id.clone(), us_per_op, goal));
    }
    table
}

fn client_table(times: &[ClientTimes]) -> Table {
    let mut table = Table::new(&[
        "cell, rival",
        "load (µs/op)",
        "rival (µs/op)",
        "ratio (95 % interval)",
        "at most",
        "verdict",
    ]);
    for ClientTimes { row, us_per_op } in times {
        let goal = match row.protocol() {
            Protocol::Http1 => goals::WRK,
            Protocol::H2c => goals::H2LOAD,
        };
        let name = format!("{}, {}", row.id, rivals::program(row.protocol()));
        table.push(paired_row(name, us_per_op, Some(goal)));
    }
    table
}

fn runner_table(times: &[RunnerTimes]) -> Table {
    let mut table = Table::new(&[
        "cell, rival",
        "runner (µs/op)",
        "rival (µs/op)",
        "ratio (95 % interval)",
        "reach (stretch)",
        "verdict",
    ]);
    for times in times {
        let name = format!("{}, {}", times.row.id, times.rival.name());
        let mut cells = paired_row(name, &times.us_per_op, Some(times.goal));
        if let (Some(reason), Some(verdict)) = (&times.missing, cells.last_mut()) {
            *verdict = words::not_measured(reason);
        }
        table.push(cells);
    }
    table
}

fn paired_row(name: String, pairs: &Pairs, goal: Option<Goal>) -> Vec<String> {
    let ratio = pairs.ratio();
    let mut cells = vec![
        name,
        words::figure(pairs.our_median()),
        words::figure(pairs.their_median()),
        ratio.map_or_else(|| "-".to_owned(), words::ratio),
    ];
    cells.extend(goal_cells(goal, ratio.map(|ratio| ratio.centre)));
    cells
}

fn instruction_table(counts: &[(Row, Counts)]) -> Table {
    let mut table = Table::new(&[
        "cell",
        "ours (instructions/op)",
        "floor (instructions/op)",
        "ratio",
        "reach (stretch)",
        "verdict",
    ]);
    for (row, counts) in counts {
        let goal = goals::of(&row.id).map(|goals| goals.instructions);
        let mut cells = vec![
            row.id.clone(),
            format!("{:.0}", counts.target),
            format!("{:.0}", counts.floor),
            format!("{:.2}", counts.ratio()),
        ];
        cells.extend(goal_cells(goal, Some(counts.ratio())));
        table.push(cells);
    }
    table
}

fn goal_cells(goal: Option<Goal>, ratio: Option<f64>) -> [String; 2] {
    let verdict = goal.zip(ratio).map(|(goal, ratio)| goal.verdict(ratio));
    [
        goal.map_or_else(|| "-".to_owned(), Goal::words),
        verdict.unwrap_or("-").to_owned(),
    ]
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_row_shows_medians_ratio_interval_and_goal() {
        let row = row::rows(&Catalogue::built_in(), &["b-rest".to_owned()])
            .unwrap()
            .remove(0);
        let mut us_per_op = Pairs::default();
        for _ in 0..6 {
            us_per_op.push(24.0, 20.0);
        }
        let table = time_table(&[RowTimes { row, us_per_op }]).render(true);
        assert!(
            table.ends_with(
                "| b-rest | 24.00 | 20.00 | 1.20 (1.20 to 1.20) | 1.25 (1.2) | stretch |\n"
            ),
            "{table}"
        );
    }

    #[test]
    fn an_extra_cell_has_no_goal_and_an_unmeasured_one_no_figures() {
        let row = row::rows(&Catalogue::built_in(), &["b-grpc".to_owned()])
            .unwrap()
            .remove(0);
        let counts = Counts {
            target: 46_000.0,
            floor: 32_000.0,
        };
        let table = instruction_table(&[(row.clone(), counts)]).render(true);
        assert!(
            table.ends_with("| b-grpc | 46000 | 32000 | 1.44 | - | - |\n"),
            "{table}"
        );
        let us_per_op = Pairs::default();
        let table = time_table(&[RowTimes { row, us_per_op }]).render(true);
        assert!(
            table.ends_with("| b-grpc | - | - | - | - | - |\n"),
            "{table}"
        );
    }

    #[test]
    fn a_rival_that_was_not_measured_says_why() {
        let row = row::rows(&Catalogue::built_in(), &["a-rest".to_owned()])
            .unwrap()
            .remove(0);
        let times = RunnerTimes {
            row,
            rival: runner::Rival::Oha,
            goal: goals::OHA.1,
            us_per_op: Pairs::default(),
            missing: Some("no network".to_owned()),
        };
        let table = runner_table(&[times]).render(true);
        assert!(
            table
                .ends_with("| L2-a-rest, oha | - | - | - | 1.2 (1) | not measured: no network |\n"),
            "{table}"
        );
    }
}
