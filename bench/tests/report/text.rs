//! What terminal, Markdown and CSV show of the golden sessions.

use bookstore_bench::report::{csv, markdown, terminal};

use crate::golden;

#[test]
fn terminal_at_four_widths() {
    let session = golden::read("session");
    for width in [60, 80, 100, 120] {
        insta::assert_snapshot!(
            format!("terminal-{width}"),
            terminal::render(&session, width, false)
        );
    }
}

#[test]
fn terminal_of_incomplete_troubled_and_repeated_sessions() {
    for name in ["partial", "troubled", "repeats"] {
        insta::assert_snapshot!(
            format!("terminal-{name}"),
            terminal::render(&golden::read(name), 100, false)
        );
    }
}

#[test]
fn lines_fit_and_have_no_trailing_spaces() {
    for (name, _) in golden::SESSIONS {
        let session = golden::read(name);
        for width in [60, 80, 100, 120, 200] {
            for line in terminal::render(&session, width, false).lines() {
                assert!(
                    line.chars().count() <= usize::from(width),
                    "{name} at {width}: {line}"
                );
                assert_eq!(line, line.trim_end(), "{name} at {width}");
            }
        }
    }
}

#[test]
fn colour_adds_styles_and_nothing_else() {
    for (name, _) in golden::SESSIONS {
        let session = golden::read(name);
        let plain = terminal::render(&session, 100, false);
        let coloured = terminal::render(&session, 100, true);
        assert!(!plain.contains('\u{1b}'), "{name}");
        assert!(coloured.contains("\u{1b}["), "{name}");
        let stripped = anstream::adapter::strip_str(&coloured).to_string();
        assert_eq!(stripped, plain, "{name}");
    }
}

#[test]
fn markdown_of_all() {
    for (name, _) in golden::SESSIONS {
        insta::assert_snapshot!(
            format!("markdown-{name}"),
            markdown::render(&golden::read(name))
        );
    }
}

#[test]
fn csv_has_a_line_per_run_and_reads_back() {
    let session = golden::read("troubled");
    let text = csv::render(&session);
    insta::assert_snapshot!("csv-first-lines", first_lines(&text, 12));

    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (row, cpu, counts) = (
        column("row"),
        column("server_cpu_us_per_op"),
        column("round_counts"),
    );
    let records: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), session.runs.len());
    for (record, run) in records.iter().zip(&session.runs) {
        assert_eq!(record[row], run.row);
        assert_eq!(record[cpu].parse::<f64>().ok(), run.server_cpu_us_per_op());
        assert_eq!(
            &record[counts],
            if run.round == 3 { "false" } else { "true" }
        );
    }
}

fn first_lines(text: &str, count: usize) -> String {
    text.lines().take(count).collect::<Vec<_>>().join("\n")
}
