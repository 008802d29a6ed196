//! Where the expenses are kept and who has to prove who they are.

use std::{fmt, path::PathBuf};

use clap::ValueEnum;

use super::PostgresAddress;

/// Where the database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseLocation {
    /// In memory; it is generated at the start and ends with the server.
    Memory,
    /// In a file, which is made and filled when it does not exist.
    File(PathBuf),
    /// On a `PostgreSQL` server, where it exists and is filled when it is empty.
    Postgres(PostgresAddress),
}

impl fmt::Display for DatabaseLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("memory"),
            Self::File(path) => path.display().fmt(f),
            Self::Postgres(address) => address.fmt(f),
        }
    }
}

/// Which styles ask for a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TokenScope {
    /// None.
    Off,
    /// REST alone, as the thesis' server does.
    Rest,
    /// REST and GraphQL alike.
    All,
}

impl TokenScope {
    /// Whether REST asks for one.
    #[must_use]
    pub fn covers_rest(self) -> bool {
        self != Self::Off
    }

    /// Whether GraphQL asks for one.
    #[must_use]
    pub fn covers_graphql(self) -> bool {
        self == Self::All
    }
}
