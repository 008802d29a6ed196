//! Fields that the four REST answers hold and the screen does not show.

use http::Method;
use serde_json::Value;

use super::Seen;
use crate::verify::{Peer, VerifyError};

/// The fields that the article names.
const UNUSED: [&str; 3] = ["isbn", "bio", "createdAt"];

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let (_, book) = peer.json(Method::GET, "/api/books/1", None).await?;
    let author = format!("/api/authors/{}", book["authorId"]);
    let mut answers = vec![book];
    for path in [
        "/api/books/1/stock",
        "/api/books/1/reviews?limit=2",
        &author,
    ] {
        answers.push(peer.json(Method::GET, path, None).await?.1);
    }
    let all: usize = answers.iter().map(|answer| answer.to_string().len()).sum();
    let unused: usize = answers.iter().map(unused).sum();
    Ok(Seen {
        passed: unused > 0,
        seen: format!(
            "{unused} of {all} body bytes ({:.0} %) are {}",
            100.0 * unused as f64 / all.max(1) as f64,
            UNUSED.join(", "),
        ),
    })
}

/// Bytes of the unused members, each with its key and one comma.
fn unused(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(unused).sum(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| {
                if UNUSED.contains(&key.as_str()) {
                    format!("\"{key}\":{value},").len()
                } else {
                    unused(value)
                }
            })
            .sum(),
        _ => 0,
    }
}
