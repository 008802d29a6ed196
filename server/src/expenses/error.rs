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
    /// A text is too short or too long.
    #[error("the {what} has {characters} characters; send {least} to {most}")]
    BadLength {
        /// Which text.
        what: &'static str,
        /// What it has.
        characters: usize,
        /// The fewest that are accepted.
        least: usize,
        /// The most that are accepted.
        most: usize,
    },
    /// A text holds what cannot be shown.
    #[error("the {what} {text:?} holds a control character; leave it out")]
    ControlCharacter {
        /// Which text.
        what: &'static str,
        /// As it was sent.
        text: String,
    },
    /// Not a price.
    #[error(
        "the price {price} is not a whole number of hundredths from 0 to {}",
        i32::MAX
    )]
    BadPrice {
        /// What was sent.
        price: i64,
    },
    /// Not a moment.
    #[error(
        "the date \"{date}\" is no moment of the years 0 to 9999; send one like 2021-02-28T12:30:00.000Z"
    )]
    BadDate {
        /// What was sent.
        date: String,
    },
    /// More than is taken at once.
    #[error("there are {count} {what}; send {least} to {most} at once")]
    BadCount {
        /// Of which.
        what: &'static str,
        /// How many were sent.
        count: usize,
        /// The fewest that are accepted.
        least: usize,
        /// The most that are accepted.
        most: usize,
    },
    /// The payee does not exist.
    #[error(
        "there is no user with the id \"{id}\" who could have paid; the list of users names those that \
         exist, and without payeeId nobody has"
    )]
    UnknownPayee {
        /// What was sent.
        id: String,
    },
    /// Another user has the name.
    #[error("the name \"{username}\" belongs to another user; send another one")]
    NameTaken {
        /// What was sent.
        username: String,
    },
    /// The server ended before the password was hashed.
    #[error(
        "the server is ending, and nothing was changed; send the request again once it is back"
    )]
    Ending,
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
            | Self::TooManyParts { .. }
            | Self::BadLength { .. }
            | Self::ControlCharacter { .. }
            | Self::BadPrice { .. }
            | Self::BadDate { .. }
            | Self::BadCount { .. }
            | Self::UnknownPayee { .. } => Some(ErrorClass::Invalid),
            Self::NameTaken { .. } => Some(ErrorClass::Conflict),
            Self::Ending | Self::Database(_) => None,
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
            Self::BadLength { .. } | Self::ControlCharacter { .. } => "BAD_TEXT",
            Self::BadPrice { .. } => "BAD_PRICE",
            Self::BadDate { .. } => "BAD_DATE",
            Self::BadCount { .. } => "BAD_COUNT",
            Self::UnknownPayee { .. } => "UNKNOWN_PAYEE",
            Self::NameTaken { .. } => "NAME_TAKEN",
            Self::Ending => "ENDING",
            Self::Database(error) => error.code(),
        }
    }
}
