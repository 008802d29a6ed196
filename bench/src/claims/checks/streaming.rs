//! Events as a stream, in every style, and what GraphQL has beside subscriptions.

use http::Method;
use serde_json::{Value, json};

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
    let of_defer = of_defer(peer).await?;
    Ok(Seen {
        passed: first.count == EVENTS && different.is_empty(),
        seen: format!(
            "{} events by gRPC's server stream; {}. {of_defer}. Client streams and streams in both directions, which \
             gRPC has too, are not measured",
            first.count,
            if different.is_empty() {
                "gRPC-Web, REST's server-sent events and GraphQL's subscription, over a WebSocket and by \
                 server-sent events, say the same"
                    .to_owned()
            } else {
                format!("others come by {}", different.join(" and by "))
            },
        ),
    })
}

/// What the server says of `@defer`: which directives its schema has, and what becomes of a query that
/// uses this one.
///
/// # Errors
/// The schema's directives cannot be read; every schema has `@skip`.
async fn of_defer(peer: Peer) -> Result<String, VerifyError> {
    let schema = asked(peer, "{ __schema { directives { name } } }").await?;
    let listed = schema["data"]["__schema"]["directives"].as_array();
    let names: Vec<&str> = listed
        .into_iter()
        .flatten()
        .filter_map(|directive| directive["name"].as_str())
        .collect();
    if !names.contains(&"skip") {
        return Err(VerifyError::Unreadable {
            what: "GraphQL introspection of directives".to_owned(),
            answer: schema.to_string(),
        });
    }
    if names.contains(&"defer") {
        return Ok("The schema has @defer, which nothing here measures".to_owned());
    }
    let query = "{ book(id: \"1\") { title ... @defer { isbn } } }";
    let answer = asked(peer, query).await?;
    let refusal = answer["errors"][0]["message"].as_str();
    Ok(format!(
        "@defer is not on this stack: the schema's directives are {}, and a query with it is {}",
        names.join(", "),
        refusal.map_or_else(
            || "answered as if it were not there".to_owned(),
            |refusal| format!("refused ({refusal})")
        ),
    ))
}

async fn asked(peer: Peer, document: &str) -> Result<Value, VerifyError> {
    let body = json!({ "query": document });
    Ok(peer.json(Method::POST, "/graphql", Some(body)).await?.1)
}
