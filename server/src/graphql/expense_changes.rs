//! Changes of expenses in the schema, beside the reservation of stock, when the server was asked for them.

use async_graphql::{ID, InputObject, Object, Result};

use crate::expenses::{ExpenseDraft, ExpenseStore};

use super::{expense_nodes::ExpenseNode, expenses::expense_error};

/// What can be changed of the household.
pub struct ExpensesMutation {
    pub store: ExpenseStore,
}

/// An expense that is to be written.
#[derive(Debug, InputObject)]
pub struct ExpenseInput {
    /// 1 to 255 characters.
    pub title: String,
    /// Up to 1,500 characters; empty when left out.
    #[graphql(default)]
    pub description: String,
    /// In hundredths of the currency's unit, at least 0.
    pub price: i64,
    /// RFC 3339; when left out, now for a new expense and unchanged for one that exists.
    pub date: Option<String>,
    /// Whether everyone has paid their part; false when left out.
    #[graphql(default)]
    pub resolved: bool,
    /// Who paid; nobody when left out.
    pub payee_id: Option<ID>,
    /// Up to 20 names of 1 to 50 characters; none when left out.
    #[graphql(default)]
    pub tags: Vec<String>,
}

impl From<ExpenseInput> for ExpenseDraft {
    fn from(input: ExpenseInput) -> Self {
        Self {
            title: input.title,
            description: input.description,
            price_cents: input.price,
            date: input.date,
            resolved: input.resolved,
            payee_id: input.payee_id.map(|id| id.0),
            tags: input.tags,
        }
    }
}

/// What can be changed of the household.
#[Object]
impl ExpensesMutation {
    /// Writes new expenses, 1 to 100 of them, all or none.
    async fn create_expenses(&self, expenses: Vec<ExpenseInput>) -> Result<Vec<ExpenseNode>> {
        let drafts = expenses.into_iter().map(ExpenseDraft::from).collect();
        match self.store.create_expenses(drafts).await {
            Ok(expenses) => Ok(expenses.into_iter().map(ExpenseNode::joined).collect()),
            Err(error) => Err(expense_error(&error)),
        }
    }

    /// Writes an expense anew; what is left out of it does not stay, but for its date.
    async fn update_expense(&self, id: ID, expense: ExpenseInput) -> Result<ExpenseNode> {
        let replaced = self.store.replace_expense(&id, expense.into()).await;
        replaced
            .map(ExpenseNode::joined)
            .map_err(|error| expense_error(&error))
    }

    /// Removes an expense, and answers its id.
    async fn delete_expense(&self, id: ID) -> Result<ID> {
        let deleted = self.store.delete_expense(&id).await;
        deleted.map(|()| id).map_err(|error| expense_error(&error))
    }
}
