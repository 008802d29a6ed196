//! Domain errors as gRPC statuses.

use std::collections::HashMap;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt as _};

use super::refusal::quotable;
use crate::domain::{DomainError, ErrorClass};

/// `domain` of the `google.rpc.ErrorInfo` in every status.
pub const ERROR_DOMAIN: &str = "bookstore.bench";

/// The status for a domain error: the class decides the code, and the details carry a
/// `google.rpc.ErrorInfo` with the error's own code as reason, and a `google.rpc.BadRequest` when
/// a field of the order is at fault (as path, lines counted from 0).
#[must_use]
pub fn status_of(error: &DomainError) -> Status {
    let code = match error.class() {
        ErrorClass::Invalid => Code::InvalidArgument,
        ErrorClass::NotFound => Code::NotFound,
        ErrorClass::Conflict => Code::FailedPrecondition,
    };
    let text = error.to_string();
    let text = quotable(&text);
    let mut details = ErrorDetails::new();
    details.set_error_info(error.code(), ERROR_DOMAIN, HashMap::new());
    if let Some(field) = field_at_fault(error) {
        details.add_bad_request_violation(field, text.as_ref());
    }
    Status::with_error_details(code, text, details)
}

fn field_at_fault(error: &DomainError) -> Option<String> {
    match error {
        DomainError::EmptyOrderId => Some("order_id".to_owned()),
        DomainError::EmptyOrder | DomainError::TooManyLines { .. } => Some("lines".to_owned()),
        DomainError::InvalidQuantity { line, .. } => {
            Some(format!("lines[{}].quantity", line.saturating_sub(1)))
        }
        DomainError::UnknownIsbn { line, .. } => {
            Some(format!("lines[{}].isbn", line.saturating_sub(1)))
        }
        DomainError::InvalidEventCount { .. } => Some("count".to_owned()),
        DomainError::InvalidReviewLimit { .. }
        | DomainError::OutOfStock { .. }
        | DomainError::UnknownBook { .. }
        | DomainError::UnknownAuthor { .. } => None,
    }
}
