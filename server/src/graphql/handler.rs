//! The HTTP side: routes, methods, bodies.

use std::sync::Arc;

use async_graphql::Executor;
use axum::{
    Router,
    extract::{Request, State},
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use bytes::Bytes;
use http::{HeaderValue, Method, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::{
    domain::{EventFeed, SharedBookstore},
    expenses::Expenses,
    freshness::Freshness,
};

use super::{
    GraphqlConfig, Upstream,
    composed::Services,
    engine::{self, Engine},
    envelope::Envelope,
    event_stream, explorer, guard, negotiation,
    negotiation::MediaType,
    refusal::Refusal,
    reply, schema, web_socket,
};

struct Endpoint<S> {
    engine: Arc<Engine<S>>,
    max_body_bytes: usize,
    freshness: Option<Freshness>,
}

/// `/graphql` (POST, GET) and `/schema.graphql` over `store`. The router has no fallback, so it can
/// be merged into another one.
///
/// # Panics
/// Never in practice: only if async-graphql could not read the schema text that it wrote itself,
/// which the tests would show.
pub fn router(store: SharedBookstore, config: &GraphqlConfig) -> Router {
    let build = move |mode| schema::build(Arc::clone(&store), config, mode);
    let engine = Engine::new(build, config).expect("async-graphql reads the SDL that it writes");
    routes(engine, config)
}

/// As [`router`], with users and expenses in the schema.
///
/// # Panics
/// As [`router`].
pub fn router_with_expenses(
    store: SharedBookstore,
    expenses: Expenses,
    config: &GraphqlConfig,
) -> Router {
    let household = expenses.clone();
    let build =
        move |mode| schema::build_with_expenses(Arc::clone(&store), &household, config, mode);
    let engine = Engine::new(build, config).expect("async-graphql reads the SDL that it writes");
    let router = routes(engine, config);
    if expenses.config.tokens.covers_others() {
        let guard = middleware::from_fn_with_state(expenses.tokens, guard::token_holders);
        router.route_layer(guard)
    } else {
        router
    }
}

/// As [`router`], over gRPC services instead of a store. Subscriptions are to events of this server.
///
/// # Panics
/// As [`router`].
pub fn router_over_grpc(upstream: Upstream, events: &EventFeed, config: &GraphqlConfig) -> Router {
    let services = Services::at(upstream);
    let build = move |mode| schema::build_over_grpc(&services, events, config, mode);
    let engine = Engine::new(build, config).expect("async-graphql reads the SDL that it writes");
    routes(engine, config)
}

fn routes<S: Executor>(engine: Engine<S>, config: &GraphqlConfig) -> Router {
    let endpoint = Endpoint {
        engine: Arc::new(engine),
        max_body_bytes: config.max_body_bytes,
        freshness: config.freshness,
    };
    let answer = get(by_get::<S>).post(by_post::<S>).fallback(by_other);
    Router::new()
        .route("/graphql", answer)
        .route("/schema.graphql", get(sdl::<S>))
        .with_state(Arc::new(endpoint))
}

async fn by_post<S: Executor>(
    State(endpoint): State<Arc<Endpoint<S>>>,
    request: Request,
) -> Response {
    if negotiation::wants_events(request.headers()) {
        return by_events(&endpoint, request).await;
    }
    let media_type = match negotiation::answer_type(request.headers()) {
        Ok(media_type) => media_type,
        Err(refusal) => return reply::refusal(&refusal, MediaType::Json),
    };
    if let Err(refusal) = negotiation::check_content_type(request.headers()) {
        return reply::refusal(&refusal, media_type);
    }
    let body = match read_body(request, endpoint.max_body_bytes).await {
        Ok(body) => body,
        Err(refusal) => return reply::refusal(&refusal, media_type),
    };
    match Envelope::from_body(&body) {
        Ok(envelope) => {
            let answer = endpoint.engine.answer(envelope, engine::Method::Post).await;
            reply::answer(&answer, media_type)
        }
        Err(refusal) => reply::refusal(&refusal, media_type),
    }
}

/// The answers to a POST as server-sent events.
async fn by_events<S: Executor>(endpoint: &Endpoint<S>, request: Request) -> Response {
    let refused = |refusal: &Refusal| reply::refusal(refusal, MediaType::GraphqlResponse);
    if let Err(refusal) = negotiation::check_content_type(request.headers()) {
        return refused(&refusal);
    }
    let body = match read_body(request, endpoint.max_body_bytes).await {
        Ok(body) => body,
        Err(refusal) => return refused(&refusal),
    };
    match Envelope::from_body(&body) {
        Ok(envelope) => event_stream::answers(endpoint.engine.subscribe(envelope).await),
        Err(refusal) => refused(&refusal),
    }
}

async fn by_get<S: Executor>(
    State(endpoint): State<Arc<Endpoint<S>>>,
    request: Request,
) -> Response {
    if web_socket::is_asked_for(request.headers()) {
        let engine = Arc::clone(&endpoint.engine);
        return web_socket::open(request, engine, endpoint.max_body_bytes).await;
    }
    if negotiation::wants_page(request.headers()) {
        return explorer::page();
    }
    let media_type = match negotiation::answer_type(request.headers()) {
        Ok(media_type) => media_type,
        Err(refusal) => return reply::refusal(&refusal, MediaType::Json),
    };
    match Envelope::from_query_string(request.uri()) {
        Ok(envelope) => {
            let answer = endpoint.engine.answer(envelope, engine::Method::Get).await;
            let mut response = reply::answer(&answer, media_type);
            match endpoint.freshness {
                Some(freshness) if reply::is_cacheable(&answer) => {
                    let vary = HeaderValue::from_static("accept");
                    response.headers_mut().insert(header::VARY, vary);
                    freshness.apply(request.headers(), response).await
                }
                _ => response,
            }
        }
        Err(refusal) => reply::refusal(&refusal, media_type),
    }
}

async fn by_other(method: Method, request: Request) -> Response {
    let media_type = negotiation::answer_type(request.headers()).unwrap_or(MediaType::Json);
    let refusal = Refusal::Method {
        method: method.to_string(),
    };
    reply::refusal(&refusal, media_type)
}

async fn sdl<S: Executor>(State(endpoint): State<Arc<Endpoint<S>>>) -> Response {
    let content_type = (header::CONTENT_TYPE, "application/graphql; charset=utf-8");
    ([content_type], endpoint.engine.sdl()).into_response()
}

async fn read_body(request: Request, limit: usize) -> Result<Bytes, Refusal> {
    match Limited::new(request.into_body(), limit).collect().await {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(Refusal::BodyTooLarge { limit }),
        Err(error) => Err(Refusal::BodyUnreadable {
            reason: error.to_string(),
        }),
    }
}
