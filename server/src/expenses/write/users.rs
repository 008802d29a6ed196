//! Users: new ones, changed ones, and gone ones.

use jiff::Timestamp;
use sqlx::error::DatabaseError;
use uuid::Uuid;

use super::super::{
    ExpenseError, ExpenseStore, User, UserDraft,
    database::{Statement, Transaction, Value},
    draft::{check_password, check_username},
    generator::moment_text,
    password,
    read::user,
};

/// What is kept of a password.
struct Secret {
    hash: String,
    salt: String,
}

impl Secret {
    /// Takes 50 ms of CPU time by design, which must not hold up the requests of others.
    async fn of(password: String) -> Result<Self, ExpenseError> {
        let work = move || {
            let salt = password::fresh_salt();
            let hash = password::hash(&password, &salt);
            Self { hash, salt }
        };
        let done = tokio::task::spawn_blocking(work).await;
        done.map_err(|_| ExpenseError::Ending)
    }
}

impl ExpenseStore {
    /// Writes a new user, and says how it is kept.
    ///
    /// # Errors
    /// Name or password is not accepted, another user has the name, or the database failed.
    pub async fn create_user(&self, draft: UserDraft) -> Result<User, ExpenseError> {
        draft.check()?;
        let now = moment_text(Timestamp::now());
        let secret = Secret::of(draft.password).await?;
        let user = User {
            id: Uuid::new_v4().to_string(),
            username: draft.username,
            created_at: now.clone(),
            updated_at: now,
        };
        let mut transaction = self.begin().await?;
        let executed = transaction.execute(insert(&user, secret)).await;
        executed.map_err(|error| self.name_error(error, &user.username))?;
        self.commit(transaction).await?;
        Ok(user)
    }

    /// Gives a user another name and, unless it is left out, another password, and says how the user is
    /// kept.
    ///
    /// # Errors
    /// As [`ExpenseStore::create_user`], or there is no such user.
    pub async fn change_user(
        &self,
        id: &str,
        username: String,
        password: Option<String>,
    ) -> Result<User, ExpenseError> {
        check_username(&username)?;
        let secret = match password {
            None => None,
            Some(password) => {
                check_password(&password)?;
                Some(Secret::of(password).await?)
            }
        };
        let mut transaction = self.begin().await?;
        let kept = self.user_within(&mut transaction, id).await?;
        let user = User {
            username,
            updated_at: moment_text(Timestamp::now()),
            ..kept.ok_or_else(|| unknown(id))?
        };
        let executed = transaction.execute(update(&user, secret)).await;
        if executed.map_err(|error| self.name_error(error, &user.username))? == 0 {
            return Err(unknown(id));
        }
        self.commit(transaction).await?;
        Ok(user)
    }

    /// Removes a user; what the user paid for stays, without a payee.
    ///
    /// # Errors
    /// There is no such user, or the database failed.
    pub async fn delete_user(&self, id: &str) -> Result<(), ExpenseError> {
        self.delete("DELETE FROM users WHERE id = ", id, unknown)
            .await
    }

    /// The user with this id, as the transaction sees it.
    pub(super) async fn user_within(
        &self,
        transaction: &mut Transaction,
        id: &str,
    ) -> Result<Option<User>, ExpenseError> {
        let mut statement =
            Statement::new("SELECT id, username, created_at, updated_at FROM users WHERE id = ");
        statement.push_bind(id);
        let rows = transaction.rows(statement).await;
        let row = rows.map_err(|error| self.error(error))?.pop();
        let user = row.map(|row| user(&row, 0)).transpose();
        user.map_err(|error| self.error(error))
    }

    fn name_error(&self, error: sqlx::Error, username: &str) -> ExpenseError {
        let said = error.as_database_error();
        if said.is_some_and(<dyn DatabaseError>::is_unique_violation) {
            let username = username.to_owned();
            return ExpenseError::NameTaken { username };
        }
        self.error(error)
    }
}

fn unknown(id: &str) -> ExpenseError {
    ExpenseError::UnknownUser { id: id.to_owned() }
}

fn insert(user: &User, secret: Secret) -> Statement {
    let mut statement = Statement::new(
        "INSERT INTO users (id, username, password_hash, salt, created_at, updated_at) VALUES ",
    );
    statement.push_row([
        Value::from(&user.id),
        Value::from(&user.username),
        Value::from(secret.hash),
        Value::from(secret.salt),
        Value::from(&user.created_at),
        Value::from(&user.updated_at),
    ]);
    statement
}

fn update(user: &User, secret: Option<Secret>) -> Statement {
    let mut statement = Statement::new("UPDATE users SET username = ");
    statement.push_bind(&user.username);
    statement
        .push(", updated_at = ")
        .push_bind(&user.updated_at);
    if let Some(Secret { hash, salt }) = secret {
        statement.push(", password_hash = ").push_bind(hash);
        statement.push(", salt = ").push_bind(salt);
    }
    statement.push(" WHERE id = ").push_bind(&user.id);
    statement
}
