//! From the cells that were asked for to the rows of the table.

mod assembly;
mod chosen;
mod flags;
mod http2;
mod share;

use crate::{
    catalogue::{Catalogue, Cell, Scenario},
    error::UsageError,
    record::{Condition, Row},
};

pub use assembly::assembled;
pub use share::{at_full_load, offered};

/// The scenario whose callers wait for a time that can be chosen.
const GIVEN_UP: &str = "d.deadline";

/// The rows for `cells` (default cells when empty) with `lines` per order (the scenario's own when
/// empty), in table order. With `noise_floor`, the first row is measured a second time, unless a
/// cell was asked for twice anyway.
///
/// # Errors
/// An unknown cell, or `lines` that no cell can use.
pub fn rows(
    catalogue: &Catalogue,
    cells: &[String],
    lines: &[u32],
    noise_floor: bool,
) -> Result<Vec<Row>, UsageError> {
    let cells = chosen::cells(catalogue, cells)?;
    let mut rows = Vec::new();
    for scenario in &catalogue.scenarios {
        let members: Vec<&(&Cell, Condition)> = cells
            .iter()
            .filter(|(cell, _)| cell.scenario == scenario.id)
            .collect();
        for size in sizes(scenario, lines) {
            for (cell, condition) in &members {
                let row = row(scenario, cell, size);
                rows.push(under(row, catalogue, scenario, cell, condition.clone())?);
            }
        }
    }
    if !lines.is_empty() && rows.iter().all(|row| row.lines.is_none()) {
        return Err(UsageError::LinesWithoutUse {
            cells: join(cells.iter().map(|(cell, _)| &*cell.id)),
        });
    }
    Ok(assembled(rows, noise_floor))
}

/// The row with this id, `[L<lines>-]<cell>[@<condition>]`; `None` when the catalogue has no such
/// cell, or the cell takes no such number of lines.
#[must_use]
pub fn named(catalogue: &Catalogue, id: &str) -> Option<Row> {
    let (name, condition) = match id.split_once('@') {
        Some((name, condition)) => (name, condition.parse().ok()?),
        None => (id, Condition::default()),
    };
    let (lines, cell) = match name.strip_prefix('L').and_then(|rest| rest.split_once('-')) {
        Some((lines, cell)) => (Some(lines.parse().ok()?), cell),
        None => (None, name),
    };
    let cell = catalogue.cell(cell)?;
    let scenario = catalogue.scenario_of(cell)?;
    if scenario.lines.is_empty() != lines.is_none() || lines == Some(0) {
        return None;
    }
    under(
        row(scenario, cell, lines),
        catalogue,
        scenario,
        cell,
        condition,
    )
    .ok()
}

/// The row under a condition.
fn under(
    mut row: Row,
    catalogue: &Catalogue,
    scenario: &Scenario,
    cell: &Cell,
    condition: Condition,
) -> Result<Row, UsageError> {
    if cell.connections_per_vu == 0 && condition.is_about_connections() {
        return Err(UsageError::ConnectionWithoutUse { cell: row.cell });
    }
    if condition.patience_ms.is_some() && scenario.id != GIVEN_UP {
        return Err(UsageError::PatienceWithoutUse { cell: row.cell });
    }
    http2::check(&row, catalogue, &condition)?;
    let is_of_lists = condition.limit.or(condition.parts).is_some();
    match scenario.most_records.filter(|_| condition.parts.is_none()) {
        None if is_of_lists && scenario.data_set != "expenses" => {
            return Err(UsageError::ListWithoutUse { cell: row.cell });
        }
        Some(most) if condition.limit.is_some_and(|limit| limit > most) => {
            return Err(UsageError::TooManyRecords {
                cell: row.cell,
                most,
            });
        }
        _ => {}
    }
    if let Some(calls) = condition.calls {
        match scenario.most_calls {
            None => return Err(UsageError::CallsWithoutUse { cell: row.cell }),
            Some(most) if calls > most => {
                return Err(UsageError::TooManyCalls {
                    cell: row.cell,
                    calls,
                    most,
                });
            }
            Some(_) => (row.requests_per_op, row.rounds_per_op) = (calls, calls),
        }
    }
    if !condition.is_plain() {
        row.id = format!("{}@{condition}", row.id);
        row.group = format!("{}@{condition}", row.group);
        row.group_label = format!("{}, {condition}", row.group_label);
    }
    row.condition = condition.over(row.condition);
    flags::check(&row)?;
    if !row.condition.has_whole_sequence() {
        return Err(UsageError::NoSequence { row: row.id });
    }
    Ok(row)
}

/// The order sizes to measure; one nameless size where the scenario has none.
fn sizes(scenario: &Scenario, asked: &[u32]) -> Vec<Option<u32>> {
    if scenario.lines.is_empty() {
        vec![None]
    } else if asked.is_empty() {
        scenario.lines.iter().copied().map(Some).collect()
    } else {
        asked.iter().copied().map(Some).collect()
    }
}

fn row(scenario: &Scenario, cell: &Cell, lines: Option<u32>) -> Row {
    let prefix = lines.map_or(String::new(), |lines| format!("L{lines}-"));
    let group_label = match lines {
        Some(1) => format!("({}) 1 line", scenario.id),
        Some(lines) => format!("({}) {lines} lines", scenario.id),
        None => format!("({}) {}", scenario.id, scenario.title.to_lowercase()),
    };
    Row {
        id: format!("{prefix}{}", cell.id),
        cell: cell.id.clone(),
        scenario: scenario.id.clone(),
        group: format!("{prefix}{}", scenario.id),
        group_label,
        style: cell.style,
        label: cell.label.clone(),
        lines,
        requests_per_op: cell.requests_per_op,
        rounds_per_op: cell.rounds_per_op,
        reference: scenario.reference == cell.id,
        repeats: None,
        condition: cell.condition(scenario),
    }
}

/// Names separated by commas.
fn join<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn ids(cells: &[&str], lines: &[u32], noise_floor: bool) -> Vec<String> {
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        let rows = rows(&Catalogue::built_in(), &cells, lines, noise_floor).unwrap();
        rows.into_iter().map(|row| row.id).collect()
    }

    #[test]
    fn the_default_is_the_articles_table_with_the_bff_and_a_repetition() {
        assert_eq!(
            ids(&[], &[], true),
            [
                "L2-a-rest",
                "L2-a-rest#2",
                "L2-a-grpc",
                "L2-a-graphql",
                "L50-a-rest",
                "L50-a-grpc",
                "L50-a-graphql",
                "b-rest",
                "b-rest-bff",
                "b-grpcweb",
                "b-graphql",
            ]
        );
    }

    #[test]
    fn a_cell_named_twice_is_measured_twice_and_needs_no_further_repetition() {
        assert_eq!(
            ids(&["a-rest", "a-rest"], &[2], true),
            ["L2-a-rest", "L2-a-rest#2"]
        );
    }

    #[test]
    fn a_group_without_the_catalogues_reference_takes_its_first_row() {
        let cells = ["a-grpc".to_owned(), "a-graphql".to_owned()];
        let rows = rows(&Catalogue::built_in(), &cells, &[2], false).unwrap();
        assert!(rows[0].reference);
        assert!(!rows[1].reference);
    }

    #[test]
    fn a_repetition_is_never_the_reference() {
        let rows = rows(&Catalogue::built_in(), &[], &[], true).unwrap();
        let references: Vec<&str> = rows
            .iter()
            .filter(|row| row.reference)
            .map(|row| &*row.id)
            .collect();
        assert_eq!(references, ["L2-a-rest", "L50-a-rest", "b-rest"]);
        assert_eq!(rows[1].repeats.as_deref(), Some("L2-a-rest"));
    }

    #[test]
    fn an_unknown_cell_is_named_with_the_known_ones() {
        let error = rows(&Catalogue::built_in(), &["a-soap".to_owned()], &[], true).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("unknown cell \"a-soap\"; the cells are a-rest, ")
        );
    }

    #[test]
    fn a_row_is_found_by_its_id_with_lines_and_condition() {
        let catalogue = Catalogue::built_in();
        let row = named(&catalogue, "L50-a-grpc@rate=500,log-level=info").unwrap();
        assert_eq!(row.id, "L50-a-grpc@rate=500,log-level=info");
        assert_eq!(row.group, "L50-a@rate=500,log-level=info");
        assert_eq!(row.group_label, "(a) 50 lines, rate=500,log-level=info");
        assert_eq!((row.cell.as_str(), row.lines), ("a-grpc", Some(50)));
        for row in rows(&catalogue, &[], &[], false).unwrap() {
            assert_eq!(named(&catalogue, &row.id).unwrap().label, row.label);
        }
        for id in ["a-grpc", "L2-b-rest", "L0-a-rest", "b-soap", "b-rest@", ""] {
            assert_eq!(named(&catalogue, id), None, "{id}");
        }
    }

    #[test]
    fn cells_can_be_asked_for_under_a_condition() {
        let pieces = [
            "b-rest@rtt=80ms",
            "b-calls-rest@calls=5",
            "rtt=80ms",
            "b-grpc",
        ];
        assert_eq!(
            ids(&pieces, &[], false),
            ["b-rest@rtt=80ms", "b-grpc", "b-calls-rest@calls=5,rtt=80ms"]
        );
        let row = named(&Catalogue::built_in(), "b-calls-rest@calls=5,rtt=80ms").unwrap();
        assert_eq!((row.requests_per_op, row.rounds_per_op), (5, 5));
    }

    #[test]
    fn conditions_that_mean_nothing_are_refused_by_name() {
        let refused = |cell: &str| {
            rows(&Catalogue::built_in(), &[cell.to_owned()], &[], false)
                .unwrap_err()
                .to_string()
        };
        assert!(refused("b-rest@rtt=80").starts_with("`rtt=80` is no condition; "));
        let message = refused("b-rest@calls=4");
        assert!(
            message.starts_with("calls= has no effect on b-rest; "),
            "{message}"
        );
        assert_eq!(named(&Catalogue::built_in(), "b-rest@calls=4"), None);
        let message = refused("m-count-rest@limit=10001");
        assert!(message.contains("10000"), "{message}");
        let message = refused("m-count-rest@parts=1");
        assert!(message.contains("m-count-rest"), "{message}");
        let message = refused("b-rest@limit=10");
        assert!(message.contains("have no effect on b-rest"), "{message}");
        assert_eq!(
            refused("b-calls-rest@calls=51"),
            "calls=51 cannot be used with b-calls-rest; an operation of it has 1 to 50 calls"
        );
        for (cell, named, remedy) in [
            ("m-get-graphql", "m-get-graphql; ", "m-get-rest"),
            ("m-stream-rest", "m-stream-rest; ", "m-get-rest"),
            ("a-grpc", "a-grpc; ", "a-rest"),
            ("b-rest", "b-rest; ", "b-rest-bff"),
            (
                "m-get-rest",
                "m-get-rest@driver=load,http=2 ",
                "rest-h2c=on",
            ),
        ] {
            let message = refused(&format!("{cell}@driver=load,http=2"));
            assert!(message.contains(named), "{message}");
            assert!(message.contains(remedy), "{message}");
        }
        assert!(
            named(
                &Catalogue::built_in(),
                "m-get-rest@driver=load,http=2,rest-h2c=on"
            )
            .is_some()
        );
        assert!(named(&Catalogue::built_in(), "b-grpcweb@driver=load,http=2").is_some());
        for (cell, named) in [
            (
                "g-codec-rest@rtt=5ms",
                "rtt=, bandwidth=, http=, connection= and tls= have no effect on g-codec-rest, ",
            ),
            (
                "m-codec-grpc@driver=load,connection=new",
                "rtt=, bandwidth=, http=, connection= and tls= have no effect on m-codec-grpc, ",
            ),
            (
                "b-rest@patience=50ms",
                "patience= has no effect on b-rest; ",
            ),
            (
                "b-rest@pause=1s",
                "b-rest@pause=1000ms has no whole sequence; ",
            ),
            (
                "b-rest@driver=load,sequential=6,drop=5",
                "b-rest@driver=load,sequential=6,drop=5 has no whole sequence; ",
            ),
        ] {
            let message = refused(cell);
            assert!(message.starts_with(named), "{message}");
        }
    }

    #[test]
    fn lines_without_an_order_are_refused() {
        let error = rows(&Catalogue::built_in(), &["b-rest".to_owned()], &[2], true).unwrap_err();
        assert_eq!(
            error,
            UsageError::LinesWithoutUse {
                cells: "b-rest".to_owned()
            }
        );
    }
}
