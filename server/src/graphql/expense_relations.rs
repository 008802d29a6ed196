//! How a resolver comes by the payee and the tags of an expense.

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    slice,
    sync::Arc,
};

use tokio::sync::OnceCell;

use crate::expenses::{Expense, ExpenseError, ExpenseStore, UnjoinedExpense, User};

/// Where payee and tags are.
pub enum Relations {
    /// In the expense: the list was joined with them.
    Joined,
    /// In the database, to be read for all expenses of the list at once.
    Batched {
        siblings: Arc<Siblings>,
        payee_id: Option<String>,
    },
    /// In the database, to be read for this expense alone.
    Alone {
        store: ExpenseStore,
        payee_id: Option<String>,
    },
}

/// What was read for many, or why it could not be.
type Read<T> = Result<HashMap<String, T>, Arc<ExpenseError>>;

/// The payees and tags of a list. Whichever expense asks first has them read for all; the number of
/// statements so depends on nothing but the query. A loader that collects what is asked for within some
/// time, as the usual ones do, would send more of them on a busy machine.
pub struct Siblings {
    store: ExpenseStore,
    expense_ids: Vec<String>,
    payee_ids: Vec<String>,
    payees: OnceCell<Read<User>>,
    tags: OnceCell<Read<Vec<String>>>,
}

impl Siblings {
    /// Those of these expenses.
    pub fn new(store: ExpenseStore, expenses: &[UnjoinedExpense]) -> Arc<Self> {
        let payee_ids: HashSet<&String> = expenses
            .iter()
            .filter_map(|unjoined| unjoined.payee_id.as_ref())
            .collect();
        Arc::new(Self {
            store,
            expense_ids: expenses
                .iter()
                .map(|unjoined| unjoined.expense.id.clone())
                .collect(),
            payee_ids: payee_ids.into_iter().cloned().collect(),
            payees: OnceCell::new(),
            tags: OnceCell::new(),
        })
    }

    async fn payees(&self) -> &Read<User> {
        let read = async || {
            let users = self.store.users_by_id(&self.payee_ids).await;
            users.map_err(Arc::new)
        };
        self.payees.get_or_init(read).await
    }

    async fn tags(&self) -> &Read<Vec<String>> {
        let read = async || {
            let tags = self.store.tags_by_expense(&self.expense_ids).await;
            tags.map_err(Arc::new)
        };
        self.tags.get_or_init(read).await
    }
}

impl Relations {
    /// Who paid; `None` once that user is gone.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn payee(&self, expense: &Expense) -> Result<Option<User>, Arc<ExpenseError>> {
        match self {
            Self::Joined => Ok(expense.payee.clone()),
            Self::Batched { siblings, payee_id } => match payee_id {
                None => Ok(None),
                Some(id) => {
                    let payees = siblings.payees().await.as_ref().map_err(Arc::clone)?;
                    Ok(payees.get(id).cloned())
                }
            },
            Self::Alone { store, payee_id } => match payee_id {
                None => Ok(None),
                Some(id) => Ok(store.users_by_id(slice::from_ref(id)).await?.remove(id)),
            },
        }
    }

    /// The names of the tags, sorted.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn tags<'a>(
        &'a self,
        expense: &'a Expense,
    ) -> Result<Cow<'a, [String]>, Arc<ExpenseError>> {
        match self {
            Self::Joined => Ok(Cow::Borrowed(&expense.tags)),
            Self::Batched { siblings, .. } => {
                let tags = siblings.tags().await.as_ref().map_err(Arc::clone)?;
                let tags = tags.get(&expense.id).map_or(&[][..], Vec::as_slice);
                Ok(Cow::Borrowed(tags))
            }
            Self::Alone { store, .. } => {
                let id = slice::from_ref(&expense.id);
                let mut tags = store.tags_by_expense(id).await?;
                Ok(Cow::Owned(tags.remove(&expense.id).unwrap_or_default()))
            }
        }
    }
}
