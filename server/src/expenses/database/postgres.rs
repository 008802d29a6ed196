//! Opening a database of a `PostgreSQL` server.

use std::{io, time::Duration};

use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
};

use super::{
    DatabaseError, Opening, PostgresAddress,
    opening::{MIGRATIONS, migrator},
};

/// A connection that rested this long is tried before it is used: the server may have been restarted.
const TRIED_AFTER: Duration = Duration::from_secs(10);
/// How long a request waits until a connection is free or made again.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

impl Opening {
    /// Connections to a database with the current schema.
    pub(super) async fn server(&self, address: &PostgresAddress) -> Result<PgPool, DatabaseError> {
        let options = self
            .server_options(address)
            .map_err(|error| self.error(&error))?;
        let mut connection = self.first_connection(&options).await?;
        self.examine_server(&mut connection).await?;
        let migrator = migrator(include_str!("../migrations/postgres/0001_tables.sql"));
        let migrated = migrator.run_direct(None, &mut connection, false).await;
        migrated.map_err(|error| self.migration_error(&error))?;
        connection
            .close()
            .await
            .map_err(|error| self.error(&error))?;
        PgPoolOptions::new()
            .max_connections(self.connections)
            .min_connections(self.connections)
            .acquire_timeout(LONGEST_WAIT)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    Ok(meta.idle_for < TRIED_AFTER || connection.ping().await.is_ok())
                })
            })
            .connect_with(options)
            .await
            .map_err(|error| self.error(&error))
    }

    /// A lock is waited for as long as with a file.
    fn server_options(&self, address: &PostgresAddress) -> Result<PgConnectOptions, sqlx::Error> {
        let patience_ms = self.patience.as_millis().to_string();
        let options = address.options()?;
        Ok(options
            .application_name("bookstore-bench")
            .options([("lock_timeout", patience_ms)]))
    }

    /// Unlike the pool, it does not try again when it is refused.
    async fn first_connection(
        &self,
        options: &PgConnectOptions,
    ) -> Result<PgConnection, DatabaseError> {
        tokio::time::timeout(self.patience, options.connect())
            .await
            .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())))
            .map_err(|error| DatabaseError::from_connecting(&self.place(), &error))
    }

    /// Refuses another program's database and one that cannot hold every text.
    async fn examine_server(&self, connection: &mut PgConnection) -> Result<(), DatabaseError> {
        let encoding: String = sqlx::query_scalar("SHOW server_encoding")
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| self.error(&error))?;
        if encoding != "UTF8" {
            return Err(DatabaseError::OtherEncoding {
                place: self.place(),
                encoding,
            });
        }
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT table_name::text FROM information_schema.tables \
             WHERE table_schema = current_schema()",
        )
        .fetch_all(connection)
        .await
        .map_err(|error| self.error(&error))?;
        if tables.is_empty() || tables.iter().any(|name| name == MIGRATIONS) {
            return Ok(());
        }
        Err(DatabaseError::NotOurs {
            place: self.place(),
        })
    }
}
