//! What somebody sees who groups requests by method, path and status, as access logs and proxies do.

use std::collections::BTreeSet;

use http::{Method, StatusCode};
use serde_json::json;

use super::Seen;
use crate::verify::{Peer, VerifyError};

/// A book that does not exist.
const UNKNOWN: &str = "51";

type Bucket = (String, u16);

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let rest = [
        "/api/books/1".to_owned(),
        "/api/books/1/stock".to_owned(),
        format!("/api/books/{UNKNOWN}"),
    ];
    let mut of_rest: BTreeSet<Bucket> = BTreeSet::new();
    for path in rest {
        let (status, _) = peer.json(Method::GET, &path, None).await?;
        of_rest.insert((path, status.as_u16()));
    }
    let queries = [
        ("TitleOfBook", "1", "title"),
        ("StockOfBook", "1", "stock"),
        ("TitleOfUnknown", UNKNOWN, "title"),
    ];
    let mut by_name: BTreeSet<Bucket> = BTreeSet::new();
    let mut of_graphql: BTreeSet<Bucket> = BTreeSet::new();
    let mut failed_with = StatusCode::OK;
    for (name, book, field) in queries {
        let document = format!("query {name} {{ book(id: \"{book}\") {{ {field} }} }}");
        let body = json!({ "query": document, "operationName": name });
        let (status, answer) = peer.json(Method::POST, "/graphql", Some(body)).await?;
        if answer["errors"].is_array() {
            failed_with = status;
        }
        of_graphql.insert(("/graphql".to_owned(), status.as_u16()));
        by_name.insert((name.to_owned(), status.as_u16()));
    }
    Ok(Seen {
        passed: of_graphql.len() == 1 && by_name.len() == 3 && of_rest.len() == 3,
        seen: format!(
            "three different requests, one of them for a book that does not exist, are {} kinds by path \
             and status in REST and {} in GraphQL, where they are {} by the operation's name; the failing \
             query has status {}",
            of_rest.len(),
            of_graphql.len(),
            by_name.len(),
            failed_with.as_u16(),
        ),
    })
}
