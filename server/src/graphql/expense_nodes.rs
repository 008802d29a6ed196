//! Expenses, users, tags and parts as types of the schema.

use std::{borrow::Cow, sync::Arc};

use async_graphql::{ID, Object, Result};

use crate::expenses::{Expense, ExpenseStore, Part, PartCount, UnjoinedExpense, User};

use super::{
    expense_relations::{Relations, Siblings},
    expenses::expense_error,
};

/// An expense, and where its payee and tags are.
pub struct ExpenseNode {
    expense: Expense,
    relations: Relations,
}

impl ExpenseNode {
    /// One that has its payee and tags already.
    pub fn joined(expense: Expense) -> Self {
        Self {
            expense,
            relations: Relations::Joined,
        }
    }

    /// One whose payee and tags are read together with those of its siblings.
    pub fn among(unjoined: UnjoinedExpense, siblings: Arc<Siblings>) -> Self {
        let UnjoinedExpense { expense, payee_id } = unjoined;
        let relations = Relations::Batched { siblings, payee_id };
        Self { expense, relations }
    }

    /// One whose payee and tags are read for it alone.
    pub fn alone(unjoined: UnjoinedExpense, store: ExpenseStore) -> Self {
        let UnjoinedExpense { expense, payee_id } = unjoined;
        let relations = Relations::Alone { store, payee_id };
        Self { expense, relations }
    }
}

/// Something that was paid for.
#[Object(name = "Expense", serial)]
impl ExpenseNode {
    /// A UUID.
    async fn id(&self) -> ID {
        ID(self.expense.id.clone())
    }

    /// A few words.
    async fn title(&self) -> &str {
        &self.expense.title
    }

    /// Up to 1,500 characters.
    async fn description(&self) -> &str {
        &self.expense.description
    }

    /// In hundredths of the currency's unit.
    async fn price(&self) -> i64 {
        self.expense.price_cents
    }

    /// Whether everyone has paid their part.
    async fn resolved(&self) -> bool {
        self.expense.resolved
    }

    /// When it was paid, RFC 3339 in UTC with milliseconds.
    async fn date(&self) -> &str {
        &self.expense.date
    }

    /// When it was written down.
    async fn created_at(&self) -> &str {
        &self.expense.created_at
    }

    /// When it was last changed.
    async fn updated_at(&self) -> &str {
        &self.expense.updated_at
    }

    /// Who paid; null once that user is gone.
    async fn payee(&self) -> Result<Option<UserNode>> {
        let payee = self.relations.payee(&self.expense).await;
        let payee = payee.map_err(|error| expense_error(&error))?;
        Ok(payee.map(UserNode))
    }

    /// Sorted by name.
    async fn tags(&self) -> Result<Vec<TagNode<'_>>> {
        let tags = self.relations.tags(&self.expense).await;
        let tags = tags.map_err(|error| expense_error(&error))?;
        Ok(match tags {
            Cow::Borrowed(tags) => tags.iter().map(|name| TagNode(name.into())).collect(),
            Cow::Owned(tags) => tags.into_iter().map(|name| TagNode(name.into())).collect(),
        })
    }

    /// What was paid for together, made from the id of the expense and not read from the database.
    #[expect(
        clippy::unused_async,
        reason = "fields of the schema are async functions"
    )]
    async fn parts(
        &self,
        #[graphql(desc = "So many of the 50.")] first: u32,
    ) -> Result<Vec<PartNode>> {
        let count = PartCount::new(first).map_err(|error| expense_error(&error))?;
        Ok(count.of(&self.expense.id).map(PartNode).collect())
    }
}

/// A user.
pub struct UserNode(pub(super) User);

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
pub struct TagNode<'a>(Cow<'a, str>);

/// A word that expenses are sorted by.
#[Object(name = "Tag", serial)]
impl TagNode<'_> {
    /// Unique.
    async fn name(&self) -> &str {
        &self.0
    }
}

/// A part.
pub struct PartNode(Part);

/// One of the things that an expense consists of.
#[Object(name = "Part", serial)]
impl PartNode {
    /// Counted from 1.
    async fn number(&self) -> u32 {
        self.0.number
    }

    /// A word or two.
    async fn name(&self) -> &str {
        self.0.name
    }

    /// Pieces.
    async fn quantity(&self) -> u32 {
        self.0.quantity
    }

    /// Of one piece, in hundredths of the currency's unit.
    async fn price(&self) -> u32 {
        self.0.price_cents
    }
}
