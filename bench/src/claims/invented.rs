//! Planted effects: invented sessions in which every claim holds, and what changes when one thing
//! does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod article;
mod effects;
mod sequences;
mod shown;
mod thesis;
mod weakened;

use std::{collections::BTreeMap, sync::LazyLock};

use article::record;

use super::catalogue::Claims;
use crate::record::{ClaimVerdict, ClaimsRecord, Run};

const ROUNDS: u32 = 8;

fn verdicts(record: &ClaimsRecord) -> BTreeMap<String, ClaimVerdict> {
    let of = |finding: &crate::record::ClaimFinding| (finding.id.clone(), finding.verdict.clone());
    record.findings.iter().map(of).collect()
}

/// The verdicts that a planted change turns into others.
fn changed(plant: impl Fn(&mut Run)) -> Vec<(String, ClaimVerdict)> {
    static BEFORE: LazyLock<BTreeMap<String, ClaimVerdict>> =
        LazyLock::new(|| verdicts(&record(ROUNDS, |_| {})));
    turned(&BEFORE, &record(ROUNDS, plant))
}

/// The verdicts of a record that are not what they were before.
fn turned(
    before: &BTreeMap<String, ClaimVerdict>,
    record: &ClaimsRecord,
) -> Vec<(String, ClaimVerdict)> {
    verdicts(record)
        .into_iter()
        .filter(|(id, verdict)| before.get(id) != Some(verdict))
        .collect()
}

fn dearer(row: &'static str, factor: f64) -> impl Fn(&mut Run) {
    move |run| {
        if run.row == row {
            run.usage.server.cpu_us = run.usage.server.cpu_us.map(|cpu_us| cpu_us * factor);
        }
    }
}

fn expect(changed: &[(String, ClaimVerdict)], expected: &[(&str, ClaimVerdict)]) {
    let expected: Vec<(String, ClaimVerdict)> = expected
        .iter()
        .map(|(id, verdict)| ((*id).to_owned(), verdict.clone()))
        .collect();
    assert_eq!(changed, expected);
}

#[test]
fn where_everything_is_as_published_every_claim_that_can_be_judged_holds() {
    let claims = Claims::built_in();
    for finding in record(ROUNDS, |_| {}).findings {
        let (_, claim) = claims.find(&finding.id).unwrap();
        match finding.verdict {
            ClaimVerdict::Holds => assert!(claim.needs.is_empty()),
            ClaimVerdict::NeedsScenario { scenarios } => assert_eq!(scenarios, claim.needs),
            ClaimVerdict::NotMeasurable { .. } => assert!(claim.not_measurable.is_some()),
            other => panic!("{}: {other:?} {:?}", finding.id, finding.parts),
        }
    }
}
