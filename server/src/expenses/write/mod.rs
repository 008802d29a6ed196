//! What is written to the database: each change is one transaction, done whole or not at all.

mod expenses;
mod users;

use super::{ExpenseError, ExpenseStore, database::Statement};

impl ExpenseStore {
    /// Removes what has this id, by a statement to which the id is added; `unknown` says that there was
    /// nothing.
    async fn delete(
        &self,
        statement: &'static str,
        id: &str,
        unknown: impl FnOnce(&str) -> ExpenseError,
    ) -> Result<(), ExpenseError> {
        let mut statement = Statement::new(statement);
        statement.push_bind(id);
        let mut transaction = self.begin().await?;
        let deleted = transaction.execute(statement).await;
        if deleted.map_err(|error| self.error(error))? == 0 {
            return Err(unknown(id));
        }
        self.commit(transaction).await
    }
}
