//! A screen that nobody foresaw: ISBN and the author's words about themself.

use bookstore_proto::v1;
use http::Method;
use prost::Message as _;
use serde_json::json;

use super::Seen;
use crate::verify::{Peer, Transport, VerifyError};

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let (_, book) = peer.json(Method::GET, "/api/books/1", None).await?;
    let path = format!("/api/authors/{}", book["authorId"]);
    let (_, author) = peer.json(Method::GET, &path, None).await?;

    let document = "{ book(id: \"1\") { title isbn author { bio } } }";
    let body = json!({ "query": document });
    let (_, answer) = peer.json(Method::POST, "/graphql", Some(body)).await?;
    let expected = json!({
        "title": book["title"], "isbn": book["isbn"], "author": { "bio": author["bio"] },
    });
    let by_query = answer["data"]["book"] == expected;

    let isbn = book["isbn"].as_str().unwrap_or_default();
    let (_, screen) = peer
        .json(Method::GET, "/api/screens/book-detail/1", None)
        .await?;
    let request = v1::GetBookDetailRequest {
        book_id: 1,
        review_count: 2,
    };
    let called = peer
        .call::<v1::BookDetail>(Transport::Web, "CatalogService/GetBookDetail", &request)
        .await?;
    let message = called.message.unwrap_or_default().encode_to_vec();
    let lacks = !isbn.is_empty()
        && !screen.to_string().contains(isbn)
        && !message
            .windows(isbn.len())
            .any(|part| part == isbn.as_bytes());
    Ok(Seen {
        passed: by_query && lacks,
        seen: format!(
            "GraphQL {} another selection (ISBN, the author's bio) without a change of the server; the \
             answers of REST BFF and gRPC-Web {} it",
            if by_query {
                "answers"
            } else {
                "does not answer"
            },
            if lacks { "lack" } else { "hold" },
        ),
    })
}
