//! The claims about sequences of calls: invented sessions in which they hold, and planted changes.

use std::collections::BTreeSet;

use super::{article, verdicts};
use crate::{
    analysis::analyse,
    claims::{Claims, judge},
    cli::Pace,
    record::{ClaimVerdict, ClaimsRecord, Run, Samples, fixture},
};

const ROUNDS: u32 = 8;

/// How long an operation of a row takes, in ms: about as published, or else made up.
fn level(row: &str) -> f64 {
    match row {
        "g-hello-rest-own@driver=load,connection=new,log-level=info" => 1.45,
        "g-hello-rest-own@log-level=info" => 0.9,
        "g-hello-rest-own" | "g-hello-rest" => 0.6,
        "g-hello-grpc@log-level=info" | "g-hello-rest@driver=load,http=2,rest-h2c=on" => 0.5,
        "g-hello-grpc" => 0.4,
        "g-codec-rest" => 10.0,
        "g-codec-grpc" => 1.0,
        "g-codec-rest@calls=1000" | "m-codec-rest" => 500.0,
        "m-small-rest" => 14.99,
        "m-small-grpc" => 19.6,
        "m-get-rest" => 1_181.0,
        "m-get-grpc" => 187.93,
        "m-post-rest" => 1_644.7,
        "m-post-grpc" => 207.18,
        "m-stream-grpc" => 1_510.0,
        _ => match row.split_once("@calls=200") {
            Some((plain, _)) => 2.0 * level(plain),
            None => 100.0,
        },
    }
}

/// A run whose operations take as long as the row's do, up or down by at most 1 % from round to round.
fn run(row: &str, nth: u32, round: u32) -> Run {
    let noise = 1.0 + (f64::from((nth * 5 + round * 3) % 7) - 3.0) / 300.0;
    let encryption = if row.contains("tls=on") { 1.3 } else { 1.0 };
    let mut run = fixture::run(row, round, 100.0 * encryption * noise);
    run.load.samples = Some(Samples {
        dropped: 1,
        full_ms: [9.0, 0.9, 1.0, 1.1]
            .map(|share| share * level(row) * noise)
            .to_vec(),
        ttfb_ms: Vec::new(),
    });
    run
}

/// Every claim of the two benchmarks, after `plant` has changed each run.
fn record(plant: impl Fn(&mut Run)) -> ClaimsRecord {
    let claims = Claims::built_in();
    let sources = ["hello", "meteorite"].map(str::to_owned);
    let selected = claims.selected(&sources, &[]).unwrap();
    let parts = selected.iter().flat_map(|(_, claim)| &claim.parts);
    let rows: BTreeSet<&str> = parts
        .flat_map(|part| part.row_sets(Pace::Quick))
        .flatten()
        .collect();
    let mut session = fixture::without_runs();
    session.rows = rows.iter().map(|id| fixture::row(id)).collect();
    for round in 1..=ROUNDS {
        let runs = (0..).zip(&rows).map(|(nth, id)| run(id, nth, round));
        session.runs.extend(runs);
    }
    session.runs.iter_mut().for_each(plant);
    session.analysis = analyse(&session);
    let mut record = ClaimsRecord {
        asked: selected.iter().map(|(_, claim)| claim.id.clone()).collect(),
        sessions: vec![session],
        ..article::without_sessions(&claims)
    };
    record.findings = judge::findings(&claims, &record, "script");
    record
}

fn verdict(record: &ClaimsRecord, id: &str) -> ClaimVerdict {
    verdicts(record).remove(id).unwrap()
}

/// The verdict on a claim when an operation of a row takes so many times as long.
fn with(row: &'static str, factor: f64, id: &str) -> ClaimVerdict {
    let slower = move |run: &mut Run| {
        if run.row == row {
            let samples = run.load.samples.as_mut().unwrap();
            samples.full_ms.iter_mut().for_each(|time| *time *= factor);
        }
    };
    verdict(&record(slower), id)
}

#[test]
fn at_the_published_levels_the_claims_hold() {
    let record = record(|_| {});
    for id in [
        "L01", "L02", "L03", "V01", "V02", "V03", "V04", "V05", "V06", "V07",
    ] {
        assert_eq!(verdict(&record, id), ClaimVerdict::Holds, "{id}");
    }
    // The older framework's figures are larger than the newer one's.
    assert_ne!(verdict(&record, "V08"), ClaimVerdict::Holds);
}

#[test]
fn a_style_that_is_slower_turns_the_claim_about_it() {
    use ClaimVerdict::{DoesNotHold, Flips, HoldsSmaller, TieHere};
    for (row, factor, id, expected) in [
        ("g-hello-grpc@log-level=info", 4.0, "L01", Flips),
        ("g-hello-grpc@log-level=info", 1.4, "L01", HoldsSmaller),
        ("g-hello-grpc", 2.0, "L02", Flips),
        ("g-codec-grpc@calls=1000", 9.0, "L03", Flips),
        ("m-small-rest", 2.0, "V01", Flips),
        ("m-get-grpc", 9.0, "V02", Flips),
        ("m-post-grpc", 2.0, "V03", HoldsSmaller),
        ("m-stream-grpc", 0.5, "V04", Flips),
        ("m-get-grpc@calls=200", 0.5, "V05", TieHere),
        ("g-codec-rest", 0.1, "V06", DoesNotHold),
    ] {
        let found = with(row, factor, id);
        assert_ne!(found, ClaimVerdict::Holds, "{id} with {row}");
        assert_eq!(found, expected, "{id} with {row}");
    }
}

#[test]
fn encryption_that_costs_nothing_or_spares_something_turns_the_claim_about_it() {
    let with = |factor: f64| {
        let planted = move |run: &mut Run| {
            if run.row.contains("tls=on") {
                run.usage.server.cpu_us = run.usage.server.cpu_us.map(|cpu_us| cpu_us * factor);
            }
        };
        verdict(&record(planted), "V07")
    };
    assert_eq!(with(1.0 / 1.3), ClaimVerdict::TieHere);
    assert_eq!(with(0.5), ClaimVerdict::Flips);
}

#[test]
fn the_factors_of_the_greeting_multiply_to_the_published_setting() {
    let record = record(|_| {});
    let value = |id: &str, nth: usize| {
        let finding = record.findings.iter().find(|finding| finding.id == id);
        finding.unwrap().parts[nth].ours.unwrap().value
    };
    let product: f64 = (1..=5).map(|nth| value("L02", nth)).product();
    let published_setting = value("L01", 0);
    assert!(
        (product / published_setting - 1.0).abs() < 0.03,
        "{product} for {published_setting}"
    );
}
