//! Events as a stream, in every style, and what GraphQL has beside subscriptions.

use http::Method;
use serde_json::json;

use super::Seen;
use crate::verify::{Peer, Transport, VerifyError, events};

const EVENTS: usize = 1_000;

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let first = events::rpc(peer, Transport::Grpc).await?;
    let others = [
        ("gRPC-Web", events::rpc(peer, Transport::Web).await?),
        ("REST's server-sent events", events::sse(peer).await?),
        (
            "GraphQL's server-sent events",
            events::graphql_sse(peer).await?,
        ),
        ("GraphQL's WebSocket", events::web_socket(peer).await?),
    ];
    let different: Vec<&str> = others
        .iter()
        .filter(|(_, events)| *events != first)
        .map(|(name, _)| *name)
        .collect();
    let defers = has_defer(peer).await?;
    Ok(Seen {
        passed: first.count == EVENTS && different.is_empty(),
        seen: format!(
            "{} events by gRPC's server stream; {}. {}. Client streams and streams in both directions, which \
             gRPC has too, are not measured",
            first.count,
            if different.is_empty() {
                "gRPC-Web, REST's server-sent events and GraphQL's subscription, over a WebSocket and by \
                 server-sent events, say the same"
                    .to_owned()
            } else {
                format!("others come by {}", different.join(" and by "))
            },
            if defers {
                "The schema has @defer, which nothing here measures"
            } else {
                "@defer is not on this stack: its GraphQL library does not have it"
            },
        ),
    })
}

async fn has_defer(peer: Peer) -> Result<bool, VerifyError> {
    let body = json!({ "query": "{ __schema { directives { name } } }" });
    let (_, answer) = peer.json(Method::POST, "/graphql", Some(body)).await?;
    let directives = answer["data"]["__schema"]["directives"].as_array();
    Ok(directives.is_some_and(|all| all.iter().any(|directive| directive["name"] == "defer")))
}
