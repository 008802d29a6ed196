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

impl Footnotes {
    /// Collects the notes of all shown rows. Where several rows have the client as their limit, one note
    /// names them all, in the place of the first.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let mut tripped: Vec<(&Row, &GateCount)> = Vec::new();
        for row in view::shown_rows(session) {
            if let Some(summary) = view::summary(session, row) {
                tripped.extend(summary.gates.iter().map(|gate| (row, gate)));
            }
        }
        let bound: Vec<(&Row, &GateCount)> = tripped
            .iter()
            .copied()
            .filter(|(_, gate)| is_client(gate))
            .collect();
        let mut notes = Vec::new();
        for (row, gate) in &tripped {
            if bound.len() < 2 || !is_client(gate) {
                notes.push(Footnote::of_row(session, row, gate));
            } else if row.id == bound[0].0.id {
                notes.push(Footnote::of_client(session, &bound));
            }
        }
        Self { notes }
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

impl Footnote {
    fn of_row(session: &Session, row: &Row, tripped: &GateCount) -> Self {
        Self {
            rows: vec![row.id.clone()],
            on_throughput: is_client(tripped),
            text: format!(
                "{}: {}.",
                view::full_label(session, &row.id),
                words::gate_count(tripped, view::runs_of(session, &row.id))
            ),
        }
    }

    fn of_client(session: &Session, bound: &[(&Row, &GateCount)]) -> Self {
        let rows: Vec<words::Tripped> = bound
            .iter()
            .map(|(row, gate)| words::Tripped {
                row: view::full_label(session, &row.id),
                gate,
                of: view::runs_of(session, &row.id),
            })
            .collect();
        Self {
            rows: bound.iter().map(|(row, _)| row.id.clone()).collect(),
            on_throughput: true,
            text: words::client_bound(&rows),
        }
    }
}

fn is_client(tripped: &GateCount) -> bool {
    matches!(tripped.worst, Gate::ClientBound { .. })
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
    fn rows_whose_client_was_the_limit_share_a_note() {
        let busy = Gate::ForeignCpu { share: 0.08 };
        let session = session(&[
            ("a-rest", bound(0.96)),
            ("a-grpc", busy),
            ("a-graphql", bound(0.99)),
        ]);
        let notes = Footnotes::of(&session);
        let texts = texts(&session);
        assert_eq!(texts.len(), 2, "{texts:?}");
        assert!(
            texts[0].starts_with("the client was the limit in "),
            "{texts:?}"
        );
        assert!(
            texts[0].contains("(5 of 6 runs), ") && texts[0].contains("up to 99 %"),
            "{texts:?}"
        );
        let marks = |row: &str| {
            let row = session.rows.iter().find(|found| found.id == row).unwrap();
            (notes.row_marks(row), notes.throughput_marks(row))
        };
        assert_eq!(marks("a-rest"), (String::new(), "¹".to_owned()));
        assert_eq!(marks("a-grpc"), ("²".to_owned(), String::new()));
        assert_eq!(marks("a-graphql"), (String::new(), "¹".to_owned()));
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
