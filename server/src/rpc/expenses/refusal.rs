//! Why a call about expenses is refused, as gRPC statuses.

use std::collections::HashMap;

use thiserror::Error;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::super::{refusal::quotable, status::ERROR_DOMAIN};
use crate::{
    domain::ErrorClass,
    expenses::{DatabaseError, ExpenseError, TokenError},
};

/// A refused call.
#[derive(Debug, Error)]
pub enum ExpensesRefusal {
    /// Nobody has proved who asks.
    #[error(transparent)]
    Unauthenticated(#[from] TokenError),
    /// The expenses refuse it, or their database failed.
    #[error(transparent)]
    Expense(#[from] ExpenseError),
    /// The mask names what an expense does not have.
    #[error("there is no field \"{path}\" here; the field mask takes {known}")]
    UnknownPath {
        /// What it names.
        path: String,
        /// All paths, for people.
        known: String,
    },
}

impl ExpensesRefusal {
    fn grpc_code(&self) -> Code {
        match self {
            Self::Unauthenticated(_) => Code::Unauthenticated,
            Self::UnknownPath { .. } => Code::InvalidArgument,
            Self::Expense(ExpenseError::Database(DatabaseError::Full { .. })) => {
                Code::ResourceExhausted
            }
            Self::Expense(ExpenseError::Database(error)) if error.is_passing() => Code::Unavailable,
            Self::Expense(error) => match error.class() {
                Some(ErrorClass::Invalid) => Code::InvalidArgument,
                Some(ErrorClass::NotFound) => Code::NotFound,
                Some(ErrorClass::Conflict) => Code::FailedPrecondition,
                None => Code::Internal,
            },
        }
    }

    /// The reason in `google.rpc.ErrorInfo`, as the other styles have it.
    fn reason(&self) -> &'static str {
        match self {
            Self::Unauthenticated(_) => "UNAUTHENTICATED",
            Self::Expense(error) => error.code(),
            Self::UnknownPath { .. } => "UNKNOWN_FIELD",
        }
    }
}

impl From<ExpensesRefusal> for Status {
    fn from(refusal: ExpensesRefusal) -> Self {
        let text = refusal.to_string();
        let text = quotable(&text);
        let mut details = ErrorDetails::new();
        details.set_error_info(refusal.reason(), ERROR_DOMAIN, HashMap::new());
        if let ExpensesRefusal::UnknownPath { .. } = refusal {
            details.add_bad_request_violation("field_mask", text.as_ref());
        }
        Self::with_error_details(refusal.grpc_code(), text, details)
    }
}
