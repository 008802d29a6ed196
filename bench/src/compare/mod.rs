//! Two results side by side: ours, a colleague's, or the article's table.
//!
//! The two were not measured in interleaved rounds, so nothing between them is paired; within each of
//! them ratios still are.

mod absolute;
mod agreement;
mod ratio;
mod render;
mod setting;
mod side;

pub use render::render;
pub use side::Side;

use crate::{error::UsageError, record::Figure};
use absolute::Absolute;
use agreement::Agreement;
use ratio::Ratio;

/// The columns that are compared.
const FIGURES: [Figure; 6] = [
    Figure::ServerCpuUsPerOp,
    Figure::OpsPerS,
    Figure::P50Ms,
    Figure::P95Ms,
    Figure::SentBytesPerOp,
    Figure::ReceivedBytesPerOp,
];

/// What a comparison found.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Names of both sides.
    names: [String; 2],
    /// What keeps the figures from being comparable, in words.
    warnings: Vec<String>,
    agreement: Vec<Agreement>,
    ratios: Vec<Ratio>,
    absolute: Vec<Absolute>,
}

impl Comparison {
    /// Compares the rows that both sides have.
    ///
    /// # Errors
    /// There are none.
    pub fn of(old: &Side, new: &Side) -> Result<Self, UsageError> {
        // A session has its rows in table order.
        let (ordered, other) = if new.session().is_some() {
            (new, old)
        } else {
            (old, new)
        };
        let others = other.rows();
        let mut common = ordered.rows();
        common.retain(|row| others.contains(row));
        if common.is_empty() {
            return Err(UsageError::NothingInCommon {
                old: old.name().to_owned(),
                new: new.name().to_owned(),
            });
        }
        Ok(Self {
            names: [old.name().to_owned(), new.name().to_owned()],
            warnings: setting::warnings(old, new),
            agreement: agreement::agreement(old, new, &common),
            ratios: ratio::ratios(old, new, &common),
            absolute: absolute::absolute(old, new, &common),
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::path::Path;

    use super::*;
    use crate::record::{ClaimVerdict, Session, fixture};

    const REST: [f64; 8] = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 100.8, 99.2];

    /// GraphQL at this factor of REST.
    fn session(factor: f64) -> Session {
        fixture::session(&[
            ("b-rest", &REST),
            ("b-rest#2", &REST),
            ("b-graphql", &REST.map(|cost| cost * factor)),
        ])
    }

    fn compare(old: Session, new: Session) -> Comparison {
        let (old, new) = (Side::of_session("old", old), Side::of_session("new", new));
        Comparison::of(&old, &new).unwrap()
    }

    fn cpu_verdict(found: &Comparison) -> &ClaimVerdict {
        let ratio = &found.ratios[0];
        assert_eq!(ratio.figure, Figure::ServerCpuUsPerOp);
        &ratio.verdict
    }

    #[test]
    fn a_session_agrees_with_itself() {
        let found = compare(session(0.5), session(0.5));
        assert_eq!(found.warnings, [""; 0]);
        assert_eq!(found.agreement[0].tau, Some(1.0));
        assert_eq!(*cpu_verdict(&found), ClaimVerdict::Holds);
        let change = found.absolute[1].changes[0].unwrap();
        assert!((change.ratio - 1.0).abs() < 1e-9);
        let (low, high) = change.interval.unwrap();
        assert!(low < 1.0 && 1.0 < high && high < 1.03);
    }

    #[test]
    fn a_reversed_order_and_a_changed_cost_are_seen() {
        let found = compare(session(0.5), session(2.0));
        assert_eq!(found.agreement[0].tau, Some(-1.0));
        assert_eq!(*cpu_verdict(&found), ClaimVerdict::Flips);
        let change = found.absolute[1].changes[0].unwrap();
        assert!((change.ratio - 4.0).abs() < 0.05, "{change:?}");
        assert!(change.interval.unwrap().0 > 3.8);
        let of_rest = found.absolute[0].changes[0].unwrap();
        assert!((of_rest.ratio - 1.0).abs() < 1e-9);
    }

    #[test]
    fn parts_of_a_byte_make_no_order() {
        let with_preface = |bytes: u64| {
            let mut session = session(0.5);
            for run in session.runs.iter_mut().filter(|run| run.row == "b-rest") {
                run.load.sent_bytes += bytes;
            }
            session
        };
        let tau = |old, new| {
            let found = compare(with_preface(old), with_preface(new));
            let sent = |column: &&Agreement| column.figure == Figure::SentBytesPerOp;
            found.agreement.iter().find(sent).unwrap().tau
        };
        assert_eq!(tau(100, 100), None, "ties on both sides");
        assert_eq!(tau(20_000, 30_000), Some(1.0));
    }

    #[test]
    fn differing_machines_and_settings_are_named() {
        let mut new = session(0.5);
        new.machine.cpu_model = Some("Another CPU".to_owned());
        new.settings.vus = 50;
        new.settings.server_workers = 1;
        for run in &mut new.runs {
            "k6".clone_into(&mut run.load.engine.name);
        }
        assert_eq!(
            compare(session(0.5), new).warnings,
            [
                "Different driver: load 0.1.0, then k6 0.1.0.",
                "Different processor: Example CPU, then Another CPU.",
                "Different workers of the server: 2, then 1.",
                "Different virtual users: 20, then 50.",
            ]
        );
    }

    #[test]
    fn the_articles_table_is_a_side_without_a_spread() {
        let article = Side::read(Path::new("article")).unwrap();
        let ours = Side::of_session("ours", session(0.5));
        let found = Comparison::of(&article, &ours).unwrap();
        assert!(found.warnings[0].contains("another machine"));
        assert_eq!(*cpu_verdict(&found), ClaimVerdict::Holds);
        let change = found
            .absolute
            .iter()
            .find(|line| line.row == "b-rest")
            .unwrap()
            .changes[0];
        assert!((change.unwrap().ratio - 100.0 / 97.0).abs() < 0.01);
        assert!(change.unwrap().interval.is_some());
        let itself = Comparison::of(&article, &article).unwrap();
        assert!(
            itself
                .agreement
                .iter()
                .all(|column| column.tau == Some(1.0) && column.rows == 9)
        );
        assert!(
            itself
                .ratios
                .iter()
                .all(|ratio| ratio.verdict == ClaimVerdict::Holds)
        );
    }

    #[test]
    fn results_without_a_common_row_are_refused() {
        let other = fixture::session(&[("c-rest", &REST)]);
        let (old, new) = (
            Side::of_session("old", session(1.0)),
            Side::of_session("new", other),
        );
        let error = Comparison::of(&old, &new).unwrap_err();
        assert_eq!(
            error.to_string(),
            "old and new have no row in common; compare results of the same cells and lines"
        );
    }

    #[test]
    fn a_comparison_reads_like_this() {
        let article = Side::read(Path::new("article")).unwrap();
        let ours = Side::of_session("results.json", session(2.0));
        let found = Comparison::of(&article, &ours).unwrap();
        insta::assert_snapshot!("terminal", render(&found, 110, false));
    }
}
