//! The book-detail screen in every style.

use bookstore_proto::v1;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    Answer,
    peer::{Peer, Transport, VerifyError, unreadable},
};

/// The GraphQL document that the load sends too.
const DOCUMENT: &str = include_str!("../../../k6/lib/documents/book-detail.graphql");

/// What follows the addresses of book, stock, reviews and author.
type Queries = [&'static str; 4];
const WHOLE: Queries = ["", "", "?limit=2", ""];
const SHOWN: Queries = [
    "?fields=id,title,price,authorId",
    "?fields=available",
    "?limit=2&fields=reviewer,rating,text",
    "?fields=name",
];

/// The screen, or the fact that there is no such book.
#[derive(Debug, PartialEq)]
pub(super) enum Screen {
    Unknown,
    Shown {
        id: i64,
        title: String,
        price_cents: i64,
        author: String,
        stock: i64,
        reviews: Vec<(String, i64, String)>,
    },
}

/// Asks for the screen of `book` in every style.
pub(super) async fn ask(peer: Peer, book: i32) -> Result<Vec<Answer<Screen>>, VerifyError> {
    let mut answers = vec![
        Answer {
            style: "REST",
            content: resources(peer, book, &WHOLE).await?,
        },
        Answer {
            style: "REST with sparse fieldsets",
            content: resources(peer, book, &SHOWN).await?,
        },
        Answer {
            style: "REST BFF",
            content: bff(peer, book).await?,
        },
        Answer {
            style: "GraphQL",
            content: graphql(peer, book).await?,
        },
    ];
    answers.push(Answer {
        style: "gRPC by resource",
        content: grpc_resources(peer, book).await?,
    });
    for transport in Transport::ALL {
        answers.push(Answer {
            style: transport.name(),
            content: rpc(peer, transport, book).await?,
        });
    }
    Ok(answers)
}

async fn resources(peer: Peer, book: i32, queries: &Queries) -> Result<Screen, VerifyError> {
    let [of_book, of_stock, of_reviews, of_author] = queries;
    let path = format!("/api/books/{book}");
    let (status, found) = peer
        .json(Method::GET, &format!("{path}{of_book}"), None)
        .await?;
    if status == StatusCode::NOT_FOUND {
        return Ok(Screen::Unknown);
    }
    let author = format!("/api/authors/{}{of_author}", found["authorId"]);
    let (_, author) = peer.json(Method::GET, &author, None).await?;
    let (_, stock) = peer
        .json(Method::GET, &format!("{path}/stock{of_stock}"), None)
        .await?;
    let (_, reviews) = peer
        .json(Method::GET, &format!("{path}/reviews{of_reviews}"), None)
        .await?;
    let screen = json!({
        "id": found["id"], "title": found["title"], "price": found["price"], "author": author,
        "stock": stock["available"], "reviews": reviews,
    });
    shown(&format!("GET {path}"), &screen)
}

async fn bff(peer: Peer, book: i32) -> Result<Screen, VerifyError> {
    let path = format!("/api/screens/book-detail/{book}");
    let (status, screen) = peer.json(Method::GET, &path, None).await?;
    if status == StatusCode::NOT_FOUND {
        return Ok(Screen::Unknown);
    }
    shown(&format!("GET {path}"), &screen)
}

async fn graphql(peer: Peer, book: i32) -> Result<Screen, VerifyError> {
    let request = json!({ "query": DOCUMENT, "variables": { "id": book.to_string() } });
    let (_, answer) = peer.json(Method::POST, "/graphql", Some(request)).await?;
    if answer["errors"][0]["extensions"]["code"] == "UNKNOWN_BOOK" {
        return Ok(Screen::Unknown);
    }
    shown("GraphQL book", &answer["data"]["book"])
}

async fn grpc_resources(peer: Peer, book_id: i32) -> Result<Screen, VerifyError> {
    let asked = v1::GetBookRequest { book_id };
    let Some(book) = resource::<v1::Book>(peer, "GetBook", &asked).await? else {
        return Ok(Screen::Unknown);
    };
    let asked = v1::BatchGetRequest {
        authors: vec![v1::GetAuthorRequest {
            author_id: book.author_id,
        }],
        ..v1::BatchGetRequest::default()
    };
    let batch = resource::<v1::BatchGetResponse>(peer, "BatchGet", &asked).await?;
    let asked = v1::GetStockRequest { book_id };
    let stock = resource::<v1::Stock>(peer, "GetStock", &asked).await?;
    let asked = v1::GetReviewsRequest {
        book_id,
        limit: Some(2),
    };
    let reviews = resource::<v1::Reviews>(peer, "GetReviews", &asked).await?;
    let author = batch.and_then(|found| found.authors.into_iter().next());
    Ok(Screen::Shown {
        id: book.id.into(),
        title: book.title,
        price_cents: book.price_cents.into(),
        author: author.unwrap_or_default().name,
        stock: stock.unwrap_or_default().available.into(),
        reviews: reviews
            .unwrap_or_default()
            .reviews
            .into_iter()
            .map(|review| (review.reviewer, review.rating.into(), review.text))
            .collect(),
    })
}

/// A message of the service of single resources; `None` for a status other than 0.
async fn resource<M: prost::Message + Default>(
    peer: Peer,
    method: &str,
    asked: &impl prost::Message,
) -> Result<Option<M>, VerifyError> {
    let method = format!("ResourceService/{method}");
    let called = peer.call::<M>(Transport::Grpc, &method, asked).await?;
    Ok(called.message)
}

async fn rpc(peer: Peer, transport: Transport, book: i32) -> Result<Screen, VerifyError> {
    const NOT_FOUND: i32 = 5;
    let request = v1::GetBookDetailRequest {
        book_id: book,
        review_count: 2,
    };
    let method = "CatalogService/GetBookDetail";
    let called = peer
        .call::<v1::BookDetail>(transport, method, &request)
        .await?;
    match called.message {
        Some(detail) => Ok(Screen::Shown {
            id: detail.id.into(),
            title: detail.title,
            price_cents: detail.price_cents.into(),
            author: detail.author_name,
            stock: detail.stock.into(),
            reviews: detail
                .reviews
                .into_iter()
                .map(|review| (review.reviewer, review.rating.into(), review.text))
                .collect(),
        }),
        None if called.status == NOT_FOUND => Ok(Screen::Unknown),
        None => Err(unreadable(method, &format!("status {}", called.status))),
    }
}

/// Reads the JSON shape that REST and GraphQL share; GraphQL's id is text.
fn shown(what: &str, screen: &Value) -> Result<Screen, VerifyError> {
    let read = || {
        let review = |review: &Value| {
            Some((
                text(&review["reviewer"])?,
                review["rating"].as_i64()?,
                text(&review["text"])?,
            ))
        };
        Some(Screen::Shown {
            id: screen["id"]
                .as_i64()
                .or_else(|| screen["id"].as_str()?.parse().ok())?,
            title: text(&screen["title"])?,
            price_cents: cents(&screen["price"])?,
            author: text(&screen["author"]["name"])?,
            stock: screen["stock"].as_i64()?,
            reviews: screen["reviews"]
                .as_array()?
                .iter()
                .map(review)
                .collect::<Option<_>>()?,
        })
    };
    read().ok_or_else(|| unreadable(what, &screen.to_string()))
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "prices are far below 2^53 hundredths"
)]
fn cents(price: &Value) -> Option<i64> {
    price.as_f64().map(|price| (price * 100.0).round() as i64)
}
