//! Connections to either database, behind one face.

use std::{io, time::Duration};

use futures_util::TryStreamExt;
use sqlx::{
    Decode, PgPool, Postgres, Row as _, Sqlite, SqlitePool, Type, postgres::PgRow,
    sqlite::SqliteRow,
};

use super::Statement;

/// How long `PostgreSQL` may take for one statement: far beyond any of ours, so that only a server that
/// does not answer any more is given up.
const LONGEST_STATEMENT: Duration = Duration::from_secs(30);

/// Connections that are kept open. Clones share them.
#[derive(Clone, Debug)]
pub enum Pool {
    /// To a file or to memory.
    Sqlite(SqlitePool),
    /// To a server.
    Postgres(PgPool),
}

impl Pool {
    /// What a statement selects: nothing, when it asks for a text that no database holds.
    ///
    /// # Errors
    /// What the library says.
    pub async fn rows(&self, statement: Statement) -> Result<Vec<Row>, sqlx::Error> {
        if statement.has_null_character() {
            return Ok(Vec::new());
        }
        match self {
            Self::Sqlite(pool) => {
                let rows = statement.query::<Sqlite>().fetch(pool);
                rows.map_ok(Row::Sqlite).try_collect().await
            }
            Self::Postgres(pool) => {
                let rows = statement.query::<Postgres>().fetch(pool);
                in_time(rows.map_ok(Row::Postgres).try_collect()).await
            }
        }
    }

    /// Begins to write: what follows is done whole or not at all. `SQLite` lets nobody else write until
    /// it ends.
    ///
    /// # Errors
    /// What the library says.
    pub async fn begin(&self) -> Result<Transaction, sqlx::Error> {
        Ok(match self {
            // A transaction that reads before it writes could not wait for another writer.
            Self::Sqlite(pool) => Transaction::Sqlite(pool.begin_with("BEGIN IMMEDIATE").await?),
            Self::Postgres(pool) => Transaction::Postgres(in_time(pool.begin()).await?),
        })
    }

    /// Ends the connections in good order, once they are free.
    pub async fn close(&self) {
        match self {
            Self::Sqlite(pool) => pool.close().await,
            Self::Postgres(pool) => pool.close().await,
        }
    }
}

/// Statements that are done whole or not at all; undone when it is dropped.
#[derive(Debug)]
pub enum Transaction {
    /// In a file or in memory.
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    /// On a server.
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    /// As [`Pool::rows`], within the transaction.
    ///
    /// # Errors
    /// What the library says.
    pub async fn rows(&mut self, statement: Statement) -> Result<Vec<Row>, sqlx::Error> {
        if statement.has_null_character() {
            return Ok(Vec::new());
        }
        match self {
            Self::Sqlite(transaction) => {
                let rows = statement.query::<Sqlite>().fetch(&mut **transaction);
                rows.map_ok(Row::Sqlite).try_collect().await
            }
            Self::Postgres(transaction) => {
                let rows = statement.query::<Postgres>().fetch(&mut **transaction);
                in_time(rows.map_ok(Row::Postgres).try_collect()).await
            }
        }
    }

    /// Changes rows, and says how many: none, when they are named by a text that no database holds.
    ///
    /// # Errors
    /// What the library says.
    pub async fn execute(&mut self, statement: Statement) -> Result<u64, sqlx::Error> {
        if statement.has_null_character() {
            return Ok(0);
        }
        Ok(match self {
            Self::Sqlite(transaction) => {
                let query = statement.query::<Sqlite>();
                query.execute(&mut **transaction).await?.rows_affected()
            }
            Self::Postgres(transaction) => {
                let query = statement.query::<Postgres>();
                in_time(query.execute(&mut **transaction))
                    .await?
                    .rows_affected()
            }
        })
    }

    /// Keeps what was written.
    ///
    /// # Errors
    /// What the library says; with a server that broke off, it may have been kept.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(transaction) => transaction.commit().await,
            Self::Postgres(transaction) => in_time(transaction.commit()).await,
        }
    }
}

async fn in_time<T>(
    answer: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    tokio::time::timeout(LONGEST_STATEMENT, answer)
        .await
        .unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())))
}

/// A row of an answer.
#[derive(Debug)]
pub enum Row {
    /// Of `SQLite`.
    Sqlite(SqliteRow),
    /// Of `PostgreSQL`.
    Postgres(PgRow),
}

impl Row {
    /// The value in this column, counted from 0.
    ///
    /// # Errors
    /// There is no such column, or it is of another type.
    pub fn try_get<'r, T>(&'r self, column: usize) -> Result<T, sqlx::Error>
    where
        T: Decode<'r, Sqlite> + Type<Sqlite> + Decode<'r, Postgres> + Type<Postgres>,
    {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }
}
