//! Expenses with their tags: new ones, changed ones, and gone ones.

use jiff::Timestamp;
use sqlx::error::DatabaseError;
use uuid::Uuid;

use super::super::{
    Expense, ExpenseDraft, ExpenseError, ExpenseStore, User,
    database::{Statement, Transaction, Value, insert_expenses},
    draft::check_count,
    generator::moment_text,
};

/// Most expenses that are written at once.
const MOST_AT_ONCE: usize = 100;

impl ExpenseStore {
    /// Writes new expenses, 1 to 100 of them, all or none, and says how they are kept.
    ///
    /// # Errors
    /// One of them is not accepted, or the database failed.
    pub async fn create_expenses(
        &self,
        drafts: Vec<ExpenseDraft>,
    ) -> Result<Vec<Expense>, ExpenseError> {
        check_count("expenses", drafts.len(), 1, MOST_AT_ONCE)?;
        let drafts: Result<Vec<_>, _> = drafts.into_iter().map(ExpenseDraft::checked).collect();
        let now = moment_text(Timestamp::now());
        let mut transaction = self.begin().await?;
        let mut expenses = Vec::new();
        for draft in drafts? {
            let payee = self.payee(&mut transaction, draft.payee_id.as_deref());
            let expense = Expense {
                id: Uuid::new_v4().to_string(),
                title: draft.title,
                description: draft.description,
                price_cents: draft.price_cents,
                resolved: draft.resolved,
                date: draft.date.unwrap_or_else(|| now.clone()),
                created_at: now.clone(),
                updated_at: now.clone(),
                payee: payee.await?,
                tags: draft.tags,
            };
            let statement = insert_expenses(std::slice::from_ref(&expense));
            self.execute_for(&mut transaction, statement, &expense)
                .await?;
            self.write_tags(&mut transaction, &expense).await?;
            expenses.push(expense);
        }
        self.commit(transaction).await?;
        Ok(expenses)
    }

    /// Writes one new expense.
    ///
    /// # Errors
    /// As [`ExpenseStore::create_expenses`].
    pub async fn create_expense(&self, draft: ExpenseDraft) -> Result<Expense, ExpenseError> {
        let mut created = self.create_expenses(vec![draft]).await?;
        Ok(created.remove(0))
    }

    /// Writes an expense anew, with its tags, and says how it is kept. Its id and the time at which it
    /// was made stay.
    ///
    /// # Errors
    /// It does not exist, what is said of it is not accepted, or the database failed.
    pub async fn replace_expense(
        &self,
        id: &str,
        draft: ExpenseDraft,
    ) -> Result<Expense, ExpenseError> {
        let draft = draft.checked()?;
        let mut transaction = self.begin().await?;
        let mut kept = Statement::new("SELECT date, created_at FROM expenses WHERE id = ");
        kept.push_bind(id);
        let kept = transaction.rows(kept).await;
        let kept = kept.map_err(|error| self.error(error))?.pop();
        let kept = kept.ok_or_else(|| unknown(id))?;
        let moment = |column| {
            let moment = kept.try_get::<String>(column);
            moment.map_err(|error| self.error(error))
        };
        let payee = self.payee(&mut transaction, draft.payee_id.as_deref());
        let expense = Expense {
            id: id.to_owned(),
            payee: payee.await?,
            title: draft.title,
            description: draft.description,
            price_cents: draft.price_cents,
            resolved: draft.resolved,
            date: draft.date.map_or_else(|| moment(0), Ok)?,
            created_at: moment(1)?,
            updated_at: moment_text(Timestamp::now()),
            tags: draft.tags,
        };
        let changed = self
            .execute_for(&mut transaction, update(&expense), &expense)
            .await?;
        if changed == 0 {
            return Err(unknown(id));
        }
        self.write_tags(&mut transaction, &expense).await?;
        self.commit(transaction).await?;
        Ok(expense)
    }

    /// Removes an expense; the tags themselves stay.
    ///
    /// # Errors
    /// It does not exist, or the database failed.
    pub async fn delete_expense(&self, id: &str) -> Result<(), ExpenseError> {
        self.delete("DELETE FROM expenses WHERE id = ", id, unknown)
            .await
    }

    async fn payee(
        &self,
        transaction: &mut Transaction,
        id: Option<&str>,
    ) -> Result<Option<User>, ExpenseError> {
        let Some(id) = id else { return Ok(None) };
        let user = self.user_within(transaction, id).await?;
        let unknown = || ExpenseError::UnknownPayee { id: id.to_owned() };
        user.ok_or_else(unknown).map(Some)
    }

    /// Executes; the payee may be gone since it was looked for.
    async fn execute_for(
        &self,
        transaction: &mut Transaction,
        statement: Statement,
        expense: &Expense,
    ) -> Result<u64, ExpenseError> {
        let executed = transaction.execute(statement).await;
        executed.map_err(|error| match &expense.payee {
            Some(payee) if is_foreign_key_violation(&error) => ExpenseError::UnknownPayee {
                id: payee.id.clone(),
            },
            _ => self.error(error),
        })
    }

    /// Ties an expense to its tags, and to no others.
    async fn write_tags(
        &self,
        transaction: &mut Transaction,
        expense: &Expense,
    ) -> Result<(), ExpenseError> {
        let mut untie = Statement::new("DELETE FROM expense_tags WHERE expense_id = ");
        untie.push_bind(&expense.id);
        let untied = transaction.execute(untie).await;
        untied.map_err(|error| self.error(error))?;
        if expense.tags.is_empty() {
            return Ok(());
        }
        for statement in [new_tags(&expense.tags), ties(expense)] {
            let executed = transaction.execute(statement).await;
            executed.map_err(|error| self.error(error))?;
        }
        Ok(())
    }
}

fn unknown(id: &str) -> ExpenseError {
    ExpenseError::UnknownExpense { id: id.to_owned() }
}

fn is_foreign_key_violation(error: &sqlx::Error) -> bool {
    let said = error.as_database_error();
    said.is_some_and(<dyn DatabaseError>::is_foreign_key_violation)
}

fn update(expense: &Expense) -> Statement {
    let mut statement = Statement::new("UPDATE expenses SET title = ");
    statement.push_bind(&expense.title);
    let payee = expense.payee.as_ref().map(|payee| payee.id.clone());
    for (text, value) in [
        (", description = ", Value::from(&expense.description)),
        (", price_cents = ", Value::from(expense.price_cents)),
        (", date = ", Value::from(&expense.date)),
        (", resolved = ", Value::from(expense.resolved)),
        (", user_id = ", Value::from(payee)),
        (", updated_at = ", Value::from(&expense.updated_at)),
        (" WHERE id = ", Value::from(&expense.id)),
    ] {
        statement.push(text).push_bind(value);
    }
    statement
}

/// Sorted, so that two that write the same new tags wait for each other instead of failing both.
fn new_tags(tags: &[String]) -> Statement {
    let mut statement = Statement::new("INSERT INTO tags (name) VALUES ");
    let mut glue = "";
    for tag in tags {
        statement.push(glue).push_row([Value::from(tag)]);
        glue = ", ";
    }
    statement.push(" ON CONFLICT DO NOTHING");
    statement
}

fn ties(expense: &Expense) -> Statement {
    let mut statement = Statement::new(
        "INSERT INTO expense_tags (expense_id, tag_name, created_at, updated_at) VALUES ",
    );
    let mut glue = "";
    for tag in &expense.tags {
        statement.push(glue).push_row([
            Value::from(&expense.id),
            Value::from(tag),
            Value::from(&expense.updated_at),
            Value::from(&expense.updated_at),
        ]);
        glue = ", ";
    }
    statement
}
