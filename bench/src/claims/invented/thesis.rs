//! The thesis' claims over invented runs: times, bytes and CPU follow simple laws, and what changes when one
//! of them does.

use std::{collections::BTreeMap, sync::LazyLock};

use super::{super::plan::Plan, expect, turned, verdicts};
use crate::{
    analysis::analyse,
    catalogue::{Catalogue, Style},
    claims::{
        catalogue::{Claim, Claims},
        judge,
        published::Published,
        stack,
    },
    cli::Pace,
    record::{
        CLAIMS_SCHEMA, ClaimVerdict, ClaimsRecord, Figure, LeftOut, Row, Run, Samples, Session,
        SessionState, SqlUse, fixture,
    },
};

static PUBLISHED: LazyLock<Published> = LazyLock::new(|| Published::of("thesis"));

const ROUNDS: u32 = 8;
const OPERATIONS: f64 = 10_000.0;

fn expenses(row: &Row) -> f64 {
    f64::from(row.condition.limit.unwrap_or(500))
}

/// Bytes of bodies in one operation.
fn body(row: &Row) -> f64 {
    let each = match &*row.cell {
        "e-A-rest" | "e-A-rest-parallel" | "e-expenses-rest" | "e-B-rest" => 434.0,
        "e-A-rest-expand" | "e-A-graphql" => 512.0,
        "e-users-rest" => 0.0,
        _ => 16.0,
    };
    let users = match &*row.cell {
        "e-A-rest" | "e-A-rest-parallel" | "e-users-rest" => 72_400.0,
        _ => 0.0,
    };
    each * expenses(row) + users + 16.0 * f64::from(u8::from(row.cell == "e-A-graphql"))
}

/// A full time in ms: a constant and a part for each expense, round trips, and what the link carries.
fn time(row: &Row) -> f64 {
    let (constant, each) = match &*row.cell {
        "e-A-rest" => (60.35, 0.1116),
        "e-A-rest-parallel" | "e-expenses-rest" => (30.05, 0.1116),
        "e-users-rest" => (30.3, 0.0),
        "e-A-rest-expand" => (25.0, 0.16),
        "e-A-graphql" => (20.0, 0.174_28),
        "e-B-rest" => (30.0, 0.085_28),
        "e-B-graphql" => (30.0, 0.081_68),
        _ => (60.0, 0.1),
    };
    let condition = &row.condition;
    let is_graphql = row.style == Style::GraphQl;
    let is_naive = condition
        .server
        .get("expenses-resolvers")
        .is_some_and(|how| how == "naive");
    let parts = f64::from(condition.parts.unwrap_or(0)) * if is_graphql { 0.4 } else { 0.05 };
    let queue = match (condition.vus, condition.limit) {
        (Some(_), None) if is_graphql => 1.3,
        _ => 1.0,
    };
    let server =
        (constant + each * expenses(row) + parts) * queue * if is_naive { 5.0 } else { 1.0 };
    let link = condition
        .bandwidth_bit_per_s
        .map_or(0.0, |rate| body(row) * 8e3 / rate);
    server / condition.cpus.unwrap_or(1.0)
        + condition.rtt_ms.unwrap_or(0.0) * f64::from(row.rounds_per_op)
        + link
}

fn server_cpu(row: &Row) -> f64 {
    let parts = f64::from(row.condition.parts.unwrap_or(0));
    let each = if row.style == Style::GraphQl {
        80.0
    } else {
        20.0
    };
    let style = match &*row.cell {
        "e-A-graphql" => 9.0,
        "e-B-graphql" => 8.0,
        _ => 10.0,
    };
    style * time(row) + each * parts
}

fn samples(row: &Row, mean: f64, ttfb: f64) -> Samples {
    let dropped = row.condition.drop.unwrap_or(0);
    let around = |middle: f64| {
        let first = (0..dropped).map(move |_| 1.3 * middle);
        first.chain((0..10).map(move |nth| middle + if nth % 2 == 0 { 4.0 } else { -4.0 }))
    };
    Samples {
        dropped,
        full_ms: around(mean).collect(),
        ttfb_ms: around(ttfb).collect(),
    }
}

/// A run by these laws, or as published where a figure was, up or down by at most 1 % from round to round.
fn run(row: &Row, nth: u32, round: u32) -> Run {
    let noise = 1.0 + (f64::from((nth * 5 + round * 3) % 7) - 3.0) / 300.0;
    let level = |figure, law: f64| PUBLISHED.figure(&row.id, figure).unwrap_or(law) * noise;
    let mut run = fixture::run(&row.id, round, server_cpu(row) * noise);
    let client = if row.cell == "e-A-rest" { 40.0 } else { 30.0 };
    run.usage.client.cpu_us = Some(client * OPERATIONS * noise);
    let load = &mut run.load;
    let mean = level(Figure::MeanMs, time(row));
    load.latency.p50_ms = mean;
    load.latency.p95_ms = 1.5 * mean;
    load.elapsed_s = OPERATIONS * mean / 1e3;
    if row.condition.sequential.is_some() {
        load.samples = Some(samples(
            row,
            mean,
            level(Figure::TtfbMeanMs, 0.9 * time(row)),
        ));
        run.sql = Some(SqlUse {
            statements: OPERATIONS,
            seconds: 0.7 * OPERATIONS * mean / 1e3,
        });
    }
    let heads = 274.0 * f64::from(row.requests_per_op);
    let load = &mut run.load;
    load.requests = whole(OPERATIONS * f64::from(row.requests_per_op));
    load.received_body_bytes = Some(whole(OPERATIONS * body(row)));
    let wire = PUBLISHED.figure(&row.id, Figure::ReceivedBytesPerOp);
    load.received_bytes = whole(OPERATIONS * wire.unwrap_or(body(row) + heads));
    run
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bytes and requests of many operations"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

fn session(rows: Vec<Row>, plant: &impl Fn(&mut Run)) -> Session {
    let mut session = fixture::without_runs();
    session.settings.rounds = ROUNDS;
    for round in 1..=ROUNDS {
        let runs = (0..).zip(&rows).map(|(nth, row)| run(row, nth, round));
        session.runs.extend(runs);
    }
    session.rows = rows;
    session.runs.iter_mut().for_each(plant);
    session.analysis = analyse(&session);
    session
}

/// Every claim of the thesis with the sessions that it plans, in which `plant` has changed each run.
fn record(plant: impl Fn(&mut Run)) -> ClaimsRecord {
    let claims = Claims::built_in();
    let thesis = ["thesis".to_owned()];
    let selected = claims.selected(&thesis, &[]).unwrap();
    let asked: Vec<&Claim> = selected.iter().map(|(_, claim)| *claim).collect();
    let plan = Plan::of(
        asked.iter().copied(),
        &Catalogue::built_in(),
        false,
        Pace::Quick,
    );
    let sessions = plan.sessions.into_iter();
    let mut record = ClaimsRecord {
        schema: CLAIMS_SCHEMA.to_owned(),
        tool_version: "0.1.0".to_owned(),
        tool_revision: None,
        command: "bookstore-bench claims --source thesis".to_owned(),
        started_at: jiff::Timestamp::UNIX_EPOCH,
        updated_at: jiff::Timestamp::UNIX_EPOCH,
        state: SessionState::Complete,
        stack: stack::STACK.to_owned(),
        machine: fixture::machine(),
        pace: "quick".to_owned(),
        seed: 1,
        asked: asked.iter().map(|claim| claim.id.clone()).collect(),
        sessions: sessions.map(|rows| session(rows, &plant)).collect(),
        left_out: Vec::new(),
        checks: Vec::new(),
        findings: Vec::new(),
    };
    record.findings = judge::findings(&claims, &record, "load");
    record
}

fn changed(plant: impl Fn(&mut Run)) -> Vec<(String, ClaimVerdict)> {
    static BEFORE: LazyLock<BTreeMap<String, ClaimVerdict>> =
        LazyLock::new(|| verdicts(&record(|_| {})));
    turned(&BEFORE, &record(plant))
}

/// Multiplies every time of a row.
fn slower(row: &'static str, factor: f64) -> impl Fn(&mut Run) {
    move |run| {
        if run.row == row
            && let Some(samples) = &mut run.load.samples
        {
            let times = samples.full_ms.iter_mut().chain(&mut samples.ttfb_ms);
            times.for_each(|time| *time *= factor);
        }
    }
}

#[test]
fn what_the_laws_say_is_found() {
    let found = verdicts(&record(|_| {}));
    let others: BTreeMap<&str, &ClaimVerdict> = found
        .iter()
        .filter(|(_, verdict)| **verdict != ClaimVerdict::Holds)
        .map(|(id, verdict)| (&**id, verdict))
        .collect();
    let ids: Vec<&str> = others.keys().copied().collect();
    assert_eq!(ids, ["R2", "R3", "R5", "R6", "T06"], "{others:?}");
    assert_eq!(*others["R2"], ClaimVerdict::HoldsSmaller);
    assert_eq!(*others["R5"], ClaimVerdict::TieHere);
    assert_eq!(*others["T06"], ClaimVerdict::Flips);
}

#[test]
fn the_break_even_and_what_each_expense_adds_come_out_of_the_bytes() {
    let record = record(|_| {});
    let finding = record
        .findings
        .iter()
        .find(|finding| finding.id == "T06")
        .unwrap();
    let value = |nth: usize| finding.parts[nth].ours.as_ref().unwrap().value;
    assert!((value(2) - 78.0).abs() < 1e-6, "{}", value(2));
    // (72,400 - 16) / 78 expenses of 500 users.
    assert!((value(3) - 1.856).abs() < 1e-3, "{}", value(3));
    assert_eq!(finding.parts[3].verdict, ClaimVerdict::Beside);
}

#[test]
fn each_planted_change_turns_the_claims_about_it_and_no_others() {
    use ClaimVerdict::{DoesNotHold, TieHere};
    expect(
        &changed(|run| {
            if run.row == "e-A-graphql@expenses-resolvers=naive" {
                slower("e-A-graphql@expenses-resolvers=naive", 0.2)(run);
                run.usage.server.cpu_us = run.usage.server.cpu_us.map(|cpu_us| cpu_us / 5.0);
            }
        }),
        &[("T15", TieHere)],
    );
    let pool = "e-pool-graphql@expenses={scratch}/household.sqlite,expenses-connections=4";
    expect(&changed(slower(pool, 0.5)), &[("T13", DoesNotHold)]);
    expect(
        &changed(|run| {
            if let Some(sql) = &mut run.sql {
                sql.seconds /= 10.0;
            }
        }),
        &[("T10", DoesNotHold)],
    );
    expect(
        &changed(|run| {
            if run.row == "e-A-graphql" {
                let bytes = run.load.received_body_bytes;
                run.load.received_body_bytes = bytes.map(|bytes| bytes * 11 / 10);
            }
        }),
        &[("T02", TieHere)],
    );
}

#[test]
fn a_spread_and_a_start_like_any_other_are_seen() {
    use ClaimVerdict::{DoesNotHold, TieHere};
    let spread = |run: &mut Run| {
        if run.row == "e-B-graphql"
            && let Some(samples) = &mut run.load.samples
        {
            let dropped = samples.dropped as usize;
            for (nth, time) in samples.full_ms.iter_mut().skip(dropped).enumerate() {
                *time += if nth % 2 == 0 { 20.0 } else { -20.0 };
            }
        }
    };
    expect(&changed(spread), &[("T07", DoesNotHold)]);
    let alike = |run: &mut Run| {
        if run.row == "e-B-rest"
            && let Some(samples) = &mut run.load.samples
        {
            let dropped = samples.dropped as usize;
            samples
                .full_ms
                .iter_mut()
                .take(dropped)
                .for_each(|time| *time /= 1.3);
        }
    };
    expect(&changed(alike), &[("T08", TieHere)]);
}

#[test]
fn a_row_that_this_machine_cannot_measure_says_why_and_leaves_the_claim_to_the_others() {
    let mut record = record(|_| {});
    record.left_out = vec![LeftOut {
        row: "e-A-rest@cpu=0.25".to_owned(),
        reason: "no control groups here".to_owned(),
    }];
    record.findings = judge::findings(&Claims::built_in(), &record, "load");
    let finding = record
        .findings
        .iter()
        .find(|finding| finding.id == "T10")
        .unwrap();
    assert_eq!(finding.verdict, ClaimVerdict::Holds);
    let reasons = finding.parts.iter().filter(|part| {
        matches!(&part.verdict, ClaimVerdict::NotMeasurable { reason } if reason.contains("control groups"))
    });
    assert_eq!(reasons.count(), 2);
}
