//! What the adapters are given.

use super::{DatabaseError, DatabaseLocation, ExpenseStore, TokenScope, Tokens};

/// The store, and who has to prove who they are before they ask it.
#[derive(Clone)]
pub struct Expenses {
    /// Users and expenses.
    pub store: ExpenseStore,
    /// Makes and checks tokens.
    pub tokens: Tokens,
    /// Which styles ask for a token.
    pub token_scope: TokenScope,
}

impl Expenses {
    /// Opens the store, with a fresh key for the tokens.
    ///
    /// # Errors
    /// [`DatabaseError`], as [`ExpenseStore::open`].
    pub async fn open(
        location: &DatabaseLocation,
        connections: u32,
        token_scope: TokenScope,
    ) -> Result<Self, DatabaseError> {
        Ok(Self {
            store: ExpenseStore::open(location, connections).await?,
            tokens: Tokens::default(),
            token_scope,
        })
    }
}
