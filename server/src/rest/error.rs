//! Why a REST request gets no answer, with the status and the words for each reason.

use axum::extract::rejection::{PathRejection, QueryRejection};
use http::{Method, StatusCode};
use thiserror::Error;

use crate::{
    domain::{DomainError, ErrorClass},
    expenses::{DatabaseError, ExpenseError, TokenError},
};

/// A refused request.
#[derive(Debug, Error)]
pub enum RestError {
    /// The business rule refuses it.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// The expenses refuse it, or their database failed.
    #[error(transparent)]
    Expense(#[from] ExpenseError),
    /// Nobody has proved who asks.
    #[error(transparent)]
    Unauthenticated(#[from] TokenError),
    /// The list of expenses would be empty, which the thesis' server answers with 404.
    #[error("no expense passes this filter; widen it, or skip fewer")]
    NoExpenses,
    /// The query of a list of expenses is not understood.
    #[error(
        "the query \"{query}\" is not understood ({reason}); it takes skip, limit, month and year as \
         whole numbers, resolved=true or false, expand=payee, fields, and parts as a whole number"
    )]
    BadExpensesQuery {
        /// The query as it was sent.
        query: String,
        /// What is wrong with it.
        reason: String,
    },
    /// No route has this path.
    #[error("nothing answers {method} {path}; GET / lists what does")]
    UnknownPath {
        /// Method of the request.
        method: Method,
        /// Path of the request.
        path: String,
    },
    /// The path exists, but not with this method.
    #[error("{path} does not answer {method}; the Allow header lists the methods that it answers")]
    MethodNotAllowed {
        /// Method of the request.
        method: Method,
        /// Path of the request.
        path: String,
    },
    /// The id in the path is not a number.
    #[error(
        "the id \"{value}\" in the path is not a whole number between {} and {}",
        i32::MIN,
        i32::MAX
    )]
    BadId {
        /// What stands in its place.
        value: String,
    },
    /// The path has a segment that is no text.
    #[error("the path is not understood ({0}); send UTF-8, percent-encoded")]
    BadPath(#[source] PathRejection),
    /// The query is not understood.
    #[error("the query \"{query}\" is not understood ({reason}); send limit=N or nothing")]
    BadQuery {
        /// The query as it was sent.
        query: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The query of a stream of events is not understood.
    #[error("the query \"{query}\" is not understood ({reason}); send count=N or nothing")]
    BadEventsQuery {
        /// The query as it was sent.
        query: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A sparse answer was asked for, with a field that the thing does not have.
    #[error("there is no field \"{field}\" here; fields= takes {known}, with commas between")]
    UnknownField {
        /// The name that was asked for.
        field: String,
        /// All names, for people.
        known: String,
    },
    /// The body is not declared as JSON.
    #[error("the content type is {}; send application/json", sent.as_deref().unwrap_or("missing"))]
    NotJson {
        /// The content type that was sent, if any.
        sent: Option<String>,
    },
    /// The body is larger than the server accepts.
    #[error(
        "the body is larger than {limit} bytes; send less at once, such as fewer lines per order"
    )]
    BodyTooLarge {
        /// The limit in bytes.
        limit: usize,
    },
    /// The connection broke, or its framing was wrong, before the body was complete.
    #[error("the body could not be read to its end: {0}")]
    BrokenBody(#[source] axum::Error),
    /// The body is not JSON; the text of the source names line and column.
    #[error("the body is not valid JSON: {0}")]
    MalformedJson(#[source] serde_json::Error),
    /// The body is JSON of another shape; the text of the source names line and column.
    #[error("the body does not have the expected shape: {0}; /openapi.json describes it")]
    UnexpectedJson(#[source] serde_json::Error),
    /// As [`RestError::UnexpectedJson`], about a user or an expense.
    #[error(
        "the body does not have the expected shape: {0}; an expense takes title, description, price, date, \
         resolved, payeeId and tags, of which title and price are needed, a user username and password"
    )]
    UnexpectedExpenses(#[source] serde_json::Error),
    /// The answer could not be written as JSON: a defect of the server.
    #[error("the answer could not be written: {0}")]
    Unwritable(#[source] serde_json::Error),
}

impl RestError {
    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Domain(error) => status_of(error.class()),
            Self::Expense(ExpenseError::WrongCredentials { .. }) | Self::Unauthenticated(_) => {
                StatusCode::UNAUTHORIZED
            }
            Self::Expense(ExpenseError::Database(DatabaseError::Full { .. })) => {
                StatusCode::INSUFFICIENT_STORAGE
            }
            Self::Expense(ExpenseError::Database(error)) if error.is_passing() => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Expense(error) => error
                .class()
                .map_or(StatusCode::INTERNAL_SERVER_ERROR, status_of),
            Self::NoExpenses | Self::UnknownPath { .. } => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::BadId { .. }
            | Self::BadPath(_)
            | Self::BadQuery { .. }
            | Self::BadExpensesQuery { .. }
            | Self::BadEventsQuery { .. }
            | Self::UnknownField { .. }
            | Self::BrokenBody(_)
            | Self::MalformedJson(_) => StatusCode::BAD_REQUEST,
            Self::NotJson { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::BodyTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnexpectedJson(_) | Self::UnexpectedExpenses(_) => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            Self::Unwritable(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// A stable machine-readable code; the domain's own codes are the same in every style.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Domain(error) => error.code(),
            Self::Expense(error) => error.code(),
            Self::Unauthenticated(_) => "UNAUTHENTICATED",
            Self::NoExpenses => "NO_EXPENSES",
            Self::UnknownPath { .. } => "UNKNOWN_PATH",
            Self::MethodNotAllowed { .. } => "METHOD_NOT_ALLOWED",
            Self::BadId { .. } => "BAD_ID",
            Self::BadPath(_) => "BAD_PATH",
            Self::BadQuery { .. } | Self::BadExpensesQuery { .. } | Self::BadEventsQuery { .. } => {
                "BAD_QUERY"
            }
            Self::UnknownField { .. } => "UNKNOWN_FIELD",
            Self::NotJson { .. } => "NOT_JSON",
            Self::BodyTooLarge { .. } => "BODY_TOO_LARGE",
            Self::BrokenBody(_) => "BROKEN_BODY",
            Self::MalformedJson(_) => "MALFORMED_JSON",
            Self::UnexpectedJson(_) | Self::UnexpectedExpenses(_) => "UNEXPECTED_JSON",
            Self::Unwritable(_) => "UNWRITABLE",
        }
    }

    /// Tells bad syntax from a bad shape.
    pub(super) fn from_json(error: serde_json::Error) -> Self {
        if error.is_data() {
            Self::UnexpectedJson(error)
        } else {
            Self::MalformedJson(error)
        }
    }

    /// Names the query as it was sent and what is wrong with it.
    pub(super) fn from_query(query: Option<&str>, rejection: &QueryRejection) -> Self {
        Self::BadQuery {
            query: query.unwrap_or_default().to_owned(),
            reason: reason_of(rejection),
        }
    }

    /// As [`RestError::from_query`], for a stream of events.
    pub(super) fn from_events_query(query: Option<&str>, rejection: &QueryRejection) -> Self {
        Self::BadEventsQuery {
            query: query.unwrap_or_default().to_owned(),
            reason: reason_of(rejection),
        }
    }

    /// As [`RestError::from_query`], for a list of expenses.
    pub(super) fn from_expenses_query(query: Option<&str>, rejection: &QueryRejection) -> Self {
        Self::BadExpensesQuery {
            query: query.unwrap_or_default().to_owned(),
            reason: reason_of(rejection),
        }
    }
}

fn status_of(class: ErrorClass) -> StatusCode {
    match class {
        ErrorClass::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        ErrorClass::NotFound => StatusCode::NOT_FOUND,
        ErrorClass::Conflict => StatusCode::CONFLICT,
    }
}

fn reason_of(rejection: &QueryRejection) -> String {
    let text = rejection.body_text();
    let reason = text.strip_prefix("Failed to deserialize query string: ");
    reason.unwrap_or(&text).to_owned()
}
