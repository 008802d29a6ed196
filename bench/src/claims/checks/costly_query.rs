//! Queries that are small and cost much, one of each shape: refused with the limits on, answered with
//! them off.

use std::time::Instant;

use http::Method;
use serde_json::json;

use super::{Seen, metrics};
use crate::{
    costly::Shape,
    verify::{Peer, Reply, VerifyError},
};

/// The screen's query, with its book written out.
const ORDINARY: &str = "{ book(id: \"1\") { id title price author { name } stock \
                        reviews(last: 2) { reviewer rating text } } }";
/// How often the ordinary query is asked, because the CPU of one is too short to be told.
const ORDINARY_QUERIES: u32 = 100;
/// How much more the dearest costs at least, in CPU and in bytes.
const MANY_TIMES: f64 = 100.0;

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let mut told = Vec::new();
    let mut all_refused = true;
    let mut slowest_ms: f64 = 0.0;
    for shape in Shape::ALL {
        let begun = Instant::now();
        let reply = post(peer, &shape.document()).await?;
        slowest_ms = slowest_ms.max(begun.elapsed().as_secs_f64() * 1e3);
        let refusal = refusal(&reply);
        all_refused &= refusal.is_some();
        let refusal = refusal.as_deref().unwrap_or("it is answered");
        told.push(format!("{} ({refusal})", shape.name()));
    }
    let ordinary = refusal(&post(peer, ORDINARY).await?);
    Ok(Seen {
        passed: all_refused && ordinary.is_none(),
        seen: format!(
            "with the limits on: {}; the slowest of these answers took {slowest_ms:.1} ms; the screen's \
             query {}",
            told.join(", "),
            if ordinary.is_none() {
                "is answered"
            } else {
                "is refused as well"
            },
        ),
    })
}

pub(super) async fn ask_without_limits(peer: Peer) -> Result<Seen, VerifyError> {
    let before = cpu_s(peer).await?;
    for _ in 0..ORDINARY_QUERIES {
        post(peer, ORDINARY).await?;
    }
    let ordinary_s = (cpu_s(peer).await? - before) / f64::from(ORDINARY_QUERIES);
    let mut told = Vec::new();
    let mut all_answered = true;
    let (mut most_times, mut most_bytes) = (0.0_f64, 0.0_f64);
    for shape in Shape::ALL {
        let document = shape.document();
        let before = cpu_s(peer).await?;
        let reply = post(peer, &document).await?;
        let spent_s = cpu_s(peer).await? - before;
        all_answered &= refusal(&reply).is_none();
        let bytes = reply.body.len() as f64 / document.len() as f64;
        most_times = most_times.max(spent_s / ordinary_s);
        most_bytes = most_bytes.max(bytes);
        told.push(format!(
            "{}: {} B asked, {bytes:.1} B answered for each, {:.2} ms of CPU",
            shape.name(),
            document.len(),
            spent_s * 1e3,
        ));
    }
    Ok(Seen {
        passed: all_answered && most_times > MANY_TIMES && most_bytes > MANY_TIMES,
        seen: format!(
            "with the limits off: {}; the dearest takes the CPU of {most_times:.0} of the screen's query",
            told.join("; "),
        ),
    })
}

async fn cpu_s(peer: Peer) -> Result<f64, VerifyError> {
    metrics::read(peer, "/metrics", "process_cpu_seconds_total").await
}

async fn post(peer: Peer, document: &str) -> Result<Reply, VerifyError> {
    let body = json!({ "query": document }).to_string();
    let headers = [("content-type", "application/json")];
    peer.exchange(Method::POST, "/graphql", &headers, body)
        .await
}

/// The first error of an answer without data; `None` when the query was answered.
fn refusal(reply: &Reply) -> Option<String> {
    if reply.body.starts_with(b"{\"data\":{") {
        return None;
    }
    let answer: serde_json::Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    let message = answer["errors"][0]["message"].as_str();
    Some(message.unwrap_or("without a reason").to_owned())
}
