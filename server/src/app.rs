//! The routes of both ports, apart from the sockets so that tests call them without any.

use std::sync::Arc;

use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
};
use tower_http::trace::{DefaultMakeSpan, DefaultOnResponse, TraceLayer};
use tracing::Level;

use crate::{
    BuildFacts, ServerConfig, about, cors,
    domain::{InMemoryBookstore, SharedBookstore},
    expenses::{Expenses, ExpensesConfig},
    graphql, index, metrics, request_log,
    rest::{self, DescribedExpenses, RestConfig, RestError},
    rpc,
    surcharge::SurchargeLayer,
};

/// What is served on each port.
#[derive(Clone, Debug)]
pub struct App {
    /// The HTTP/1.1 port: REST, GraphQL, gRPC-Web, and what the server says of itself.
    pub http1: Router,
    /// The HTTP/2 cleartext port: gRPC and gRPC-Web, and REST where it was asked for.
    pub h2c: Router,
}

/// Puts one store behind all styles. Users and expenses are not among it: see [`app_with_expenses`].
#[must_use]
pub fn app(config: &ServerConfig, build: BuildFacts) -> App {
    app_with_expenses(config, build, None)
}

/// As [`app`], with users and expenses if there are any; without them nothing of theirs is installed.
#[must_use]
pub fn app_with_expenses(
    config: &ServerConfig,
    build: BuildFacts,
    expenses: Option<Expenses>,
) -> App {
    let store = InMemoryBookstore::new(config.stock, config.limits())
        .with_backend_delay(config.backend_delay.filter(|delay| !delay.is_zero()));
    let store: SharedBookstore = Arc::new(store);
    let rpc = match &expenses {
        None => rpc::router(Arc::clone(&store), &config.rpc()),
        Some(expenses) => {
            let household = rpc::expenses_router(expenses.clone(), &config.rpc());
            let household = Extras::of_others(&expenses.config).around(household);
            rpc::router_with_expenses(Arc::clone(&store), household, &config.rpc())
        }
    };
    // Others are merged into the router of the gRPC services, not the other way round: axum wraps a
    // service once more each time that its router is merged into another, at every request's cost.
    let rest_config = RestConfig {
        described_expenses: described(expenses.as_ref()),
        ..config.rest()
    };
    let rest = rest::router(Arc::clone(&store), &rest_config);
    let sql = expenses
        .as_ref()
        .map(|expenses| expenses.store.meter().clone());
    let mut http1 = rpc
        .clone()
        .merge(index::router())
        .merge(about::router(config, build))
        .merge(metrics::router(store.events(), sql))
        .method_not_allowed_fallback(rest::method_not_allowed)
        .merge(rest.clone());
    http1 = match (config.upstream(), expenses) {
        (Some(upstream), _) => http1.merge(graphql::router_over_grpc(
            upstream,
            &store.events(),
            &config.graphql(),
        )),
        (None, None) => http1.merge(graphql::router(store, &config.graphql())),
        (None, Some(expenses)) => {
            let of_rest = Extras::of_rest(&expenses.config);
            let of_others = Extras::of_others(&expenses.config);
            let rest = rest::expenses::router(expenses.clone(), config.max_body_bytes);
            let graphql = graphql::router_with_expenses(store, expenses, &config.graphql());
            http1
                .merge(of_rest.around(rest))
                .merge(of_others.around(graphql))
        }
    };
    let http1 = http1.fallback(unknown_path);
    let mut h2c = rpc
        .merge(index::router())
        .method_not_allowed_fallback(rest::method_not_allowed);
    if config.rest_h2c.is_on() {
        h2c = h2c.merge(rest);
    }
    let h2c = h2c.fallback(unknown_path);
    let layers = Layers::new(config);
    App {
        http1: layers.around(http1),
        h2c: layers.around(h2c),
    }
}

/// What the `OpenAPI` document says of the expenses that are served.
fn described(expenses: Option<&Expenses>) -> DescribedExpenses {
    match expenses {
        None => DescribedExpenses::None,
        Some(expenses) if expenses.config.tokens.covers_rest() => DescribedExpenses::ToTokenHolders,
        Some(_) => DescribedExpenses::Open,
    }
}

/// What the routes about expenses do beside answering, so far as it was asked for.
struct Extras {
    cors: bool,
    request_log: bool,
}

impl Extras {
    fn of_rest(config: &ExpensesConfig) -> Self {
        Self {
            cors: config.cors.covers_rest(),
            request_log: config.request_log.covers_rest(),
        }
    }

    fn of_others(config: &ExpensesConfig) -> Self {
        Self {
            cors: config.cors.covers_others(),
            request_log: config.request_log.covers_others(),
        }
    }

    /// The log is inside of CORS, as the thesis' server has the two.
    fn around(&self, mut router: Router) -> Router {
        if self.request_log {
            router = request_log::to_stderr(router);
        }
        if self.cors {
            router = cors::open_to_every_origin(router);
        }
        router
    }
}

/// What no route serves: a gRPC client understands only an answer in its own convention.
async fn unknown_path(request: Request) -> Response {
    rpc::unimplemented(request.headers()).unwrap_or_else(|| {
        RestError::UnknownPath {
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
        }
        .into_response()
    })
}

/// What is wrapped around every route. Nothing is installed unless it was asked for.
struct Layers {
    log_requests: bool,
    surcharge: Option<SurchargeLayer>,
}

impl Layers {
    fn new(config: &ServerConfig) -> Self {
        Self {
            log_requests: config.log_level.logs_requests(),
            surcharge: config.surcharge.map(SurchargeLayer::new),
        }
    }

    fn around(&self, mut router: Router) -> Router {
        if self.log_requests {
            let trace = TraceLayer::new_for_http()
                .make_span_with(DefaultMakeSpan::new().level(Level::INFO))
                .on_response(DefaultOnResponse::new().level(Level::INFO))
                .on_failure(());
            router = router.layer(trace);
        }
        if let Some(surcharge) = &self.surcharge {
            router = router.layer(surcharge.clone());
        }
        // Fixes the state now instead of in every request.
        router.with_state(())
    }
}
