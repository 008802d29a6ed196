//! Footnotes: the gates of a row, in words, beneath the table.

use crate::record::{Gate, GateCount, Row, Session};

use super::{view, words};

/// The notes of a table, numbered from 1 in the order of its rows.
#[derive(Debug)]
pub struct Footnotes {
    notes: Vec<Footnote>,
}

#[derive(Debug)]
struct Footnote {
    rows: Vec<String>,
    on_throughput: bool,
    text: String,
}

/// A row in which a gate was tripped.
#[derive(Clone, Copy)]
struct Tripped<'a> {
    row: &'a Row,
    gate: &'a GateCount,
}

impl Footnotes {
    /// Collects the notes of all shown rows. Rows that tripped the same gate share a note, in the place
    /// of the first: their marks say which they are.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let mut notes: Vec<Vec<Tripped>> = Vec::new();
        for row in view::shown_rows(session) {
            let summary = view::summary(session, row);
            for gate in summary.into_iter().flat_map(|summary| &summary.gates) {
                let tripped = Tripped { row, gate };
                match notes.iter_mut().find(|note| tripped.shares(note[0])) {
                    Some(note) => note.push(tripped),
                    None => notes.push(vec![tripped]),
                }
            }
        }
        let notes = notes.iter().map(|rows| Footnote::of(session, rows));
        Self {
            notes: notes.collect(),
        }
    }

    /// Marks that belong to the row as a whole.
    #[must_use]
    pub fn row_marks(&self, row: &Row) -> String {
        self.marks(row, false)
    }

    /// Marks that belong to the row's throughput only.
    #[must_use]
    pub fn throughput_marks(&self, row: &Row) -> String {
        self.marks(row, true)
    }

    /// Each note with its mark.
    pub fn iter(&self) -> impl Iterator<Item = (String, &str)> {
        let numbered = self.notes.iter().enumerate();
        numbered.map(|(index, note)| (superscript(index + 1), note.text.as_str()))
    }

    /// Whether there is no note.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    fn marks(&self, row: &Row, on_throughput: bool) -> String {
        let marks: Vec<String> = self
            .notes
            .iter()
            .enumerate()
            .filter(|(_, note)| note.rows.contains(&row.id) && note.on_throughput == on_throughput)
            .map(|(index, _)| superscript(index + 1))
            .collect();
        marks.join(",")
    }
}

impl Tripped<'_> {
    /// Whether one note does for both. Operations that failed have a reason of their own.
    fn shares(self, other: Tripped<'_>) -> bool {
        let (one, other) = (&self.gate.worst, &other.gate.worst);
        one.kind() == other.kind() && !matches!(one, Gate::FailedOperations { .. })
    }
}

impl Footnote {
    fn of(session: &Session, rows: &[Tripped<'_>]) -> Self {
        let runs_of = |row: &Row| view::runs_of(session, &row.id);
        let text = match rows {
            [Tripped { row, gate }] => format!(
                "{}: {}.",
                view::full_label(session, &row.id),
                words::gate_count(gate, runs_of(row))
            ),
            several => {
                let counts: Vec<(&GateCount, usize)> = several
                    .iter()
                    .map(|Tripped { row, gate }| (*gate, runs_of(row)))
                    .collect();
                format!("{}.", words::gate_counts(&counts))
            }
        };
        let is_of_client = |one: &Tripped| matches!(one.gate.worst, Gate::ClientBound { .. });
        Self {
            rows: rows.iter().map(|one| one.row.id.clone()).collect(),
            on_throughput: rows.iter().all(is_of_client),
            text,
        }
    }
}

fn superscript(number: usize) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number
        .to_string()
        .chars()
        .filter_map(|digit| digits.get(digit.to_digit(10)? as usize))
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{analysis::analyse, record::fixture};

    const COSTS: [f64; 6] = [10.0, 11.0, 10.5, 10.2, 10.8, 10.4];

    fn session(gates: &[(&str, Gate)]) -> Session {
        let rows = ["a-rest", "a-grpc", "a-graphql"].map(|row| (row, &COSTS[..]));
        let mut session = fixture::session(&rows);
        session.analysis = analyse(&session);
        for (row, worst) in gates {
            let mut summaries = session.analysis.rows.iter_mut();
            let summary = summaries.find(|summary| summary.row == *row).unwrap();
            summary.gates.push(GateCount {
                worst: worst.clone(),
                runs: 5,
            });
        }
        session
    }

    fn bound(client_share: f64) -> Gate {
        Gate::ClientBound {
            client_share,
            server_share: 0.6,
        }
    }

    fn texts(session: &Session) -> Vec<String> {
        let notes = Footnotes::of(session);
        notes.iter().map(|(_, text)| text.to_owned()).collect()
    }

    #[test]
    fn rows_that_tripped_the_same_gate_share_a_note_with_the_worst_value() {
        let busy = |share| Gate::ForeignCpu { share };
        let mut session = session(&[
            ("a-rest", bound(0.96)),
            ("a-grpc", busy(0.08)),
            ("a-graphql", bound(0.99)),
            ("a-graphql", busy(0.07)),
        ]);
        session.analysis.rows[2].gates[0].runs = 2;
        let notes = Footnotes::of(&session);
        assert_eq!(
            texts(&session),
            [
                "2 rows: in 2 to 5 of 6 runs, at worst, the client was the limit: it used 99 % of its \
                 cores, the server 60 %; ops/s says little about the server here; its CPU per operation \
                 still does.",
                "2 rows: in 5 of 6 runs, at worst, other processes used 8 % of the machine's CPU; close \
                 other programs and measure again.",
            ]
        );
        let marks = |row: &str| {
            let row = session.rows.iter().find(|found| found.id == row).unwrap();
            (notes.row_marks(row), notes.throughput_marks(row))
        };
        assert_eq!(marks("a-rest"), (String::new(), "¹".to_owned()));
        assert_eq!(marks("a-grpc"), ("²".to_owned(), String::new()));
        assert_eq!(marks("a-graphql"), ("²".to_owned(), "¹".to_owned()));
    }

    #[test]
    fn operations_that_failed_for_different_reasons_have_notes_of_their_own() {
        let failed = |reason: &str| Gate::FailedOperations {
            failed: 1,
            of: 1_000,
            reason: reason.to_owned(),
        };
        let texts = texts(&session(&[
            ("a-rest", failed("status 500")),
            ("a-grpc", failed("status 14")),
        ]));
        assert_eq!(texts.len(), 2);
        assert!(
            texts[0].contains("1 of 1,000 operations failed (status 500)"),
            "{texts:?}"
        );
        assert!(texts[1].contains("status 14"), "{texts:?}");
    }

    #[test]
    fn one_row_has_a_note_of_its_own() {
        let texts = texts(&session(&[("a-grpc", bound(0.97))]));
        assert_eq!(texts.len(), 1);
        assert!(
            texts[0].contains("in 5 of 6 runs, at worst, the client was"),
            "{texts:?}"
        );
    }
}
