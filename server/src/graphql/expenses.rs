//! Users and expenses in the schema, beside the books, when the server was asked for them.

use async_graphql::{Error, ErrorExtensions, ID, Object, Result};

use crate::expenses::{
    ExpenseError, ExpenseFields, ExpenseFilter, ExpenseStore, Expenses, Period, ResolverStyle,
};

use super::{
    expense_nodes::{ExpenseNode, UserNode},
    expense_relations::Siblings,
    types::class_name,
};

/// What can be read of the household.
pub struct ExpensesQuery {
    store: ExpenseStore,
    resolvers: ResolverStyle,
}

impl ExpensesQuery {
    /// Reads what is in the store, by resolvers of the style that it is to have.
    pub fn new(expenses: &Expenses) -> Self {
        Self {
            store: expenses.store.clone(),
            resolvers: expenses.config.resolvers,
        }
    }

    async fn nodes(&self, filter: &ExpenseFilter) -> Result<Vec<ExpenseNode>, ExpenseError> {
        if self.resolvers == ResolverStyle::Join {
            let expenses = self.store.expenses(filter).await?;
            return Ok(expenses.into_iter().map(ExpenseNode::joined).collect());
        }
        let expenses = self.store.unjoined_expenses(filter).await?;
        Ok(if self.resolvers == ResolverStyle::Batch {
            let siblings = Siblings::new(self.store.clone(), &expenses);
            let node = |unjoined| ExpenseNode::among(unjoined, siblings.clone());
            expenses.into_iter().map(node).collect()
        } else {
            let node = |unjoined| ExpenseNode::alone(unjoined, self.store.clone());
            expenses.into_iter().map(node).collect()
        })
    }
}

/// What can be read of the household.
#[Object]
impl ExpensesQuery {
    /// The newest expenses; an empty list when the arguments let none through.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of the measured service"
    )]
    async fn get_expenses(
        &self,
        #[graphql(desc = "Only the one with this id.")] id: Option<ID>,
        #[graphql(desc = "So many of the newest are passed over.")] skip: Option<u32>,
        #[graphql(desc = "At most so many; 50 when left out.")] limit: Option<u32>,
        #[graphql(desc = "1 to 12, of the year given.")] month: Option<u32>,
        #[graphql(desc = "Four digits.")] year: Option<u32>,
        #[graphql(desc = "Only resolved ones, or only others.")] resolved: Option<bool>,
    ) -> Option<Result<Vec<ExpenseNode>>> {
        let usual = ExpenseFilter::default();
        let filter = Period::new(month, year).map(|period| ExpenseFilter {
            id: id.map(|id| id.0),
            skip: skip.unwrap_or(usual.skip),
            limit: limit.unwrap_or(usual.limit),
            period,
            resolved,
            fields: ExpenseFields::all(),
        });
        let expenses = match filter {
            Ok(filter) => self.nodes(&filter).await,
            Err(error) => Err(error),
        };
        Some(expenses.map_err(|error| expense_error(&error)))
    }

    /// All users, the oldest first, or the one with the id given.
    async fn get_users(
        &self,
        #[graphql(desc = "Only the one with this id.")] id: Option<ID>,
    ) -> Option<Result<Vec<UserNode>>> {
        let users = match id {
            Some(id) => self.store.user(&id).await.map(|user| vec![user]),
            None => self.store.users().await,
        };
        Some(match users {
            Ok(users) => Ok(users.into_iter().map(UserNode).collect()),
            Err(error) => Err(expense_error(&error)),
        })
    }
}

pub(super) fn expense_error(error: &ExpenseError) -> Error {
    Error::new(error.to_string()).extend_with(|_, extensions| {
        extensions.set("code", error.code());
        if let Some(class) = error.class() {
            extensions.set("class", class_name(class));
        }
    })
}
