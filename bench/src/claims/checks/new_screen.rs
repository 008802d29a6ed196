//! A screen that nobody foresaw: a card with ISBN, the author's words about themself and the date of the
//! newest review.

use bookstore_proto::v1;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::Seen;
use crate::verify::{Peer, Transport, VerifyError};

/// Where REST has the screen when it was made for it.
const CARD: &str = "/api/screens/book-card/1";
/// A method that the contract lacks.
const METHOD: &str = "CatalogService/GetBookCard";
/// gRPC's `UNIMPLEMENTED`.
const UNIMPLEMENTED: i32 = 12;

/// Asks a server that was not made for it.
pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let (_, book) = peer.json(Method::GET, "/api/books/1", None).await?;
    let path = format!("/api/authors/{}", book["authorId"]);
    let (_, author) = peer.json(Method::GET, &path, None).await?;
    let (_, reviews) = peer
        .json(Method::GET, "/api/books/1/reviews?limit=1", None)
        .await?;
    let expected = json!({
        "title": book["title"], "isbn": book["isbn"],
        "author": { "name": author["name"], "bio": author["bio"] },
        "reviews": [{ "rating": reviews[0]["rating"], "createdAt": reviews[0]["createdAt"] }],
    });
    let by_query = by_query(peer).await? == expected;
    let (rest, _) = peer.json(Method::GET, CARD, None).await?;
    let grpc = grpc_status(peer, Transport::Grpc).await?;
    let web = grpc_status(peer, Transport::Web).await?;
    let lacks = rest == StatusCode::NOT_FOUND && [grpc, web] == [UNIMPLEMENTED; 2];
    Ok(Seen {
        passed: by_query && lacks,
        seen: format!(
            "GraphQL {} another selection (ISBN, the author's bio, a review's date) without a change of the \
             server; a REST screen for it has status {}, a method for it status {grpc} in gRPC and {web} in \
             gRPC-Web",
            if by_query {
                "answers"
            } else {
                "does not answer"
            },
            rest.as_u16(),
        ),
    })
}

/// Asks a server whose REST was made for it.
pub(super) async fn ask_with_code(peer: Peer) -> Result<Seen, VerifyError> {
    let by_query = by_query(peer).await?;
    let (status, card) = peer.json(Method::GET, CARD, None).await?;
    let same = status == StatusCode::OK && card == by_query;
    let grpc = grpc_status(peer, Transport::Grpc).await?;
    Ok(Seen {
        passed: same && grpc == UNIMPLEMENTED,
        seen: format!(
            "with code for it, a REST screen {} what GraphQL's query gives; gRPC, whose contract would have \
             to change too, still has status {grpc}",
            if same { "gives" } else { "does not give" },
        ),
    })
}

async fn by_query(peer: Peer) -> Result<Value, VerifyError> {
    let document = "{ book(id: \"1\") { title isbn author { name bio } reviews(last: 1) { rating createdAt } } }";
    let body = json!({ "query": document });
    let (_, mut answer) = peer.json(Method::POST, "/graphql", Some(body)).await?;
    Ok(answer["data"]["book"].take())
}

async fn grpc_status(peer: Peer, transport: Transport) -> Result<i32, VerifyError> {
    let request = v1::GetBookDetailRequest {
        book_id: 1,
        review_count: 1,
    };
    let called = peer
        .call::<v1::BookDetail>(transport, METHOD, &request)
        .await?;
    Ok(called.status)
}
