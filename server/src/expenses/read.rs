//! What is read from the database. A list of expenses is one joined query, whoever asks.

use super::{
    Expense, ExpenseError, ExpenseFilter, ExpenseStore, User,
    database::{Row, Statement},
    password,
};

const USER_COLUMNS: &str = "id, username, created_at, updated_at";

/// The newest are chosen before the tags are joined, since an expense with two tags makes two rows.
const CHOSEN: &str = "SELECT e.id, e.title, e.description, e.price_cents, e.date, e.resolved, \
                      e.created_at, e.updated_at, u.id, u.username, u.created_at, u.updated_at, \
                      t.tag_name FROM (SELECT * FROM expenses";
const JOINED: &str = ") e LEFT JOIN users u ON u.id = e.user_id LEFT JOIN expense_tags t \
                      ON t.expense_id = e.id ORDER BY e.date DESC, e.id, t.tag_name";

impl ExpenseStore {
    /// The expenses that the filter lets through, newest first.
    ///
    /// # Errors
    /// [`ExpenseError::Database`].
    pub async fn expenses(&self, filter: &ExpenseFilter) -> Result<Vec<Expense>, ExpenseError> {
        let rows = self.rows(list(filter)).await?;
        expenses(&rows).map_err(|error| self.error(error))
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

    async fn users_of(&self, query: Statement) -> Result<Vec<User>, ExpenseError> {
        let rows = self.rows(query).await?;
        let users: Result<_, _> = rows.iter().map(|row| user(row, 0)).collect();
        users.map_err(|error| self.error(error))
    }
}

fn list(filter: &ExpenseFilter) -> Statement {
    let mut query = Statement::new(CHOSEN);
    let mut glue = " WHERE ";
    if let Some(id) = &filter.id {
        query.push(glue).push("id = ").push_bind(id.clone());
        glue = " AND ";
    }
    if let Some(period) = &filter.period {
        query
            .push(glue)
            .push("date > ")
            .push_bind(period.after.clone());
        query.push(" AND date < ").push_bind(period.before.clone());
        glue = " AND ";
    }
    if let Some(resolved) = filter.resolved {
        query.push(glue).push("resolved = ").push_bind(resolved);
    }
    query
        .push(" ORDER BY date DESC, id LIMIT ")
        .push_bind(i64::from(filter.limit));
    query.push(" OFFSET ").push_bind(i64::from(filter.skip));
    query.push(JOINED);
    query
}

/// One expense of all rows that follow each other with the same id.
fn expenses(rows: &[Row]) -> Result<Vec<Expense>, sqlx::Error> {
    let mut expenses: Vec<Expense> = Vec::with_capacity(rows.len());
    for row in rows {
        let id: &str = row.try_get(0)?;
        let tag: Option<String> = row.try_get(12)?;
        match expenses.last_mut() {
            Some(last) if last.id == id => last.tags.extend(tag),
            _ => expenses.push(expense(row, tag)?),
        }
    }
    Ok(expenses)
}

fn expense(row: &Row, tag: Option<String>) -> Result<Expense, sqlx::Error> {
    let has_payee = row.try_get::<Option<&str>>(8)?.is_some();
    Ok(Expense {
        id: row.try_get(0)?,
        title: row.try_get(1)?,
        description: row.try_get(2)?,
        price_cents: row.try_get(3)?,
        date: row.try_get(4)?,
        resolved: row.try_get(5)?,
        created_at: row.try_get(6)?,
        updated_at: row.try_get(7)?,
        payee: has_payee.then(|| user(row, 8)).transpose()?,
        tags: tag.into_iter().collect(),
    })
}

/// The user in the four columns from `first` on.
fn user(row: &Row, first: usize) -> Result<User, sqlx::Error> {
    Ok(User {
        id: row.try_get(first)?,
        username: row.try_get(first + 1)?,
        created_at: row.try_get(first + 2)?,
        updated_at: row.try_get(first + 3)?,
    })
}
