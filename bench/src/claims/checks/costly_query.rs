//! One request that asks for the same book and all its reviews over and over.

use std::fmt::Write as _;

use http::Method;
use serde_json::json;

use super::Seen;
use crate::verify::{Peer, VerifyError};

/// More than the default limit on fields allows, in a document that is short enough to be read.
const COPIES: usize = 900;

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let mut document = String::from("{");
    for copy in 0..COPIES {
        // Writing to a String cannot fail.
        let _ = write!(
            document,
            " b{copy}: book(id: \"1\") {{ reviews {{ text }} }}"
        );
    }
    document += " }";
    let bytes = document.len();
    let costly = ask_for(peer, &document).await?;
    let ordinary = ask_for(peer, "{ book(id: \"1\") { title } }").await?;
    let answer = match &costly {
        Some(refusal) => format!("is refused: {refusal}"),
        None => "is answered".to_owned(),
    };
    Ok(Seen {
        passed: costly.is_some() && ordinary.is_none(),
        seen: format!(
            "with the limits on, a query of {bytes} bytes for {COPIES} times a book and its reviews {answer}",
        ),
    })
}

/// The first error of an answer without data; `None` when the query was answered.
async fn ask_for(peer: Peer, document: &str) -> Result<Option<String>, VerifyError> {
    let body = json!({ "query": document });
    let (_, answer) = peer.json(Method::POST, "/graphql", Some(body)).await?;
    let message = answer["errors"][0]["message"].as_str();
    Ok(message
        .filter(|_| answer["data"].is_null())
        .map(str::to_owned))
}
