//! All findings of one session.

use super::{
    comparison::comparisons, noise_floor::noise_floor, rounds::Rounds, row::summary,
    warning::warnings,
};
use crate::record::{Analysis, Session};

/// What follows from the session's runs and their recorded gates. Works at any moment: without runs,
/// in the middle of a round, and after an interruption.
#[must_use]
pub fn analyse(session: &Session) -> Analysis {
    let rounds = Rounds::of(session);
    let comparisons = comparisons(session, &rounds);
    let mut analysis = Analysis {
        valid_rounds: rounds.valid,
        rounds_out: rounds.out.clone(),
        rows: session
            .rows
            .iter()
            .map(|row| summary(row, session, &rounds))
            .collect(),
        noise_floor: noise_floor(session, &comparisons),
        comparisons,
        warnings: Vec::new(),
    };
    analysis.warnings = warnings(session, &rounds, &analysis);
    analysis
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::record::{Verdict, fixture};

    #[test]
    fn an_interrupted_session_has_findings_for_what_was_measured() {
        let session = fixture::session(&[
            ("a-rest", &[100.0; 7]),
            ("a-grpc", &[150.0; 7]),
            ("a-graphql", &[200.0; 6]),
        ]);
        let analysis = analyse(&session);
        assert_eq!(analysis.valid_rounds, 6);
        let runs: Vec<u32> = analysis.rows.iter().map(|row| row.runs).collect();
        assert_eq!(runs, [7, 7, 6]);
        let rounds: Vec<u32> = analysis
            .comparisons
            .iter()
            .map(|found| found.rounds)
            .collect();
        assert_eq!(rounds[..3], [7, 6, 6]);
        let settled = |found: &crate::record::Comparison| {
            !matches!(
                found.verdict,
                Verdict::NotSettled { .. } | Verdict::NotMeasured
            )
        };
        assert!(analysis.comparisons.iter().all(settled));
    }

    #[test]
    fn findings_survive_writing_and_reading_whatever_is_missing() {
        let mut unreadable = fixture::session(&[("a-rest", &[0.0; 7]), ("a-grpc", &[150.0; 3])]);
        unreadable.runs[1].usage.server.cpu_us = None;
        unreadable.runs[2].usage.window_s = 0.0;
        for session in [
            unreadable,
            fixture::session(&[("a-rest", &[]), ("a-rest#2", &[])]),
            fixture::without_runs(),
        ] {
            let analysis = analyse(&session);
            let text = serde_json::to_string(&analysis).unwrap();
            let read: Analysis = serde_json::from_str(&text).unwrap();
            assert_eq!(read, analysis);
        }
    }
}
