//! Footnotes: the gates of a row, in words, beneath the table.

use crate::record::{Gate, Row, Session};

use super::{view, words};

/// The notes of a table, numbered from 1 in the order of its rows.
#[derive(Debug)]
pub struct Footnotes {
    notes: Vec<Footnote>,
}

#[derive(Debug)]
struct Footnote {
    row: String,
    on_throughput: bool,
    text: String,
}

impl Footnotes {
    /// Collects the notes of all shown rows.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let mut notes = Vec::new();
        for row in view::shown_rows(session) {
            let Some(summary) = view::summary(session, row) else {
                continue;
            };
            for tripped in &summary.gates {
                notes.push(Footnote {
                    row: row.id.clone(),
                    on_throughput: matches!(tripped.worst, Gate::ClientBound { .. }),
                    text: format!(
                        "{}: {}.",
                        view::full_label(session, &row.id),
                        words::gate_count(tripped, view::runs_of(session, &row.id))
                    ),
                });
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
            .filter(|(_, note)| note.row == row.id && note.on_throughput == on_throughput)
            .map(|(index, _)| superscript(index + 1))
            .collect();
        marks.join(",")
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
