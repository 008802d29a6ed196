//! Users and expenses in the schema, beside the books, when the server was asked for them.

use async_graphql::{Error, ErrorExtensions, ID, Object, Result};

use crate::expenses::{Expense, ExpenseError, ExpenseFilter, ExpenseStore, Period, User};

use super::types::class_name;

/// What can be read of the household.
pub struct ExpensesQuery {
    pub store: ExpenseStore,
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
        });
        let expenses = match filter {
            Ok(filter) => self.store.expenses(&filter).await,
            Err(error) => Err(error),
        };
        Some(match expenses {
            Ok(expenses) => Ok(expenses.into_iter().map(ExpenseNode).collect()),
            Err(error) => Err(expense_error(&error)),
        })
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

/// An expense, already joined with its payee and tags.
pub struct ExpenseNode(pub(super) Expense);

/// Something that was paid for.
#[Object(name = "Expense", serial)]
impl ExpenseNode {
    /// A UUID.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// A few words.
    async fn title(&self) -> &str {
        &self.0.title
    }

    /// Up to 1,500 characters.
    async fn description(&self) -> &str {
        &self.0.description
    }

    /// In hundredths of the currency's unit.
    async fn price(&self) -> i64 {
        self.0.price_cents
    }

    /// Whether everyone has paid their part.
    async fn resolved(&self) -> bool {
        self.0.resolved
    }

    /// When it was paid, RFC 3339 in UTC with milliseconds.
    async fn date(&self) -> &str {
        &self.0.date
    }

    /// When it was written down.
    async fn created_at(&self) -> &str {
        &self.0.created_at
    }

    /// When it was last changed.
    async fn updated_at(&self) -> &str {
        &self.0.updated_at
    }

    /// Who paid; null once that user is gone.
    async fn payee(&self) -> Option<UserNode> {
        self.0.payee.clone().map(UserNode)
    }

    /// Sorted by name.
    async fn tags(&self) -> Vec<TagNode<'_>> {
        self.0.tags.iter().map(|name| TagNode(name)).collect()
    }
}

/// A user.
pub struct UserNode(User);

/// A member of the household.
#[Object(name = "User", serial)]
impl UserNode {
    /// A UUID.
    async fn id(&self) -> ID {
        ID(self.0.id.clone())
    }

    /// Unique.
    async fn username(&self) -> &str {
        &self.0.username
    }

    /// When the user was added, RFC 3339 in UTC with milliseconds.
    async fn created_at(&self) -> &str {
        &self.0.created_at
    }

    /// When the user was last changed.
    async fn updated_at(&self) -> &str {
        &self.0.updated_at
    }
}

/// A tag.
pub struct TagNode<'a>(&'a str);

/// A word that expenses are sorted by.
#[Object(name = "Tag", serial)]
impl TagNode<'_> {
    /// Unique.
    async fn name(&self) -> &str {
        self.0
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
