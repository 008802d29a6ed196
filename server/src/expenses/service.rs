//! What the adapters are given.

use super::{DatabaseError, DatabaseLocation, ExpenseStore, ExpensesConfig, Tokens};

/// The store, and what applies to those who ask it.
#[derive(Clone)]
pub struct Expenses {
    /// Users and expenses.
    pub store: ExpenseStore,
    /// Makes and checks tokens.
    pub tokens: Tokens,
    /// The settings that it was opened with.
    pub config: ExpensesConfig,
}

impl Expenses {
    /// Opens the store, with a fresh key for the tokens.
    ///
    /// # Errors
    /// [`DatabaseError`], as [`ExpenseStore::open`].
    pub async fn open(
        location: &DatabaseLocation,
        config: &ExpensesConfig,
    ) -> Result<Self, DatabaseError> {
        Ok(Self {
            store: ExpenseStore::open(location, config.connections, config.household()).await?,
            tokens: Tokens::default(),
            config: config.clone(),
        })
    }
}
