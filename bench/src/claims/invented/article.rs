//! The invented record itself: sessions of all rows at the levels that were published.

use std::sync::LazyLock;

use crate::{
    analysis::analyse,
    catalogue::{Catalogue, Style},
    claims::{catalogue::Claims, checks::CheckName, judge, published::Published, stack},
    record::{
        CLAIMS_SCHEMA, CheckOutcome, ClaimsRecord, Figure, Row, Run, Session, SessionState, fixture,
    },
    rows,
};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::built_in);
static PUBLISHED: LazyLock<Published> = LazyLock::new(Published::article);

const OF_ORDERS: [&str; 12] = [
    "L2-a-rest",
    "L2-a-grpc",
    "L2-a-graphql",
    "L50-a-rest",
    "L50-a-grpc",
    "L50-a-graphql",
    "L5000-a-rest",
    "L5000-a-grpc",
    "L5000-a-graphql",
    "L2-a-graphql-hash",
    "L2-a-graphql-id",
    "L2-a-graphql@graphql-document-cache=off",
];
const OF_CONDITIONS: [&str; 16] = [
    "L2-a-grpcweb@driver=load",
    "L2-a-rest@driver=load,http=2,rest-h2c=on",
    "L2-a-rest@driver=load",
    "L2-a-grpc@driver=load",
    "L2-a-grpc@driver=load,rate=200,connection=new",
    "L50-a-rest@driver=load",
    "L50-a-grpc@driver=load",
    "L2-a-rest@log-level=info",
    "L2-a-grpc@log-level=info",
    "L2-a-graphql@log-level=info",
    "L2-a-rest@backend-delay=1ms",
    "L2-a-grpc@backend-delay=1ms",
    "L2-a-rest@backend-delay=20ms",
    "L2-a-grpc@backend-delay=20ms",
    "L2-a-rest@backend-delay=5ms",
    "L2-a-grpc@backend-delay=5ms",
];
const AT_A_RATE: [&str; 18] = [
    "L2-a-rest@rate=50%",
    "L2-a-grpc@rate=50%",
    "L2-a-graphql@rate=50%",
    "L50-a-rest@rate=50%",
    "L50-a-grpc@rate=50%",
    "L50-a-graphql@rate=50%",
    "L2-a-rest@rate=25%",
    "L2-a-grpc@rate=25%",
    "L2-a-graphql@rate=25%",
    "L50-a-rest@rate=25%",
    "L50-a-grpc@rate=25%",
    "L50-a-graphql@rate=25%",
    "L2-a-rest@rate=75%",
    "L2-a-grpc@rate=75%",
    "L2-a-graphql@rate=75%",
    "L50-a-rest@rate=75%",
    "L50-a-grpc@rate=75%",
    "L50-a-graphql@rate=75%",
];
const OF_SCREENS: [&str; 18] = [
    "b-rest",
    "b-rest-bff",
    "b-grpcweb",
    "b-graphql",
    "b-rest-fields",
    "b-rest-etag",
    "b-graphql-hash",
    "b-graphql-id",
    "b-graphql-max-age@rate=500",
    "b-grpcweb@grpc-web-hop=on",
    "b-grpc-resources",
    "b-graphql@graphql-upstream=own",
    "b-graphql@graphql-batching=on,graphql-upstream=own",
    "b-calls-rest@calls=2",
    "b-calls-rest@calls=4",
    "b-calls-rest@calls=8",
    "b-calls-grpcweb@calls=4",
    "q-list",
];
const OF_COSTS: [&str; 2] = [
    "q-beside@rate=500",
    "q-beside@rate=500,graphql-max-complexity=1000000",
];
const OF_DEADLINES: [&str; 2] = ["d-deadline-rest@rate=20", "d-deadline-grpc@rate=20"];
const OF_STREAMS: [&str; 5] = [
    "s-stream-grpc",
    "s-stream-grpcweb",
    "s-stream-sse",
    "s-stream-graphql-ws",
    "s-stream-graphql-sse",
];
const OF_CACHES: [&str; 2] = ["b-rest@rate=500", "b-rest-max-age@rate=500"];
const OF_PLACES: [&str; 4] = [
    "L2-a-rest@place=shared",
    "L2-a-rest@place=pinned",
    "L2-a-grpc@place=shared",
    "L2-a-grpc@place=pinned",
];
const OF_LINKS: [&str; 13] = [
    "b-rest@rtt=0ms",
    "b-rest@rtt=20ms",
    "b-rest@rtt=80ms",
    "b-rest@rtt=200ms",
    "b-rest-bff@rtt=80ms",
    "b-grpcweb@rtt=80ms",
    "b-grpcweb@rtt=200ms",
    "b-graphql@rtt=80ms",
    "b-graphql@rtt=200ms",
    "b-calls-rest@calls=2,rtt=80ms",
    "b-calls-rest@calls=3,rtt=80ms",
    "b-calls-rest@calls=5,rtt=80ms",
    "b-calls-rest@calls=5,rtt=200ms",
];

/// A figure of a row: as published, or, where nothing was published, made up.
fn level(row: &str, figure: Figure) -> f64 {
    if let Some(row) = rows::named(&CATALOGUE, row)
        && (row.condition.has_link() || row.condition.calls.is_some())
    {
        return over_calls(&row, figure);
    }
    let (name, condition) = row.split_once('@').unwrap_or((row, ""));
    let plain = plain_level(name, figure);
    match (condition, figure) {
        ("log-level=info", Figure::ServerCpuUsPerOp | Figure::P50Ms) => 2.5 * plain,
        ("backend-delay=1ms", Figure::P50Ms) => plain + 1.0,
        ("backend-delay=20ms", Figure::P50Ms) => plain + 20.0,
        ("backend-delay=5ms", Figure::P50Ms) => plain + 5.0,
        ("graphql-document-cache=off", Figure::ServerCpuUsPerOp) => 79.0,
        ("grpc-web-hop=on", Figure::ServerCpuUsPerOp) => 90.0,
        ("grpc-web-hop=on", Figure::P50Ms) => 0.4,
        ("place=shared", Figure::OpsPerS) if name == "L2-a-grpc" => plain / 2.5,
        ("place=shared", Figure::OpsPerS) => plain / 2.0,
        ("graphql-upstream=own", Figure::ServerCpuUsPerOp) => 220.0,
        ("graphql-batching=on,graphql-upstream=own", Figure::ServerCpuUsPerOp) => 140.0,
        ("graphql-batching=on,graphql-upstream=own", Figure::P50Ms) => plain + 0.3,
        ("driver=load,rate=200,connection=new", Figure::SentBytesPerOp) => 3.0 * plain,
        ("rate=500,graphql-max-complexity=1000000", Figure::P95Ms) => 10.0 * plain,
        ("driver=load", Figure::ClientCpuUsPerOp) => plain / 5.0,
        ("driver=load", Figure::OpsPerS) => 90_000.0,
        ("driver=load,http=2,rest-h2c=on", Figure::ServerCpuUsPerOp) => plain + 15.0,
        _ => plain,
    }
}

fn plain_level(row: &str, figure: Figure) -> f64 {
    match (row, figure) {
        ("b-rest-bff", Figure::ServerCpuUsPerOp) => 27.0,
        ("b-rest-bff", Figure::OpsPerS) => 100_000.0,
        ("b-rest-bff", Figure::P50Ms) => 0.18,
        ("b-rest-bff", Figure::P95Ms) => 0.34,
        ("b-rest-bff", Figure::SentBytesPerOp) => 103.0,
        ("b-rest-bff", Figure::ReceivedBytesPerOp) => 396.0,
        ("b-rest-bff", Figure::SentBodyBytesPerOp) => 0.0,
        ("b-rest-bff", Figure::ReceivedBodyBytesPerOp) => 237.0,
        // One byte less than the article's server sends.
        ("b-grpcweb", Figure::ReceivedBodyBytesPerOp) => 139.0,
        ("b-grpcweb", Figure::ReceivedBytesPerOp) => 293.0,
        // REST and GraphQL go on as between the two published points; protobuf earns its frames back.
        ("L5000-a-rest", Figure::ServerCpuUsPerOp) => 1_385.0,
        ("L5000-a-grpc", Figure::ServerCpuUsPerOp) => 1_100.0,
        ("L5000-a-graphql", Figure::ServerCpuUsPerOp) => 4_645.0,
        ("L2-a-grpcweb", Figure::ServerCpuUsPerOp) => 25.0,
        ("L50-a-rest", Figure::ClientCpuUsPerOp) => 90.0,
        ("L50-a-grpc", Figure::ClientCpuUsPerOp) => 240.0,
        ("L5000-a-rest", Figure::SentBodyBytesPerOp) => 190_029.0,
        ("L5000-a-graphql", Figure::SentBodyBytesPerOp) => 190_202.0,
        ("L2-a-graphql-hash" | "L2-a-graphql-id", Figure::SentBytesPerOp) => 386.0,
        ("b-grpc-resources", Figure::ServerCpuUsPerOp) => 160.0,
        ("b-rest-fields", Figure::ReceivedBytesPerOp) => 870.0,
        ("b-rest-etag", Figure::ReceivedBytesPerOp) => 512.0,
        ("b-graphql-hash" | "b-graphql-id", Figure::SentBytesPerOp) => 281.0,
        ("b-graphql-max-age" | "b-rest-max-age", Figure::RequestsPerOp) => 0.2,
        ("b-rest-max-age", Figure::ServerCpuUsPerOp) => 5.0,
        ("q-list", Figure::ServerCpuUsPerOp) => 20_000.0,
        ("q-list", Figure::ReceivedBytesPerOp) => 850_000.0,
        ("q-list", Figure::SentBytesPerOp) => 1_120.0,
        ("d-deadline-rest", Figure::ServerCpuUsPerOp) => 20_001.0,
        ("d-deadline-grpc", Figure::ServerCpuUsPerOp) => 5_000.0,
        ("s-stream-grpc" | "s-stream-grpcweb", Figure::ServerCpuUsPerOp) => 300.0,
        ("s-stream-grpc", Figure::OpsPerS) => 3_001.0,
        ("s-stream-grpc", Figure::ReceivedBytesPerOp) => 22_000.0,
        ("s-stream-sse", Figure::ServerCpuUsPerOp) => 600.0,
        ("s-stream-sse", Figure::OpsPerS) => 2_000.0,
        ("s-stream-sse", Figure::ReceivedBytesPerOp) => 84_000.0,
        ("s-stream-graphql-ws" | "s-stream-graphql-sse", Figure::ServerCpuUsPerOp) => 3_000.0,
        ("s-stream-graphql-ws", Figure::ReceivedBytesPerOp) => 135_000.0,
        ("s-stream-graphql-ws", Figure::FirstEventP50Ms) => 2.0,
        (_, figure) => PUBLISHED.figure(row, figure).unwrap_or(1.0),
    }
}

/// A figure of a row with calls or a link: each call costs as much as a whole screen, and a link adds
/// its round trips and 2 %.
fn over_calls(row: &Row, figure: Figure) -> f64 {
    let each = if row.style == Style::GrpcWeb {
        28.0
    } else {
        27.0
    };
    match figure {
        Figure::ServerCpuUsPerOp => each * f64::from(row.requests_per_op),
        Figure::P50Ms => row.least_operation().as_secs_f64() * 1_020.0 + 0.2,
        Figure::RequestsPerOp => row.requests_per_op.into(),
        _ => 100.0,
    }
}

/// A run at the row's levels, up or down by at most 1 % from round to round.
fn run(row: &str, nth: u32, round: u32) -> Run {
    let noise = 1.0 + (f64::from((nth * 5 + round * 3) % 7) - 3.0) / 300.0;
    let mut run = fixture::run(row, round, level(row, Figure::ServerCpuUsPerOp) * noise);
    let operations = fixture::OPERATIONS;
    let total = |figure: Figure| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "bytes and requests of many operations"
        )]
        let all = (level(row, figure) * operations as f64).round() as u64;
        all
    };
    let client = level(row, Figure::ClientCpuUsPerOp) * noise;
    run.usage.client.cpu_us = Some(client * operations as f64);
    let load = &mut run.load;
    load.elapsed_s = operations as f64 / (level(row, Figure::OpsPerS) * noise);
    load.latency.p50_ms = level(row, Figure::P50Ms) * noise;
    load.latency.p95_ms = level(row, Figure::P95Ms) * noise;
    load.first_event_p50_ms = row
        .starts_with("s-stream")
        .then(|| level(row, Figure::FirstEventP50Ms) * noise);
    load.requests = total(Figure::RequestsPerOp);
    load.sent_bytes = total(Figure::SentBytesPerOp);
    load.received_bytes = total(Figure::ReceivedBytesPerOp);
    load.sent_body_bytes = Some(total(Figure::SentBodyBytesPerOp));
    load.received_body_bytes = Some(total(Figure::ReceivedBodyBytesPerOp));
    run
}

fn session(ids: &[&str], rounds: u32) -> Session {
    let mut session = fixture::without_runs();
    "script".clone_into(&mut session.settings.driver);
    session.settings.rounds = rounds;
    session.rows = ids.iter().map(|id| fixture::row(id)).collect();
    for round in 1..=rounds {
        let runs = (0..).zip(ids).map(|(nth, id)| run(id, nth, round));
        session.runs.extend(runs);
    }
    session
}

/// Every claim of the article, with sessions of so many rounds in which `plant` has changed each run.
pub fn record(rounds: u32, plant: impl Fn(&mut Run)) -> ClaimsRecord {
    let claims = Claims::built_in();
    let of_orders = [&OF_ORDERS[..], &OF_CONDITIONS].concat();
    let rows = [
        &of_orders[..],
        &AT_A_RATE,
        &OF_SCREENS,
        &OF_LINKS,
        &OF_CACHES,
        &OF_PLACES,
        &OF_COSTS,
        &OF_DEADLINES,
        &OF_STREAMS,
    ];
    let mut sessions = rows.map(|rows| session(rows, rounds)).to_vec();
    for session in &mut sessions {
        session.runs.iter_mut().for_each(&plant);
        session.analysis = analyse(session);
    }
    let mut record = ClaimsRecord {
        sessions,
        ..without_sessions(&claims)
    };
    record.findings = judge::findings(&claims, &record, "script");
    record
}

/// A record of every claim of the article in which nothing was measured and every check passed.
pub fn without_sessions(claims: &Claims) -> ClaimsRecord {
    ClaimsRecord {
        schema: CLAIMS_SCHEMA.to_owned(),
        tool_version: "0.1.0".to_owned(),
        tool_revision: None,
        command: "bookstore-bench claims --source article --full --seed 1".to_owned(),
        started_at: jiff::Timestamp::UNIX_EPOCH,
        updated_at: jiff::Timestamp::UNIX_EPOCH,
        state: SessionState::Complete,
        stack: stack::STACK.to_owned(),
        machine: fixture::machine(),
        pace: "full".to_owned(),
        seed: 1,
        asked: claims.sources[0]
            .claims
            .iter()
            .map(|claim| claim.id.clone())
            .collect(),
        sessions: Vec::new(),
        left_out: Vec::new(),
        checks: CheckName::ALL
            .iter()
            .map(|check| CheckOutcome {
                check: check.name().to_owned(),
                passed: true,
                seen: "seen as claimed".to_owned(),
            })
            .collect(),
        findings: Vec::new(),
    }
}
