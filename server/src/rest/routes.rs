//! Which path and method goes to which handler.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    middleware,
    routing::{get, post},
};
use http::header::CONTENT_TYPE;

use super::{
    RestError, card, catalog, delay, events, greeting, meteorites, openapi, reservations, screens,
};
use crate::{
    domain::SharedBookstore,
    freshness::{self, Freshness},
};

/// What the REST adapter accepts.
#[derive(Clone, Debug)]
pub struct RestConfig {
    /// Largest request body in bytes.
    pub max_body_bytes: usize,
    /// How long answers to GET stay fresh; no headers of caching when `None`.
    pub freshness: Option<Freshness>,
    /// Whether `/api/screens/book-card/{id}` is served.
    pub second_screen: bool,
}

impl Default for RestConfig {
    fn default() -> Self {
        Self {
            max_body_bytes: 1 << 20,
            freshness: None,
            second_screen: false,
        }
    }
}

/// What every handler needs.
#[derive(Clone)]
pub(super) struct RestState {
    pub(super) store: SharedBookstore,
    pub(super) max_body_bytes: usize,
}

/// The routes of the adapter. Unknown paths are left to the router that this one is merged into.
pub fn router(store: SharedBookstore, config: &RestConfig) -> Router {
    let document: Arc<str> = openapi::document().into();
    let serve_document = async move || ([(CONTENT_TYPE, "application/json")], document.to_string());
    let mut router = Router::new()
        .route("/api/books/{id}", get(catalog::book))
        .route("/api/books/{id}/stock", get(catalog::stock))
        .route("/api/books/{id}/reviews", get(catalog::reviews))
        .route("/api/authors/{id}", get(catalog::author))
        .route("/api/screens/book-detail/{id}", get(screens::book_detail));
    if config.second_screen {
        router = router.route("/api/screens/book-card/{id}", get(card::book_card));
    }
    if let Some(delay) = store.backend_delay() {
        router = router.route_layer(middleware::from_fn_with_state(delay, delay::of_reads));
    }
    router = router
        .route("/api/reservations", post(reservations::reserve))
        .route("/openapi.json", get(serve_document));
    if let Some(freshness) = config.freshness {
        let layer = middleware::from_fn_with_state(freshness, freshness::of_reads);
        router = router.route_layer(layer);
    }
    // After the layer, which reads an answer to its end before it sends it.
    router
        .route("/api/events", get(events::watch))
        .route("/restapi/message/{name}", get(greeting::message))
        .route("/api/MeteoriteLandings", get(meteorites::version))
        .route(
            "/api/MeteoriteLandings/LargePayload",
            get(meteorites::all).post(meteorites::take),
        )
        .route(
            "/api/MeteoriteLandings/LargePayload/first",
            get(meteorites::first),
        )
        .route(
            "/api/MeteoriteLandings/LargePayload/lines",
            get(meteorites::lines),
        )
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(RestState {
            store,
            max_body_bytes: config.max_body_bytes,
        })
}

/// Refuses a method that a path does not answer; axum adds the `Allow` header.
pub async fn method_not_allowed(request: Request) -> RestError {
    RestError::MethodNotAllowed {
        method: request.method().clone(),
        path: request.uri().path().to_owned(),
    }
}
