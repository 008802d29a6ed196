//! What is read from the database.

use super::{
    Expense, ExpenseError, ExpenseFilter, ExpenseStore, User,
    database::{Row, Statement},
    list, password,
};

pub(super) const USER_COLUMNS: &str = "id, username, created_at, updated_at";

impl ExpenseStore {
    /// The expenses that the filter lets through, newest first.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn expenses(&self, filter: &ExpenseFilter) -> Result<Vec<Expense>, ExpenseError> {
        let fields = list::fields_to_read(filter.fields);
        let rows = self.rows(list::statement(filter, fields)).await?;
        list::expenses(&rows, fields).map_err(|error| self.error(error))
    }

    /// One expense.
    ///
    /// # Errors
    /// It does not exist, or the database failed.
    pub async fn expense(&self, id: &str) -> Result<Expense, ExpenseError> {
        let filter = ExpenseFilter {
            id: Some(id.to_owned()),
            ..ExpenseFilter::default()
        };
        let found = self.expenses(&filter).await?.pop();
        found.ok_or_else(|| ExpenseError::UnknownExpense { id: id.to_owned() })
    }

    /// All users, the oldest first.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn users(&self) -> Result<Vec<User>, ExpenseError> {
        let mut query = Statement::new("SELECT ");
        query
            .push(USER_COLUMNS)
            .push(" FROM users ORDER BY created_at, id");
        self.users_of(query).await
    }

    /// One user.
    ///
    /// # Errors
    /// There is none, or the database failed.
    pub async fn user(&self, id: &str) -> Result<User, ExpenseError> {
        let mut query = Statement::new("SELECT ");
        query
            .push(USER_COLUMNS)
            .push(" FROM users WHERE id = ")
            .push_bind(id);
        let found = self.users_of(query).await?.pop();
        found.ok_or_else(|| ExpenseError::UnknownUser { id: id.to_owned() })
    }

    /// The user with this name, if the password is right. Takes 50 ms of CPU time by design.
    ///
    /// # Errors
    /// The two do not belong together, or the database failed.
    pub async fn log_in(&self, username: &str, password: String) -> Result<User, ExpenseError> {
        let wrong = || ExpenseError::WrongCredentials {
            username: username.to_owned(),
        };
        let mut query = Statement::new(
            "SELECT id, username, created_at, updated_at, password_hash, salt FROM users \
             WHERE username = ",
        );
        query.push_bind(username);
        let found = self.rows(query).await?.pop().ok_or_else(wrong)?;
        let read = |index| found.try_get::<String>(index);
        let expected = read(4).map_err(|error| self.error(error))?;
        let salt = read(5).map_err(|error| self.error(error))?;
        // So much work must not hold up the requests of others.
        let matches = move || password::matches(&password, &salt, &expected);
        if tokio::task::spawn_blocking(matches).await.unwrap_or(false) {
            user(&found, 0).map_err(|error| self.error(error))
        } else {
            Err(wrong())
        }
    }

    pub(super) async fn users_of(&self, query: Statement) -> Result<Vec<User>, ExpenseError> {
        let rows = self.rows(query).await?;
        let users: Result<_, _> = rows.iter().map(|row| user(row, 0)).collect();
        users.map_err(|error| self.error(error))
    }
}

/// The user in the four columns from `first` on.
pub(super) fn user(row: &Row, first: usize) -> Result<User, sqlx::Error> {
    Ok(User {
        id: row.try_get(first)?,
        username: row.try_get(first + 1)?,
        created_at: row.try_get(first + 2)?,
        updated_at: row.try_get(first + 3)?,
    })
}
