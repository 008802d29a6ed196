//! Why a database cannot be used, worded in one place.

use std::io;

use sqlx::{postgres::PgDatabaseError, sqlite::SqliteError};
use thiserror::Error;

/// The database cannot be used. Nothing in it was changed by what failed, unless the words say so.
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
        "{place} holds tables of another program; nothing was changed. Name another database with \
         --expenses: a file that does not exist yet, or an empty one of a PostgreSQL server"
    )]
    NotOurs {
        /// The database.
        place: String,
    },
    /// It is damaged.
    #[error(
        "the database {place} is damaged ({reason}); nothing was changed. Restore it from a copy, try \
         `sqlite3 FILE .recover` if it is a file, or move it away to have a new one generated"
    )]
    Corrupt {
        /// The database.
        place: String,
        /// What was found.
        reason: String,
    },
    /// Another process has it.
    #[error(
        "the database {place} is locked by another process; nothing was changed. End that process or \
         wait for it, or name another database with --expenses"
    )]
    Locked {
        /// The database.
        place: String,
    },
    /// No room is left.
    #[error(
        "there is no room left for the database {place}; what was being written is undone and nothing \
         else was changed. Free some space (the generated data takes about 2 MB), or name a database on \
         another disk with --expenses"
    )]
    Full {
        /// The database.
        place: String,
    },
    /// It may not be written.
    #[error(
        "the database {place} may not be written ({reason}); nothing was changed. Give this user the \
         right to write (the file and its folder, or the schema and tables of a PostgreSQL database that \
         is no standby), or name another database with --expenses"
    )]
    ReadOnly {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// The disk under it fails.
    #[error(
        "the database {place} cannot be read or written ({reason}); see whether its disk is full, \
         broken or gone, or name a database on another disk with --expenses"
    )]
    Disk {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
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
         changed. Use that version, or name another database with --expenses"
    )]
    NewerSchema {
        /// The database.
        place: String,
        /// The number of the migration.
        version: i64,
    },
    /// A migration was applied in other words than this version's.
    #[error(
        "the database {place} was made with another form of schema {version}; nothing was changed. Use \
         the version that made it, or name another database with --expenses"
    )]
    OtherSchema {
        /// The database.
        place: String,
        /// The number of the migration.
        version: i64,
    },
    /// No server answers there.
    #[error(
        "the PostgreSQL database {place} cannot be reached ({reason}); start its server, or correct the \
         address given with --expenses"
    )]
    Unreachable {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// The server asks for another name or password.
    #[error(
        "the PostgreSQL database {place} does not admit this user ({reason}); correct the name or the \
         password in the address given with --expenses, or in PGUSER and PGPASSWORD"
    )]
    NotAdmitted {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// The server has no database of this name.
    #[error(
        "the PostgreSQL database {place} does not exist; make it with `createdb`, or name another one \
         with --expenses"
    )]
    NoSuchDatabase {
        /// The database.
        place: String,
    },
    /// The database cannot hold every text.
    #[error(
        "the PostgreSQL database {place} has the encoding {encoding}; make one with \
         `createdb --encoding=UTF8 --template=template0`, and name it with --expenses"
    )]
    OtherEncoding {
        /// The database.
        place: String,
        /// What it has.
        encoding: String,
    },
    /// The address asks for encryption.
    #[error(
        "the PostgreSQL database {place} is to be reached with encryption, which this program does not \
         have ({reason}); reach a server on this machine or a trusted network, with sslmode=disable"
    )]
    Encryption {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// No connection is free.
    #[error(
        "no connection to the database {place} became free in time ({reason}); nothing was changed. Send \
         the request again later, give more with --expenses-connections, or let the PostgreSQL server \
         have more with its max_connections"
    )]
    Busy {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// The server went away.
    #[error(
        "the PostgreSQL database {place} broke off ({reason}); what was being written may be there or \
         not, so read it before you send it again, once the server is back"
    )]
    BrokenOff {
        /// The database.
        place: String,
        /// What was said.
        reason: String,
    },
    /// Anything else.
    #[error("the database {place} failed: {reason}")]
    Other {
        /// The database.
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
    pub const DISK: i32 = 10;
    pub const CORRUPT: i32 = 11;
    pub const FULL: i32 = 13;
    pub const CANNOT_OPEN: i32 = 14;
    pub const NOT_A_DATABASE: i32 = 26;
}

impl DatabaseError {
    /// Sorts what the library said by what can be done about it.
    pub(in super::super) fn from_sqlx(place: &str, error: &sqlx::Error) -> Self {
        let place = place.to_owned();
        match error {
            sqlx::Error::Database(said) => {
                let said = said.as_ref();
                if let Some(said) = said.try_downcast_ref::<SqliteError>() {
                    Self::from_sqlite(place, said)
                } else if let Some(said) = said.try_downcast_ref::<PgDatabaseError>() {
                    Self::from_postgres(place, said)
                } else {
                    let reason = said.message().to_owned();
                    Self::Other { place, reason }
                }
            }
            sqlx::Error::PoolTimedOut => Self::Busy {
                place,
                reason: "all were in use, or the server cannot be reached".to_owned(),
            },
            sqlx::Error::Io(error) => Self::from_io(place, error),
            other => Self::Other {
                place,
                reason: other.to_string(),
            },
        }
    }

    /// As [`DatabaseError::from_sqlx`], before anything was sent.
    pub(super) fn from_connecting(place: &str, error: &sqlx::Error) -> Self {
        let place = place.to_owned();
        match error {
            sqlx::Error::Io(error) => Self::Unreachable {
                place,
                reason: spoken(error),
            },
            sqlx::Error::Tls(error) => Self::Encryption {
                place,
                reason: error.to_string(),
            },
            other => Self::from_sqlx(&place, other),
        }
    }

    /// Only a connection that was never made is refused, or finds no socket.
    fn from_io(place: String, error: &io::Error) -> Self {
        let reason = spoken(error);
        match error.kind() {
            io::ErrorKind::ConnectionRefused | io::ErrorKind::NotFound => {
                Self::Unreachable { place, reason }
            }
            _ => Self::BrokenOff { place, reason },
        }
    }

    fn from_sqlite(place: String, said: &SqliteError) -> Self {
        use sqlx::error::DatabaseError as _;

        let reason = said.message().to_owned();
        let extended = said.code().and_then(|code| code.parse::<i32>().ok());
        match extended.map(|code| code & 0xff) {
            Some(code::BUSY | code::LOCKED) => Self::Locked { place },
            Some(code::READ_ONLY) => Self::ReadOnly { place, reason },
            Some(code::DISK) => Self::Disk { place, reason },
            Some(code::CORRUPT) => Self::Corrupt { place, reason },
            Some(code::FULL) => Self::Full { place },
            Some(code::CANNOT_OPEN) => Self::CannotOpen { place, reason },
            Some(code::NOT_A_DATABASE) => Self::NotADatabase { place },
            _ => Self::Other { place, reason },
        }
    }

    /// By the codes of <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    fn from_postgres(place: String, said: &PgDatabaseError) -> Self {
        let reason = said.message().to_owned();
        match said.code() {
            // A lock that was not given in time, a deadlock, and a change that another one overtook.
            "55P03" | "40P01" | "40001" => Self::Locked { place },
            "25006" | "42501" => Self::ReadOnly { place, reason },
            "53100" => Self::Full { place },
            "58030" => Self::Disk { place, reason },
            "XX001" | "XX002" => Self::Corrupt { place, reason },
            "3D000" => Self::NoSuchDatabase { place },
            "53300" => Self::Busy { place, reason },
            // The server ends, fell, or is still starting.
            "57P01" | "57P02" => Self::BrokenOff { place, reason },
            "57P03" => Self::Unreachable { place, reason },
            code if code.starts_with("28") => Self::NotAdmitted { place, reason },
            code if code.starts_with("08") => Self::BrokenOff { place, reason },
            _ => Self::Other { place, reason },
        }
    }

    /// Stable and machine-readable.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Locked { .. } => "DATABASE_LOCKED",
            Self::Full { .. } => "DATABASE_FULL",
            Self::ReadOnly { .. } => "DATABASE_READ_ONLY",
            Self::Unreachable { .. } | Self::BrokenOff { .. } => "DATABASE_UNREACHABLE",
            Self::Busy { .. } => "DATABASE_BUSY",
            _ => "DATABASE_FAILED",
        }
    }

    /// Whether the same request may succeed later, without anything being repaired here.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Locked { .. }
                | Self::Unreachable { .. }
                | Self::BrokenOff { .. }
                | Self::Busy { .. }
        )
    }
}

/// The library's own words for a time-out say nothing of it.
fn spoken(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::TimedOut {
        "it did not answer in time".to_owned()
    } else {
        error.to_string()
    }
}
