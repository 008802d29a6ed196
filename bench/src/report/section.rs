//! What stands below the table: figures that only some rows have, each kind in a table of its own.

use crate::record::{RowSummary, Session};

use super::{number, sequence, view};

/// A table of figures that only some rows have.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// What the table is about.
    pub title: &'static str,
    /// What the columns hold.
    pub headings: Vec<&'static str>,
    /// How many of the first columns are names and not figures.
    pub names: usize,
    /// The lines, as many cells in each as there are headings.
    pub lines: Vec<Vec<String>>,
    /// How the lines are to be read.
    pub legend: &'static str,
}

const FIRST_EVENTS: &str = "Median time from asking for a stream to its first event or record, over the \
     runs; the table above has the time to the end of an operation, which may be several streams.";
const STATEMENTS: &str = "What the server's database was asked for one operation, as the server counts it, \
     and how long the answers took, summed over its connections; medians over the runs.";

/// The tables that have lines, in their order.
#[must_use]
pub fn sections(session: &Session) -> Vec<Section> {
    let all = [times(session), first_events(session), statements(session)];
    let with_lines = all.into_iter().filter(|section| !section.lines.is_empty());
    with_lines.collect()
}

fn times(session: &Session) -> Section {
    Section {
        title: "Times of single operations",
        headings: sequence::HEADINGS.to_vec(),
        names: 3,
        lines: sequence::lines(session)
            .into_iter()
            .map(Vec::from)
            .collect(),
        legend: sequence::LEGEND,
    }
}

fn first_events(session: &Session) -> Section {
    Section {
        title: "Time to first event",
        headings: vec!["Scenario", "Style", "First event p50 (ms)"],
        names: 2,
        lines: lines(session, |summary| {
            let first = summary.first_event_p50_ms.as_ref()?;
            Some(vec![number::with_interval(first)])
        }),
        legend: FIRST_EVENTS,
    }
}

fn statements(session: &Session) -> Section {
    Section {
        title: "SQL statements",
        headings: vec!["Scenario", "Style", "Statements/op", "Time (ms/op)"],
        names: 2,
        lines: lines(session, |summary| {
            let statements = summary.sql_statements_per_op.as_ref()?;
            let time = summary.sql_ms_per_op.as_ref()?;
            Some(vec![
                number::plain(statements.median),
                number::with_interval(time),
            ])
        }),
        legend: STATEMENTS,
    }
}

/// The names and the figures of the rows that have these.
fn lines(
    session: &Session,
    figures: impl Fn(&RowSummary) -> Option<Vec<String>>,
) -> Vec<Vec<String>> {
    let line = |row| {
        let figures = figures(view::summary(session, row)?)?;
        let names = [row.group_label.clone(), row.label.clone()];
        Some(names.into_iter().chain(figures).collect())
    };
    view::shown_rows(session)
        .into_iter()
        .filter_map(line)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::analyse,
        record::{SqlUse, fixture},
    };

    #[test]
    fn only_rows_with_the_figures_have_lines_and_a_table_without_lines_is_left_out() {
        let mut session = fixture::session(&[("s-grpc", &[1.0; 3]), ("s-rest", &[1.0; 3])]);
        assert_eq!(sections(&session), []);
        for run in &mut session.runs {
            if run.row == "s-grpc" {
                run.load.first_event_p50_ms = Some(0.25);
            } else {
                run.sql = Some(SqlUse {
                    statements: 3.0 * run.load.operations as f64,
                    seconds: 0.002 * run.load.operations as f64,
                });
            }
        }
        session.analysis = analyse(&session);
        let shown = sections(&session);
        let found: Vec<(&str, String)> = shown
            .iter()
            .map(|section| (section.title, section.lines[0][1..].join(" ")))
            .collect();
        let expected = [
            ("Time to first event", "grpc 0.250".to_owned()),
            ("SQL statements", "rest 3 2".to_owned()),
        ];
        assert_eq!(found, expected);
        for section in shown {
            assert_eq!(section.lines.len(), 1, "{}", section.title);
            assert_eq!(section.lines[0].len(), section.headings.len());
        }
    }
}
