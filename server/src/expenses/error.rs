//! Why a request about expenses is refused, worded in one place.

use thiserror::Error;

use super::DatabaseError;
use crate::domain::ErrorClass;

/// A refused request about expenses.
#[derive(Debug, Error)]
pub enum ExpenseError {
    /// No expense has this id.
    #[error("there is no expense with the id \"{id}\"; a list of expenses names those that exist")]
    UnknownExpense {
        /// What was asked for.
        id: String,
    },
    /// No user has this id.
    #[error("there is no user with the id \"{id}\"; the list of users names those that exist")]
    UnknownUser {
        /// What was asked for.
        id: String,
    },
    /// The name or the password is wrong; which of them is not said.
    #[error("no user has the name \"{username}\" and this password; send another of either")]
    WrongCredentials {
        /// The name that was sent.
        username: String,
    },
    /// Not a month.
    #[error("the month {month} is not a number from 1 to 12")]
    BadMonth {
        /// What was asked for.
        month: u32,
    },
    /// Not a year of four digits.
    #[error("the year {year} is not a number from 1 to 9998")]
    BadYear {
        /// What was asked for.
        year: u32,
    },
    /// A month of no year.
    #[error("the month {month} needs a year; send both, or the year alone")]
    MonthWithoutYear {
        /// What was asked for.
        month: u32,
    },
    /// More parts than an expense has.
    #[error("{count} parts are more than an expense has; ask for 0 to {most}")]
    TooManyParts {
        /// What was asked for.
        count: u32,
        /// What there is.
        most: u32,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl ExpenseError {
    /// What kind of refusal it is; `None` when the request is not at fault.
    #[must_use]
    pub fn class(&self) -> Option<ErrorClass> {
        match self {
            Self::UnknownExpense { .. } | Self::UnknownUser { .. } => Some(ErrorClass::NotFound),
            Self::WrongCredentials { .. }
            | Self::BadMonth { .. }
            | Self::BadYear { .. }
            | Self::MonthWithoutYear { .. }
            | Self::TooManyParts { .. } => Some(ErrorClass::Invalid),
            Self::Database(_) => None,
        }
    }

    /// Stable and machine-readable, the same in every style.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownExpense { .. } => "UNKNOWN_EXPENSE",
            Self::UnknownUser { .. } => "UNKNOWN_USER",
            Self::WrongCredentials { .. } => "WRONG_CREDENTIALS",
            Self::BadMonth { .. } | Self::BadYear { .. } | Self::MonthWithoutYear { .. } => {
                "BAD_PERIOD"
            }
            Self::TooManyParts { .. } => "TOO_MANY_PARTS",
            Self::Database(error) => error.code(),
        }
    }
}
