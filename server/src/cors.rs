//! CORS headers on every answer, whoever asks, as the middleware `cors` of Express adds them.

use axum::Router;
use http::{HeaderName, Method};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// `router` for pages of any origin: with `Access-Control-Allow-Origin: *` on all that it answers, and
/// with an answer to preflights.
pub fn open_to_every_origin(router: Router) -> Router {
    let nothing_varies: [HeaderName; 0] = [];
    let layer = CorsLayer::new()
        .allow_origin(AllowOrigin::any())
        .allow_methods([
            Method::GET,
            Method::HEAD,
            Method::PUT,
            Method::PATCH,
            Method::POST,
            Method::DELETE,
        ])
        .allow_headers(AllowHeaders::mirror_request())
        .vary(nothing_varies);
    router.layer(layer)
}
