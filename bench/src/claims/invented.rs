//! Planted effects: invented sessions in which every claim holds, and what changes when one thing
//! does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod article;
mod sequences;
mod thesis;

use std::collections::BTreeMap;

use article::record;

use super::{
    catalogue::{Claims, Part},
    judge, render,
};
use crate::record::{
    Caution, ClaimVerdict, ClaimsRecord, Condition, LimitedBy, NoiseFloor, RatioEstimate, Run,
    Session,
};

const ROUNDS: u32 = 8;

fn verdicts(record: &ClaimsRecord) -> BTreeMap<String, ClaimVerdict> {
    let of = |finding: &crate::record::ClaimFinding| (finding.id.clone(), finding.verdict.clone());
    record.findings.iter().map(of).collect()
}

/// The verdicts that a planted change turns into others.
fn changed(plant: impl Fn(&mut Run)) -> Vec<(String, ClaimVerdict)> {
    let before = verdicts(&record(ROUNDS, |_| {}));
    verdicts(&record(ROUNDS, plant))
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

#[test]
fn a_style_made_fifteen_percent_dearer_changes_what_it_has_part_in() {
    use ClaimVerdict::{HoldsLarger, HoldsSmaller};
    // REST's lead shrinks at 2 lines, so that the gaps grow more towards 50 lines.
    expect(
        &changed(dearer("L2-a-rest", 1.15)),
        &[
            ("C01", HoldsSmaller),
            ("C02", HoldsLarger),
            ("C04", HoldsSmaller),
        ],
    );
    expect(&changed(dearer("b-graphql", 1.15)), &[]);
}

#[test]
fn a_document_parsed_for_nothing_and_a_cache_that_keeps_nothing_are_seen() {
    use ClaimVerdict::{Flips, TieHere};
    expect(
        &changed(dearer(
            "L2-a-graphql@graphql-document-cache=off",
            47.0 / 79.0,
        )),
        &[("C18", TieHere)],
    );
    let useless = |run: &mut Run| {
        if run.row == "b-rest-max-age@rate=500" {
            run.load.requests = 8 * run.load.operations;
        }
    };
    expect(&changed(useless), &[("C32", Flips)]);
}

#[test]
fn a_body_one_byte_longer_changes_the_claim_about_bodies_alone() {
    let longer = |run: &mut Run| {
        if run.row == "b-graphql" {
            let load = &mut run.load;
            load.received_bytes += load.operations;
            load.received_body_bytes = load
                .received_body_bytes
                .map(|bytes| bytes + load.operations);
        }
    };
    expect(&changed(longer), &[("C21", ClaimVerdict::DoesNotHold)]);
}

#[test]
fn an_extra_round_trip_changes_the_claim_about_requests_alone() {
    let extra = |run: &mut Run| {
        if run.row == "b-rest" {
            run.load.requests += run.load.operations;
            run.load.latency.p50_ms += 0.15;
            run.load.latency.p95_ms += 0.25;
        }
    };
    expect(&changed(extra), &[("C23", ClaimVerdict::HoldsLarger)]);
}

#[test]
fn a_second_round_of_graphql_shows_over_a_link() {
    let second = |run: &mut Run| {
        if let Some((_, condition)) = run.row.split_once("b-graphql@") {
            let rtt_ms = condition.parse::<Condition>().unwrap().rtt_ms;
            run.load.latency.p50_ms += rtt_ms.unwrap_or_default();
        }
    };
    expect(
        &changed(second),
        &[
            ("C25", ClaimVerdict::DoesNotHold),
            ("C46", ClaimVerdict::HoldsSmaller),
        ],
    );
}

#[test]
fn calls_that_cost_less_together_change_the_claims_about_calls() {
    expect(
        &changed(dearer("b-calls-rest@calls=8", 0.5)),
        &[
            ("C20", ClaimVerdict::DoesNotHold),
            ("C37", ClaimVerdict::DoesNotHold),
        ],
    );
    expect(
        &changed(dearer("b-calls-grpcweb@calls=4", 0.3)),
        &[
            ("C27", ClaimVerdict::Flips),
            ("C37", ClaimVerdict::DoesNotHold),
        ],
    );
}

#[test]
fn a_style_that_costs_what_another_does_ties_and_a_cheaper_one_flips() {
    use ClaimVerdict::{DoesNotHold, Flips, HoldsLarger, TieHere};
    expect(
        &changed(dearer("b-grpcweb", 47.0 / 28.0)),
        &[("C11", TieHere), ("C19", TieHere), ("C37", DoesNotHold)],
    );
    expect(
        &changed(dearer("L2-a-grpc", 20.0 / 47.0)),
        &[
            ("C01", Flips),
            ("C02", HoldsLarger),
            ("C04", Flips),
            ("C11", Flips),
            ("C40", DoesNotHold),
        ],
    );
}

#[test]
fn what_holds_at_full_load_and_not_at_an_equal_rate_is_no_holding() {
    expect(
        &changed(dearer("L2-a-grpc@rate=50%", 20.0 / 47.0)),
        &[("C01", ClaimVerdict::Flips), ("C04", ClaimVerdict::Flips)],
    );
}

#[test]
fn http2_that_costs_little_changes_the_claim_about_its_cost_alone() {
    expect(
        &changed(dearer(
            "L2-a-rest@driver=load,http=2,rest-h2c=on",
            34.0 / 46.0,
        )),
        &[("C04", ClaimVerdict::Flips)],
    );
}

#[test]
fn logging_that_costs_little_and_a_client_that_costs_the_same_change_their_claims_alone() {
    let quiet = |run: &mut Run| {
        if run.row == "L2-a-rest@log-level=info" {
            run.usage.server.cpu_us = run.usage.server.cpu_us.map(|cpu_us| cpu_us / 2.0);
        }
    };
    expect(&changed(quiet), &[("C45", ClaimVerdict::HoldsSmaller)]);
    let dear = |run: &mut Run| {
        if run.row == "L2-a-grpc@driver=load" {
            run.usage.client.cpu_us = run.usage.client.cpu_us.map(|cpu_us| 5.0 * cpu_us);
        }
    };
    expect(&changed(dear), &[("C08", ClaimVerdict::TieHere)]);
}

#[test]
fn a_place_that_changes_nothing_and_a_hop_for_nothing_are_seen() {
    let undisturbed = |run: &mut Run| {
        if run.row == "L2-a-rest@place=shared" {
            run.load.elapsed_s /= 2.0;
        }
    };
    expect(
        &changed(undisturbed),
        &[
            ("C09", ClaimVerdict::TieHere),
            ("C10", ClaimVerdict::TieHere),
        ],
    );
    expect(
        &changed(dearer(
            "b-graphql@graphql-batching=on,graphql-upstream=own",
            3.0,
        )),
        &[("C48", ClaimVerdict::Flips)],
    );
    let resent = |run: &mut Run| {
        if run.row == "L2-a-grpc@driver=load" {
            run.load.sent_bytes *= 4;
        }
    };
    expect(&changed(resent), &[("C15", ClaimVerdict::Flips)]);
    expect(
        &changed(dearer("b-grpc-resources", 0.2)),
        &[("C27", ClaimVerdict::Flips)],
    );
}

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
fn a_long_order_made_dearer_changes_the_claim_about_long_orders_alone() {
    expect(
        &changed(dearer("L5000-a-grpc", 1.4)),
        &[("C05", ClaimVerdict::Flips)],
    );
}

#[test]
fn a_stream_that_costs_what_another_does_changes_the_claims_about_streams() {
    use ClaimVerdict::{DoesNotHold, Flips};
    expect(
        &changed(dearer("s-stream-sse", 0.25)),
        &[("C35", Flips), ("C47", Flips)],
    );
    expect(
        &changed(dearer("s-stream-grpcweb", 1.5)),
        &[("C35", DoesNotHold)],
    );
    let late = |run: &mut Run| {
        if run.row == "s-stream-grpc" {
            run.load.first_event_p50_ms = Some(20.0);
        }
    };
    expect(&changed(late), &[("C35", Flips)]);
}

#[test]
fn work_that_outlives_its_caller_changes_the_claim_about_deadlines_alone() {
    expect(
        &changed(dearer("d-deadline-grpc@rate=20", 4.0)),
        &[("C39", ClaimVerdict::TieHere)],
    );
}

#[test]
fn a_costly_query_that_disturbs_nobody_and_one_that_costs_little_change_their_claims() {
    let harmless = |run: &mut Run| {
        if run.row == "q-beside@rate=500,graphql-max-complexity=1000000" {
            run.load.latency.p95_ms /= 10.0;
        }
    };
    expect(&changed(harmless), &[("C36", ClaimVerdict::TieHere)]);
    expect(
        &changed(dearer("q-list", 47.0 / 20_000.0)),
        &[
            ("C36", ClaimVerdict::TieHere),
            ("C37", ClaimVerdict::TieHere),
        ],
    );
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

#[test]
fn a_record_survives_writing_and_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claims.json");
    let written = record(ROUNDS, |_| {});
    written.write(&path).unwrap();
    assert!(ClaimsRecord::is_at(&path));
    let read = ClaimsRecord::read(&path).unwrap();
    assert_eq!(read.findings.len(), written.findings.len());
    assert_eq!(
        render::markdown::render(&read),
        render::markdown::render(&written)
    );
    assert!(Session::read(&path).is_err());
}

#[test]
fn a_record_follows_the_published_schema_and_a_spoilt_one_does_not() {
    let schema = serde_json::from_str(crate::report::CLAIMS_SCHEMA_JSON).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut value = serde_json::to_value(record(ROUNDS, |_| {})).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
    value["findings"][0]["verdict"] = "perhaps".into();
    assert!(!validator.is_valid(&value));
}

/// Some of each verdict.
fn shown() -> ClaimsRecord {
    let mut record = record(ROUNDS, |run| match run.row.as_str() {
        "L2-a-grpc" => dearer("L2-a-grpc", 0.4)(run),
        "b-grpcweb" => dearer("b-grpcweb", 47.0 / 28.0)(run),
        "b-rest" if run.round % 2 == 0 => run.load.latency.p95_ms += 4.0,
        _ => {}
    });
    let some = [
        "C01", "C04", "C06", "C12", "C16", "C19", "C21", "C24", "C29", "C36",
    ];
    record.asked = some.map(str::to_owned).to_vec();
    record.findings = judge::findings(&Claims::built_in(), &record, "load");
    record
}

#[test]
fn claims_read_like_this_on_a_terminal() {
    insta::assert_snapshot!("terminal", render::terminal::render(&shown(), 110, false));
}

#[test]
fn claims_read_like_this_as_markdown() {
    insta::assert_snapshot!("markdown", render::markdown::render(&shown()));
}

#[test]
fn the_list_reads_like_this() {
    let claims = Claims::built_in();
    let ids = ["C01", "C04", "C29", "C36"].map(str::to_owned);
    let selected = claims.selected(&[], &ids).unwrap();
    insta::assert_snapshot!("list", render::list::render(&selected, 110));
}
