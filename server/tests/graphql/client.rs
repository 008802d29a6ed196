//! Sends requests to a router in this process.

use std::sync::Arc;

use axum::{Router, body::Body};
use bookstore_server::{
    domain::{InMemoryBookstore, Limits, StockLevel},
    graphql::{GraphqlConfig, router},
};
use http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

pub const RESERVE_STOCK: &str = include_str!("../../../k6/lib/documents/reserve-stock.graphql");
pub const BOOK_DETAIL: &str = include_str!("../../../k6/lib/documents/book-detail.graphql");

/// A server of its own.
pub struct Client {
    router: Router,
}

/// What the server answered.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Client {
    pub fn new(config: &GraphqlConfig, level: StockLevel) -> Self {
        let store = InMemoryBookstore::new(level, Limits { max_lines: 60 });
        Self {
            router: router(Arc::new(store), config),
        }
    }

    pub fn cached() -> Self {
        Self::new(&GraphqlConfig::default(), StockLevel::Unlimited)
    }

    /// One server with the document cache and one without.
    pub fn both(level: StockLevel) -> [Self; 2] {
        [true, false].map(|document_cache| {
            let config = GraphqlConfig {
                document_cache,
                ..GraphqlConfig::default()
            };
            Self::new(&config, level)
        })
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        Reply {
            status: parts.status,
            headers: parts.headers,
            body: body.collect().await.unwrap().to_bytes().to_vec(),
        }
    }

    pub async fn post_text(&self, accept: &str, body: impl Into<Body>) -> Reply {
        let request = Request::post("/graphql")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, accept)
            .body(body.into())
            .unwrap();
        self.send(request).await
    }

    /// Posts a request and accepts `application/json`.
    pub async fn post(&self, body: &Value) -> Reply {
        self.post_text("application/json", body.to_string()).await
    }

    pub async fn get(&self, path_and_query: &str, accept: &str) -> Reply {
        let request = Request::get(path_and_query)
            .header(header::ACCEPT, accept)
            .body(Body::empty())
            .unwrap();
        self.send(request).await
    }
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The first error's code.
    pub fn code(&self) -> String {
        self.json()["errors"][0]["extensions"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The first error's message.
    pub fn message(&self) -> String {
        self.json()["errors"][0]["message"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    pub fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).unwrap().to_str().unwrap()
    }
}

/// An order of this many lines, each one copy of another book.
pub fn order(lines: usize) -> Value {
    let lines: Vec<Value> = (1..=lines)
        .map(|book| json!({ "isbn": format!("97800000{book:05}"), "quantity": 1 }))
        .collect();
    json!({ "orderId": "ord-1", "lines": lines })
}

pub fn reserve(input: &Value) -> Value {
    json!({ "query": RESERVE_STOCK, "variables": { "input": input } })
}

pub fn book_detail(id: &Value) -> Value {
    json!({ "query": BOOK_DETAIL, "variables": { "id": id } })
}
