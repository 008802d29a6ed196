//! How the sessions behind the claims were measured: what they share once, and a line for each.

use std::fmt::Write as _;

use super::{markdown::escaped, shared};
use crate::{
    record::{ClaimsRecord, Session, Warning},
    report::{
        number::{self, ABSENT, counted, percent},
        remark::remarks,
        words as session_words,
    },
};

/// Paragraphs: what all sessions share, a table with a line for each, and the machine.
pub(super) fn paragraphs(record: &ClaimsRecord) -> Vec<String> {
    let Some(first) = record.sessions.first() else {
        return vec!["Nothing was measured; the checks were made by doing it.".to_owned()];
    };
    let clauses: Vec<Vec<String>> = record.sessions.iter().map(session_words::method).collect();
    let usual = shared::usual(&clauses);
    let remarks: Vec<Vec<String>> = record.sessions.iter().map(remarks_of).collect();
    let (common, own) = shared::apart(&remarks);
    let mut paragraphs = vec![
        escaped(&format!(
            "{}: {}, seed {} and one more for each. Rows that a claim compares are measured in one session, \
             in interleaved rounds; claims.json has their ids and every run.",
            counted(record.sessions.len() as u64, "session"),
            usual.join(", "),
            record.seed,
        )),
        escaped(&session_words::measured_on(first)),
    ];
    let list: Vec<String> = common
        .iter()
        .map(|remark| format!("- {}", escaped(remark)))
        .collect();
    if !list.is_empty() {
        paragraphs.push(list.join("\n"));
    }
    paragraphs.push(
        "Differences of server CPU below the *noise floor*, which is that of a row measured twice, cannot \
         be told apart. A run is *far off* when it lies far from the others of its row (modified z-score \
         above 3.5); it is kept."
            .to_owned(),
    );
    paragraphs.push(table(&record.sessions, &clauses, &usual, &own));
    paragraphs
}

fn table(
    sessions: &[Session],
    clauses: &[Vec<String>],
    usual: &[String],
    remarks: &[Vec<String>],
) -> String {
    let mut text = String::from(
        "| Session | Rows | Noise floor | Runs far off | Otherwise |\n|---:|---|---|---|---|",
    );
    for (nth, session) in sessions.iter().enumerate() {
        let differs = |clause: &&String| !usual.contains(clause);
        let mut others: Vec<String> = clauses[nth].iter().filter(differs).cloned().collect();
        others.extend(remarks[nth].iter().cloned());
        let cells = [
            (nth + 1).to_string(),
            rows(session),
            noise_floor(session),
            far_off(session),
            others.join("; "),
        ];
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n| {} |",
            cells.map(|cell| escaped(&cell)).join(" | ")
        );
    }
    text
}

/// The cells of a session, each once, with the number of its rows.
fn rows(session: &Session) -> String {
    let mut cells: Vec<&str> = Vec::new();
    for row in &session.rows {
        if !cells.contains(&&*row.cell) {
            cells.push(&row.cell);
        }
    }
    let rows = counted(session.rows.len() as u64, "row");
    format!("{rows} of {}", cells.join(", "))
}

fn noise_floor(session: &Session) -> String {
    let floor = session.analysis.noise_floor.as_ref();
    floor.map_or_else(|| ABSENT.to_owned(), |floor| percent(floor.share))
}

/// How many runs, and how far the farthest.
fn far_off(session: &Session) -> String {
    let scores = session
        .analysis
        .warnings
        .iter()
        .filter_map(|warning| match warning {
            Warning::OutlierRun { z, .. } => Some(z.abs()),
            _ => None,
        });
    let scores: Vec<f64> = scores.collect();
    match scores.iter().copied().reduce(f64::max) {
        None => "0".to_owned(),
        Some(farthest) => {
            let runs = session.runs.len();
            format!(
                "{} of {runs}, up to {}",
                scores.len(),
                number::plain(farthest)
            )
        }
    }
}

/// What a reader must know before trusting the figures, without the runs that are far off.
fn remarks_of(session: &Session) -> Vec<String> {
    let far_off = session_words::outliers(session);
    let is_far_off = |remark: &String| Some(remark) == far_off.as_ref();
    let mut remarks = remarks(session);
    remarks.retain(|remark| !is_far_off(remark));
    remarks
}
