//! Where the expenses are kept, and what applies to which style.

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

/// To which styles something applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StyleScope {
    /// None.
    Off,
    /// REST alone, as the thesis' server does.
    Rest,
    /// All styles alike.
    All,
}

impl StyleScope {
    /// Whether it applies to REST.
    #[must_use]
    pub fn covers_rest(self) -> bool {
        self != Self::Off
    }

    /// Whether it applies to GraphQL, gRPC and gRPC-Web.
    #[must_use]
    pub fn covers_others(self) -> bool {
        self == Self::All
    }
}

/// How the resolvers of GraphQL come by the payer and the tags of an expense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResolverStyle {
    /// The statement for the list joins them, whatever the query selects.
    Join,
    /// One statement for the payers and one for the tags of a whole list, if the query selects them.
    Batch,
    /// One statement for each payer and one for the tags of each expense, if the query selects them.
    Naive,
}
