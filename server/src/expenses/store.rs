//! The store that the styles ask.

use std::time::Duration;

use super::{
    DatabaseError, DatabaseLocation, ExpenseError, HouseholdSize, SqlMeter,
    database::{Opening, Pool, Row, Statement, Transaction},
};

/// How long a locked database, or a server that does not answer, is waited for before a request is refused.
const PATIENCE: Duration = Duration::from_secs(5);

/// Users and expenses in a database. Clones share its connections.
#[derive(Clone, Debug)]
pub struct ExpenseStore {
    pub(super) pool: Pool,
    meter: SqlMeter,
    place: String,
}

impl ExpenseStore {
    /// Opens the database, or makes and fills it when there is none. A file and a server have
    /// `connections` that read side by side; a database in memory has one.
    ///
    /// # Errors
    /// [`DatabaseError`]; what is there stays as it was.
    pub async fn open(
        location: &DatabaseLocation,
        connections: u32,
        household: HouseholdSize,
    ) -> Result<Self, DatabaseError> {
        Self::of(&Opening {
            location: location.clone(),
            connections,
            patience: PATIENCE,
            household,
        })
        .await
    }

    /// The same with little patience, and as much in it as usual.
    #[cfg(test)]
    pub(super) async fn open_within(
        location: &DatabaseLocation,
        connections: u32,
        patience: Duration,
    ) -> Result<Self, DatabaseError> {
        Self::of(&Opening {
            location: location.clone(),
            connections,
            patience,
            household: HouseholdSize::default(),
        })
        .await
    }

    async fn of(opening: &Opening) -> Result<Self, DatabaseError> {
        Ok(Self {
            pool: opening.pool().await?,
            meter: SqlMeter::default(),
            place: opening.location.to_string(),
        })
    }

    /// Counts the statements that read.
    #[must_use]
    pub fn meter(&self) -> &SqlMeter {
        &self.meter
    }

    /// Ends the connections in good order: a file is whole without the log beside it. Waits a little for
    /// requests that still use them; nothing can be asked afterwards.
    pub async fn close(&self) {
        // A connection that is still in use then is cut off, and what it was writing is undone.
        let _ = tokio::time::timeout(PATIENCE, self.pool.close()).await;
    }

    /// What a statement selects.
    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, ExpenseError> {
        let rows = self.pool.rows(statement, &self.meter).await;
        rows.map_err(|error| self.error(error))
    }

    /// Begins to write; [`ExpenseStore::commit`] keeps what was written.
    pub(super) async fn begin(&self) -> Result<Transaction, ExpenseError> {
        let transaction = self.pool.begin().await;
        transaction.map_err(|error| self.error(error))
    }

    pub(super) async fn commit(&self, transaction: Transaction) -> Result<(), ExpenseError> {
        let committed = transaction.commit().await;
        committed.map_err(|error| self.error(error))
    }

    /// Sorts a failure of the database.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "it is what map_err hands over"
    )]
    pub(super) fn error(&self, error: sqlx::Error) -> ExpenseError {
        DatabaseError::from_sqlx(&self.place, &error).into()
    }
}
