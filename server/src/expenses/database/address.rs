//! The address of a `PostgreSQL` database.

use std::{fmt, str::FromStr};

use sqlx::{ConnectOptions, postgres::PgConnectOptions};

/// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or any other form that libpq's URIs have. What is left
/// out is taken from the environment (`PGHOST`, `PGPASSWORD` and their like) and from `~/.pgpass`.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresAddress {
    url: String,
    shown: String,
}

impl PostgresAddress {
    /// Whether a text is meant as one.
    pub(crate) fn is_meant(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// How to connect; nothing is written to the log of every statement.
    pub(super) fn options(&self) -> Result<PgConnectOptions, sqlx::Error> {
        Ok(PgConnectOptions::from_str(&self.url)?.disable_statement_logging())
    }
}

impl FromStr for PostgresAddress {
    type Err = sqlx::Error;

    fn from_str(url: &str) -> Result<Self, sqlx::Error> {
        let options = PgConnectOptions::from_str(url)?;
        let host = options.get_socket().map_or_else(
            || format!("{}:{}", options.get_host(), options.get_port()),
            |socket| socket.display().to_string(),
        );
        let user = options.get_username();
        let database = options.get_database().unwrap_or(user);
        Ok(Self {
            url: url.to_owned(),
            shown: format!("{database} of {user} at {host}"),
        })
    }
}

/// Without the password.
impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

/// Without the password.
impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PostgresAddress").field(&self.shown).finish()
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn an_address_is_shown_without_its_password() {
        for (url, shown) in [
            (
                "postgres://anna:secret@db.example:5433/household",
                "household of anna at db.example:5433",
            ),
            (
                "postgresql://anna@localhost/household?host=/run/pg&password=secret",
                "household of anna at /run/pg",
            ),
            (
                "postgres://anna:secret@localhost:5432",
                "anna of anna at localhost:5432",
            ),
        ] {
            let address: PostgresAddress = url.parse().unwrap();
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("secret"));
        }
        assert!(
            "postgres://anna@host:port"
                .parse::<PostgresAddress>()
                .is_err()
        );
    }
}
