//! Expenses without what they refer to, and that by itself: what resolvers read that join nothing.

use std::collections::HashMap;

use super::{
    Expense, ExpenseError, ExpenseFilter, ExpenseStore, User,
    database::{Statement, Value},
    list,
    read::USER_COLUMNS,
};

/// Values in one statement: below the 32,766 that `SQLite` takes and the 65,535 of `PostgreSQL`.
const IDS_PER_STATEMENT: usize = 30_000;

/// An expense whose payer and tags are not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnjoinedExpense {
    /// What it holds itself.
    pub expense: Expense,
    /// Who paid; `None` once that user is gone.
    pub payee_id: Option<String>,
}

impl ExpenseStore {
    /// The expenses that the filter lets through, newest first, with all that they hold themselves: one
    /// statement.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn unjoined_expenses(
        &self,
        filter: &ExpenseFilter,
    ) -> Result<Vec<UnjoinedExpense>, ExpenseError> {
        let rows = self.rows(list::unjoined_statement(filter)).await?;
        let expenses: Result<_, _> = rows.iter().map(list::unjoined_expense).collect();
        expenses.map_err(|error| self.error(error))
    }

    /// The users with these ids, as far as they exist: one statement for up to 30,000.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn users_by_id(&self, ids: &[String]) -> Result<HashMap<String, User>, ExpenseError> {
        let mut found = HashMap::with_capacity(ids.len());
        for some in ids.chunks(IDS_PER_STATEMENT) {
            let mut statement = Statement::new("SELECT ");
            statement
                .push(USER_COLUMNS)
                .push(" FROM users WHERE id IN ");
            push_ids(&mut statement, some);
            let users = self.users_of(statement).await?;
            found.extend(users.into_iter().map(|user| (user.id.clone(), user)));
        }
        Ok(found)
    }

    /// The names of the tags of the expenses with these ids, sorted; those without tags are not there. One
    /// statement for up to 30,000.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn tags_by_expense(
        &self,
        ids: &[String],
    ) -> Result<HashMap<String, Vec<String>>, ExpenseError> {
        let mut found: HashMap<String, Vec<String>> = HashMap::new();
        for some in ids.chunks(IDS_PER_STATEMENT) {
            let mut statement = Statement::new(
                "SELECT expense_id, tag_name FROM expense_tags WHERE expense_id IN ",
            );
            push_ids(&mut statement, some);
            statement.push(" ORDER BY tag_name");
            for row in self.rows(statement).await? {
                let text = |column| {
                    row.try_get::<String>(column)
                        .map_err(|error| self.error(error))
                };
                found.entry(text(0)?).or_default().push(text(1)?);
            }
        }
        Ok(found)
    }
}

fn push_ids(statement: &mut Statement, ids: &[String]) {
    statement.push("(");
    statement.push_list(ids.iter().map(Value::from));
    statement.push(")");
}
