//! The times of sequences by every name of their spread, one line for each kind of time of a row.

use crate::record::{Estimate, Session, SpreadSummary};

use super::{number, view};

/// What the columns hold.
pub const HEADINGS: [&str; 8] = [
    "Scenario",
    "Style",
    "Until",
    "Mean (ms)",
    "± 99.9 %",
    "SD",
    "MAD",
    "Median",
];

/// How the lines are to be read.
pub const LEGEND: &str = "One operation at a time, dropped ones left out; each figure is the median over \
     the runs. ± 99.9 % is half of the interval of a run's mean by Student's t, SD the standard \
     deviation, MAD the mean absolute deviation. The first byte of an operation of several requests is \
     the sum over them; opening a connection is not in it.";

/// The lines of the rows that are sequences; empty where none is.
#[must_use]
pub fn lines(session: &Session) -> Vec<[String; 8]> {
    let mut lines = Vec::new();
    for row in view::shown_rows(session) {
        let Some(summary) = view::summary(session, row) else {
            continue;
        };
        let times = [("end", summary.full), ("first byte", summary.ttfb)];
        for (until, spread) in times {
            let spread = spread.map(|spread| line(&row.group_label, &row.label, until, &spread));
            lines.extend(spread);
        }
    }
    lines
}

fn line(scenario: &str, style: &str, until: &str, spread: &SpreadSummary) -> [String; 8] {
    let figure = |estimate: &Estimate| number::plain(estimate.median);
    [
        scenario.to_owned(),
        style.to_owned(),
        until.to_owned(),
        number::with_interval(&spread.mean_ms),
        figure(&spread.half_interval_999_ms),
        figure(&spread.sd_ms),
        figure(&spread.mad_ms),
        figure(&spread.median_ms),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::analyse,
        record::{Samples, fixture},
    };

    #[test]
    fn a_row_has_a_line_for_each_time_that_was_seen() {
        let mut session = fixture::session(&[("g-rest", &[1.0; 3]), ("g-grpc", &[1.0; 3])]);
        assert!(lines(&session).is_empty());
        for run in &mut session.runs {
            let seen = run.row == "g-rest";
            run.load.samples = Some(Samples {
                dropped: 1,
                full_ms: vec![99.0, 2.0, 4.0],
                ttfb_ms: if seen {
                    vec![99.0, 1.0, 3.0]
                } else {
                    Vec::new()
                },
            });
        }
        session.analysis = analyse(&session);
        let lines = lines(&session);
        let shown: Vec<[&str; 4]> = lines
            .iter()
            .map(|line| [&*line[1], &*line[2], &*line[3], &*line[6]])
            .collect();
        assert_eq!(
            shown,
            [
                ["rest", "end", "3", "1"],
                ["rest", "first byte", "2", "1"],
                ["grpc", "end", "3", "1"],
            ]
        );
    }
}
