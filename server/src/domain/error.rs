//! Why a request cannot be served, in the domain's own words.

use thiserror::Error;

/// A refusal by the business rule. The text is written for the caller: it names the value and
/// what would be accepted.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DomainError {
    /// `orderId` is empty.
    #[error("the order id is empty; send the caller's own id of the order")]
    EmptyOrderId,
    /// The order has no line.
    #[error("the order has no lines; send at least one")]
    EmptyOrder,
    /// The order has more lines than the server accepts.
    #[error("the order has {lines} lines; at most {limit} are accepted")]
    TooManyLines {
        /// Lines in the order.
        lines: usize,
        /// The server's limit.
        limit: usize,
    },
    /// A line asks for less than one copy.
    #[error("line {line} asks for {quantity} copies of {isbn}; at least 1 is needed")]
    InvalidQuantity {
        /// Position in the order, from 1.
        line: usize,
        /// ISBN of the line.
        isbn: String,
        /// Copies asked for.
        quantity: i32,
    },
    /// A negative number of reviews was asked for.
    #[error("{limit} reviews were asked for; the number must be 0 or more")]
    InvalidReviewLimit {
        /// Number asked for.
        limit: i32,
    },
    /// A number of events was asked for that a stream does not have.
    #[error("{count} events were asked for; a stream has 1 to {most}")]
    InvalidEventCount {
        /// Number asked for.
        count: i32,
        /// The most of one stream.
        most: i32,
    },
    /// A line names a book that the catalogue does not have.
    #[error("line {line} names ISBN {isbn}, which is not in the catalogue")]
    UnknownIsbn {
        /// Position in the order, from 1.
        line: usize,
        /// ISBN of the line.
        isbn: String,
    },
    /// Too few copies are left.
    #[error("the order asks for {requested} of {isbn}, more than the {available} in stock")]
    OutOfStock {
        /// ISBN that ran out.
        isbn: String,
        /// Copies asked for in the whole order.
        requested: i64,
        /// Copies left.
        available: i64,
    },
    /// No such book.
    #[error("book {id} does not exist; ids run from 1 to {last}")]
    UnknownBook {
        /// Id asked for.
        id: i32,
        /// Highest id.
        last: i32,
    },
    /// No such author.
    #[error("author {id} does not exist; ids run from 1 to {last}")]
    UnknownAuthor {
        /// Id asked for.
        id: i32,
        /// Highest id.
        last: i32,
    },
}

/// What kind of refusal it is; each style has one convention per class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// The request can never succeed as it is written.
    Invalid,
    /// The thing asked for does not exist.
    NotFound,
    /// The request is well formed, but the state of the store forbids it.
    Conflict,
}

impl DomainError {
    /// The class that decides status codes.
    #[must_use]
    pub fn class(&self) -> ErrorClass {
        match self {
            Self::EmptyOrderId
            | Self::EmptyOrder
            | Self::TooManyLines { .. }
            | Self::InvalidQuantity { .. }
            | Self::InvalidReviewLimit { .. }
            | Self::InvalidEventCount { .. } => ErrorClass::Invalid,
            Self::UnknownBook { .. } | Self::UnknownAuthor { .. } => ErrorClass::NotFound,
            Self::UnknownIsbn { .. } | Self::OutOfStock { .. } => ErrorClass::Conflict,
        }
    }

    /// A stable machine-readable code, the same in every style.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyOrderId => "EMPTY_ORDER_ID",
            Self::EmptyOrder => "EMPTY_ORDER",
            Self::TooManyLines { .. } => "TOO_MANY_LINES",
            Self::InvalidQuantity { .. } => "INVALID_QUANTITY",
            Self::InvalidReviewLimit { .. } => "INVALID_REVIEW_LIMIT",
            Self::InvalidEventCount { .. } => "INVALID_EVENT_COUNT",
            Self::UnknownIsbn { .. } => "UNKNOWN_ISBN",
            Self::OutOfStock { .. } => "OUT_OF_STOCK",
            Self::UnknownBook { .. } => "UNKNOWN_BOOK",
            Self::UnknownAuthor { .. } => "UNKNOWN_AUTHOR",
        }
    }
}
