//! Which path and method goes to which handler.

use axum::{
    Router, middleware,
    routing::{get, post},
};

use super::{change, guard, list, login, users};
use crate::{expenses::Expenses, rest::method_not_allowed};

/// What every handler needs.
#[derive(Clone)]
pub(super) struct ExpensesState {
    pub(super) expenses: Expenses,
    pub(super) max_body_bytes: usize,
}

/// The routes under `/api/v1`. Unknown paths are left to the router that this one is merged into.
pub fn router(expenses: Expenses, max_body_bytes: usize) -> Router {
    let guards = expenses.config.tokens.covers_rest();
    let tokens = guards.then(|| expenses.tokens.clone());
    let mut guarded = Router::new()
        .route("/api/v1/users", get(users::all))
        .route(
            "/api/v1/users/{id}",
            get(users::one).put(users::change).delete(users::delete),
        )
        .route("/api/v1/expenses", get(list::all).post(change::create))
        .route(
            "/api/v1/expenses/{id}",
            get(list::one).put(change::replace).delete(change::delete),
        );
    if let Some(tokens) = tokens {
        let guard = middleware::from_fn_with_state(tokens, guard::token_holders);
        guarded = guarded.route_layer(guard);
    }
    guarded
        .route("/api/v1/users", post(users::create))
        .route("/api/v1/users/login", post(login::log_in))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(ExpensesState {
            expenses,
            max_body_bytes,
        })
}
