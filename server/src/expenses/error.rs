//! Why the expenses cannot be served or a request about them is refused, worded in one place.

use thiserror::Error;

use crate::domain::ErrorClass;

/// The database cannot be used. Nothing in it was changed by what failed.
#[derive(Debug, Error)]
pub enum DatabaseError {
    /// There is another kind of file.
    #[error(
        "{place} is not an SQLite database; nothing was changed. Name another file with --expenses, \
         which is made when it does not exist"
    )]
    NotADatabase {
        /// The file.
        place: String,
    },
    /// There is the database of another program.
    #[error(
        "{place} holds tables of another program; nothing was changed. Name another file with \
         --expenses, which is made when it does not exist"
    )]
    NotOurs {
        /// The file.
        place: String,
    },
    /// The file is damaged.
    #[error(
        "the database {place} is damaged ({reason}); nothing was changed. Restore it from a copy, try \
         `sqlite3 FILE .recover`, or move it away to have a new one generated"
    )]
    Corrupt {
        /// The file.
        place: String,
        /// What `SQLite` found.
        reason: String,
    },
    /// Another process has it.
    #[error(
        "the database {place} is locked by another process; nothing was changed. End that process or \
         wait for it, or name another file with --expenses"
    )]
    Locked {
        /// The file.
        place: String,
    },
    /// No room is left.
    #[error(
        "there is no room left for the database {place}; what was being written is undone and nothing \
         else was changed. Free some space (the generated data takes about 2 MB), or name a file on \
         another disk with --expenses"
    )]
    Full {
        /// The file.
        place: String,
    },
    /// It may not be written.
    #[error(
        "the database {place} may not be written; give this user the right to write the file and its \
         folder, or name another file with --expenses"
    )]
    ReadOnly {
        /// The file.
        place: String,
    },
    /// It cannot be opened or made.
    #[error(
        "the database {place} can neither be opened nor made ({reason}); its folder must exist and \
         this user must be allowed to write there"
    )]
    CannotOpen {
        /// The file.
        place: String,
        /// What `SQLite` said.
        reason: String,
    },
    /// A migration that this version does not know was applied.
    #[error(
        "the database {place} has the schema {version} of a newer version of this program; nothing was \
         changed. Use that version, or name another file with --expenses"
    )]
    NewerSchema {
        /// The file.
        place: String,
        /// The number of the migration.
        version: i64,
    },
    /// A migration was applied in other words than this version's.
    #[error(
        "the database {place} was made with another form of schema {version}; nothing was changed. Use \
         the version that made it, or name another file with --expenses"
    )]
    OtherSchema {
        /// The file.
        place: String,
        /// The number of the migration.
        version: i64,
    },
    /// Anything else.
    #[error("the database {place} failed: {reason}")]
    Other {
        /// The file.
        place: String,
        /// What was said.
        reason: String,
    },
}

/// `SQLite`'s primary result codes (<https://www.sqlite.org/rescode.html>); the extended ones have them
/// in their lowest eight bits.
mod code {
    pub const BUSY: i32 = 5;
    pub const LOCKED: i32 = 6;
    pub const READ_ONLY: i32 = 8;
    pub const CORRUPT: i32 = 11;
    pub const FULL: i32 = 13;
    pub const CANNOT_OPEN: i32 = 14;
    pub const NOT_A_DATABASE: i32 = 26;
}

impl DatabaseError {
    /// Sorts what the library said by what can be done about it.
    pub(super) fn from_sqlx(place: &str, error: &sqlx::Error) -> Self {
        let reason = error
            .as_database_error()
            .map_or_else(|| error.to_string(), |error| error.message().to_owned());
        let place = place.to_owned();
        match primary_code(error) {
            Some(code::BUSY | code::LOCKED) => Self::Locked { place },
            Some(code::READ_ONLY) => Self::ReadOnly { place },
            Some(code::CORRUPT) => Self::Corrupt { place, reason },
            Some(code::FULL) => Self::Full { place },
            Some(code::CANNOT_OPEN) => Self::CannotOpen { place, reason },
            Some(code::NOT_A_DATABASE) => Self::NotADatabase { place },
            _ => Self::Other { place, reason },
        }
    }

    /// Stable and machine-readable.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Locked { .. } => "DATABASE_LOCKED",
            Self::Full { .. } => "DATABASE_FULL",
            _ => "DATABASE_FAILED",
        }
    }
}

fn primary_code(error: &sqlx::Error) -> Option<i32> {
    let code: i32 = error.as_database_error()?.code()?.parse().ok()?;
    Some(code & 0xff)
}

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
            | Self::MonthWithoutYear { .. } => Some(ErrorClass::Invalid),
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
            Self::Database(error) => error.code(),
        }
    }
}
