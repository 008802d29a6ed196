//! Opening a database of `SQLite`.

use std::path::Path;

use sqlx::{
    ConnectOptions, Connection, Executor, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{
    DatabaseError, Opening,
    opening::{MIGRATIONS, migrator},
};

impl Opening {
    /// The one connection to a new database in memory with the current schema.
    pub(super) async fn memory(&self) -> Result<SqlitePool, DatabaseError> {
        let pool = self.connect(1, self.options().in_memory(true)).await?;
        let mut connection = pool.acquire().await.map_err(|error| self.error(&error))?;
        self.prepare(&mut connection).await?;
        drop(connection);
        Ok(pool)
    }

    /// Connections to a file with the current schema, which is made when it does not exist.
    pub(super) async fn file(&self, path: &Path) -> Result<SqlitePool, DatabaseError> {
        // A file that is not ours must not be switched to write-ahead logging.
        let options = self.options().filename(path).create_if_missing(true);
        let mut connection = options
            .connect()
            .await
            .map_err(|error| self.error(&error))?;
        self.prepare(&mut connection).await?;
        // Of several connections that switch at once, all but one are refused without any patience. And
        // this one stays until the others are there, so that none finds the log just being removed.
        connection
            .execute("PRAGMA journal_mode = WAL")
            .await
            .map_err(|error| self.error(&error))?;
        let options = options
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let pool = self.connect(self.connections, options).await?;
        connection
            .close()
            .await
            .map_err(|error| self.error(&error))?;
        Ok(pool)
    }

    fn options(&self) -> SqliteConnectOptions {
        SqliteConnectOptions::new()
            .busy_timeout(self.patience)
            .foreign_keys(true)
            .disable_statement_logging()
    }

    /// Connections that are never closed: with the last one a database in memory would end.
    async fn connect(
        &self,
        connections: u32,
        options: SqliteConnectOptions,
    ) -> Result<SqlitePool, DatabaseError> {
        SqlitePoolOptions::new()
            .max_connections(connections)
            .min_connections(connections)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options)
            .await
            .map_err(|error| self.error(&error))
    }

    async fn prepare(&self, connection: &mut SqliteConnection) -> Result<(), DatabaseError> {
        self.examine(connection).await?;
        let migrator = migrator(include_str!("../migrations/sqlite/0001_tables.sql"));
        let migrated = migrator.run_direct(None, connection, false).await;
        migrated.map_err(|error| self.migration_error(&error))
    }

    /// Refuses a damaged file and another program's.
    async fn examine(&self, connection: &mut SqliteConnection) -> Result<(), DatabaseError> {
        let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
            .fetch_one(&mut *connection)
            .await
            .map_err(|error| self.error(&error))?;
        if found != "ok" {
            return Err(DatabaseError::Corrupt {
                place: self.place(),
                reason: found,
            });
        }
        let tables: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_master")
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
