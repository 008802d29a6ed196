//! A page to try queries in the browser, our own and part of this executable: it loads nothing
//! from the network but answers of this server.

use axum::response::{Html, IntoResponse, Response};
use http::{HeaderName, header};

const PAGE: &str = include_str!("explorer.html");
/// Only the page's own inline style and script run, and only this server is asked.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'";

/// The page.
pub fn page() -> Response {
    let headers: [(HeaderName, &str); 2] = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::VARY, "accept"),
    ];
    (headers, Html(PAGE)).into_response()
}
