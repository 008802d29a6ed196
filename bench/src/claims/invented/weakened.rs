//! What keeps a finding from being said, or weakens it.

use std::collections::BTreeMap;

use super::{ROUNDS, article::record, verdicts};
use crate::{
    claims::{
        catalogue::{Claims, Part},
        judge,
    },
    record::{Caution, ClaimVerdict, LimitedBy, NoiseFloor, RatioEstimate},
};

#[test]
fn a_machine_with_one_cpu_says_why_it_measures_no_places() {
    let mut record = record(ROUNDS, |_| {});
    record.machine.logical_cores = 1;
    record.findings = judge::findings(&Claims::built_in(), &record, "script");
    let of_places: Vec<String> = verdicts(&record)
        .into_iter()
        .filter(|(_, verdict)| {
            matches!(verdict, ClaimVerdict::NotMeasurable { reason } if reason.contains("two CPUs"))
        })
        .map(|(id, _)| id)
        .collect();
    assert_eq!(of_places, ["C09", "C10", "C41"]);
}

#[test]
fn too_few_rounds_settle_nothing_and_say_how_many_are_missing() {
    let claims = Claims::built_in();
    for finding in record(4, |_| {}).findings {
        let (_, claim) = claims.find(&finding.id).unwrap();
        let is_measured = claim
            .parts
            .iter()
            .any(|part| !matches!(part, Part::Check(_)));
        let more_rounds = Some(2);
        let is_open = finding.verdict == ClaimVerdict::NotSettled { more_rounds };
        assert_eq!(is_open, is_measured, "{}", finding.id);
    }
}

#[test]
fn a_compiled_client_says_nothing_of_a_scripted_one() {
    let mut record = record(ROUNDS, |_| {});
    record.findings = judge::findings(&Claims::built_in(), &record, "load");
    let about_client = verdicts(&record).remove("C06").unwrap();
    assert!(
        matches!(about_client, ClaimVerdict::NotMeasurable { .. }),
        "{about_client:?}"
    );
}

#[test]
fn what_weakens_a_finding_is_said_where_it_matters() {
    let mut record = record(ROUNDS, |_| {});
    let session = &mut record.sessions[0];
    session.settings.surcharges = BTreeMap::from([("L2-a-rest".to_owned(), 0.15)]);
    let mut summaries = session.analysis.rows.iter_mut();
    let of_grpc = summaries
        .find(|summary| summary.row == "L2-a-grpc")
        .unwrap();
    of_grpc.limited_by = LimitedBy::Client;
    let ratio = RatioEstimate {
        ratio: 1.3,
        low: Some(0.9),
        high: Some(1.6),
        min: 0.9,
        max: 1.6,
    };
    session.analysis.noise_floor = Some(NoiseFloor {
        row: "L2-a-rest".to_owned(),
        repetition: "L2-a-rest#2".to_owned(),
        ratio,
        share: 0.6,
        false_difference: false,
    });
    let findings = judge::findings(&Claims::built_in(), &record, "script");
    let cautions = |id: &str| {
        let finding = findings.iter().find(|finding| finding.id == id).unwrap();
        finding.parts[0].cautions.clone()
    };
    let burnt = Caution::Surcharged {
        row: "L2-a-rest".to_owned(),
    };
    let bound = Caution::ClientBound {
        row: "L2-a-grpc".to_owned(),
    };
    let floor = Caution::BelowNoiseFloor { share: 0.6 };
    assert_eq!(cautions("C01"), [burnt.clone(), floor], "of server CPU");
    assert_eq!(cautions("C03"), [bound, burnt.clone()], "of throughput");
    assert_eq!(cautions("C12"), [burnt], "of bytes");
    assert_eq!(cautions("C19"), [], "of another session");
}
