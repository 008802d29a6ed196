//! What an old client meets when a contract changes. REST's and gRPC's changes are made to answers that the
//! server gave, with the client's own decoders (serde and prost); GraphQL's are asked of the server.
//! Versions in URLs and headers are not tried.

use bookstore_proto::v1;
use http::Method;
use prost::Message as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Seen;
use crate::verify::{Peer, Transport, VerifyError};

/// A book as an old client knows it.
#[derive(Deserialize)]
struct OldBook {
    title: String,
    price: f64,
}

/// A field number that `BookDetail` does not have.
const NEW_FIELD: u32 = 15;

/// A review whose `reviewer` has become `critic`, under its old number.
#[derive(Clone, PartialEq, prost::Message)]
struct RenamedReview {
    #[prost(string, tag = "1")]
    critic: String,
}

/// Answers with one field more.
pub(super) async fn added(peer: Peer) -> Result<Seen, VerifyError> {
    let mut book = book(peer).await?;
    book["publisher"] = json!("New House");
    let json = serde_json::from_value::<OldBook>(book).is_ok_and(|book| book.price > 0.0);

    let detail = detail(peer).await?;
    let mut bytes = detail.encode_to_vec();
    prost::encoding::string::encode(NEW_FIELD, &"New House".to_owned(), &mut bytes);
    let protobuf = v1::BookDetail::decode(&*bytes).is_ok_and(|read| read == detail);

    // The schema has many fields that this old query never heard of.
    let answer = ask(peer, "{ book(id: \"1\") { title } }").await?;
    let graphql = answer["data"]["book"]
        .as_object()
        .is_some_and(|book| book.keys().eq(["title"]));
    Ok(Seen {
        passed: json && protobuf && graphql,
        seen: format!(
            "an old client of REST {} an answer with a new member, one of gRPC {} a message with a new \
             field; one of GraphQL is sent {}",
            reads(json),
            reads(protobuf),
            if graphql {
                "the fields of its query alone"
            } else {
                "other fields than those of its query"
            },
        ),
    })
}

/// Answers with one field less.
pub(super) async fn removed(peer: Peer) -> Result<Seen, VerifyError> {
    let mut book = book(peer).await?;
    if let Some(members) = book.as_object_mut() {
        members.remove("price");
    }
    let json = serde_json::from_value::<OldBook>(book)
        .err()
        .map(|error| error.to_string());

    let mut detail = detail(peer).await?;
    let had_price = detail.price_cents != 0;
    // A field with its default is not sent, as is one that is no longer there.
    detail.price_cents = 0;
    let read = v1::BookDetail::decode(&*detail.encode_to_vec());
    let silent = had_price && read.is_ok_and(|read| read.price_cents == 0 && read == detail);

    let answer = ask(peer, "{ book(id: \"1\") { title publisher } }").await?;
    let refusal = answer["errors"][0]["message"].as_str().unwrap_or_default();
    let refused = answer["data"].is_null() && refusal.contains("publisher");
    let fails = json.as_deref().unwrap_or("no error");
    Ok(Seen {
        passed: fails.contains("price") && silent && refused,
        seen: format!(
            "an old client whose field is gone: of REST, when it needs it, fails to read the answer ({fails}); \
             of gRPC {}; of GraphQL {}",
            if silent {
                "reads 0 and notices nothing"
            } else {
                "notices"
            },
            if refused {
                format!("gets an error and no data at all ({refusal})")
            } else {
                "is answered".to_owned()
            },
        ),
    })
}

/// A field under another name.
pub(super) async fn renamed(peer: Peer) -> Result<Seen, VerifyError> {
    let detail = detail(peer).await?;
    let review = detail.reviews.first().cloned().unwrap_or_default();
    let read = RenamedReview::decode(&*review.encode_to_vec());
    let protobuf =
        !review.reviewer.is_empty() && read.is_ok_and(|read| read.critic == review.reviewer);

    let mut book = book(peer).await?;
    if let Some(members) = book.as_object_mut() {
        let title = members.remove("title").unwrap_or_default();
        members.insert("name".to_owned(), title);
    }
    let json = serde_json::from_value::<OldBook>(book).is_ok_and(|book| !book.title.is_empty());

    let answer = ask(peer, "{ book(id: \"1\") { name } }").await?;
    let graphql = !answer["data"]["book"]["name"].is_null();
    Ok(Seen {
        passed: protobuf && !json && !graphql,
        seen: format!(
            "a field that was renamed is {} for protobuf, which knows it by its number; an old client of REST \
             {} it, and GraphQL {} the query",
            if protobuf { "the same" } else { "another" },
            if json { "finds" } else { "does not find" },
            if graphql { "answers" } else { "refuses" },
        ),
    })
}

async fn book(peer: Peer) -> Result<Value, VerifyError> {
    Ok(peer.json(Method::GET, "/api/books/1", None).await?.1)
}

async fn detail(peer: Peer) -> Result<v1::BookDetail, VerifyError> {
    let request = v1::GetBookDetailRequest {
        book_id: 1,
        review_count: 2,
    };
    let method = "CatalogService/GetBookDetail";
    let called = peer
        .call::<v1::BookDetail>(Transport::Grpc, method, &request)
        .await?;
    Ok(called.message.unwrap_or_default())
}

async fn ask(peer: Peer, document: &str) -> Result<Value, VerifyError> {
    let body = json!({ "query": document });
    Ok(peer.json(Method::POST, "/graphql", Some(body)).await?.1)
}

fn reads(does: bool) -> &'static str {
    if does { "reads" } else { "cannot read" }
}
