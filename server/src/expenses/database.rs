//! Opening a database: what is there is looked at before anything is changed.

use std::{borrow::Cow, time::Duration};

use sqlx::{
    ConnectOptions, Connection, QueryBuilder, Sqlite, SqliteConnection, SqlitePool,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{
    DatabaseError, DatabaseLocation,
    generator::Household,
    model::{Expense, User},
    password::{GENERATED_HASH, GENERATED_SALT},
};

/// Rows in one statement; with nine columns far below the 32,766 values that `SQLite` takes in one.
const ROWS_PER_STATEMENT: usize = 500;

/// How a database is opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Where it is.
    pub location: DatabaseLocation,
    /// Connections that read side by side; a database in memory has one.
    pub connections: u32,
    /// How long a locked database is waited for.
    pub patience: Duration,
}

impl Opening {
    /// Connections that are ready, to a database with the current schema and, if it was empty, with the
    /// generated household.
    ///
    /// # Errors
    /// [`DatabaseError`]; the database is as it was before.
    pub async fn pool(&self) -> Result<SqlitePool, DatabaseError> {
        match self.location {
            DatabaseLocation::Memory => {
                let pool = self.connect(1, self.options()).await?;
                let mut connection = pool.acquire().await.map_err(|error| self.error(&error))?;
                self.prepare(&mut connection).await?;
                drop(connection);
                Ok(pool)
            }
            DatabaseLocation::File(_) => {
                // A file that is not ours must not be switched to write-ahead logging.
                let options = self.options();
                let mut connection = options
                    .connect()
                    .await
                    .map_err(|error| self.error(&error))?;
                self.prepare(&mut connection).await?;
                connection
                    .close()
                    .await
                    .map_err(|error| self.error(&error))?;
                let options = options
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Normal);
                self.connect(self.connections, options).await
            }
        }
    }

    fn options(&self) -> SqliteConnectOptions {
        let options = SqliteConnectOptions::new()
            .busy_timeout(self.patience)
            .foreign_keys(true)
            .disable_statement_logging();
        match &self.location {
            DatabaseLocation::Memory => options.in_memory(true),
            DatabaseLocation::File(path) => options.filename(path).create_if_missing(true),
        }
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
        let migrated = migrator().run_direct(None, connection, false).await;
        migrated.map_err(|error| self.migration_error(&error))?;
        fill(connection).await.map_err(|error| self.error(&error))
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
        if tables.is_empty() || tables.iter().any(|name| name == "_sqlx_migrations") {
            return Ok(());
        }
        Err(DatabaseError::NotOurs {
            place: self.place(),
        })
    }

    fn place(&self) -> String {
        self.location.to_string()
    }

    fn error(&self, error: &sqlx::Error) -> DatabaseError {
        DatabaseError::from_sqlx(&self.place(), error)
    }

    fn migration_error(&self, error: &MigrateError) -> DatabaseError {
        let place = self.place();
        match error {
            MigrateError::VersionMissing(version) => DatabaseError::NewerSchema {
                place,
                version: *version,
            },
            MigrateError::VersionMismatch(version) => DatabaseError::OtherSchema {
                place,
                version: *version,
            },
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => {
                self.error(error)
            }
            other => DatabaseError::Other {
                place,
                reason: other.to_string(),
            },
        }
    }
}

/// The schema, step by step.
fn migrator() -> Migrator {
    let tables = Migration::new(
        1,
        Cow::Borrowed("tables"),
        MigrationType::Simple,
        sqlx::SqlStr::from_static(include_str!("migrations/0001_tables.sql")),
        false,
    );
    Migrator::with_migrations(vec![tables])
}

/// Fills an empty database with the generated household, whole or not at all.
pub(super) async fn fill(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let rows: i64 =
        sqlx::query_scalar("SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM expenses)")
            .fetch_one(&mut *connection)
            .await?;
    if rows > 0 {
        return Ok(());
    }
    let Household { users, expenses } = Household::generate();
    let mut transaction = connection.begin().await?;
    for some in users.chunks(ROWS_PER_STATEMENT) {
        insert_users(some)
            .build()
            .execute(&mut *transaction)
            .await?;
    }
    for some in expenses.chunks(ROWS_PER_STATEMENT) {
        insert_expenses(some)
            .build()
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await
}

fn insert_users(users: &[User]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(
        "INSERT INTO users (id, username, password_hash, salt, created_at, updated_at) ",
    );
    query.push_values(users, |mut row, user| {
        row.push_bind(&user.id)
            .push_bind(&user.username)
            .push_bind(GENERATED_HASH)
            .push_bind(GENERATED_SALT)
            .push_bind(&user.created_at)
            .push_bind(&user.updated_at);
    });
    query
}

/// The statement for expenses without their tags.
pub(super) fn insert_expenses(expenses: &[Expense]) -> QueryBuilder<Sqlite> {
    let mut query = QueryBuilder::new(
        "INSERT INTO expenses (id, title, description, price_cents, date, resolved, user_id, \
         created_at, updated_at) ",
    );
    query.push_values(expenses, |mut row, expense| {
        row.push_bind(&expense.id)
            .push_bind(&expense.title)
            .push_bind(&expense.description)
            .push_bind(expense.price_cents)
            .push_bind(&expense.date)
            .push_bind(expense.resolved)
            .push_bind(expense.payee.as_ref().map(|payee| &payee.id))
            .push_bind(&expense.created_at)
            .push_bind(&expense.updated_at);
    });
    query
}
