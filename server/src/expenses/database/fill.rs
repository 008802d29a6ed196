//! Fills an empty database with the generated household.

use super::{
    super::{
        SqlMeter,
        generator::{Household, HouseholdSize, tag_names},
        model::{Expense, User},
        password::{GENERATED_HASH, GENERATED_SALT},
    },
    Pool, Row, Statement, Transaction, Value,
};

/// Rows in one statement: `SQLite` looks each placeholder up in the list of all of them.
const ROWS_PER_STATEMENT: usize = 50;

const COUNT: &str = "SELECT (SELECT COUNT(*) FROM users) + (SELECT COUNT(*) FROM expenses)";

/// Fills an empty database, whole or not at all. Of several servers that start at once, one does it.
pub async fn fill(pool: &Pool, size: HouseholdSize) -> Result<(), sqlx::Error> {
    let uncounted = SqlMeter::default();
    if is_filled(&pool.rows(Statement::new(COUNT), &uncounted).await?)? {
        return Ok(());
    }
    let mut transaction = pool.begin().await?;
    if let Transaction::Postgres(_) = transaction {
        let lock = Statement::new("LOCK TABLE users, expenses IN SHARE ROW EXCLUSIVE MODE");
        transaction.execute(lock).await?;
    }
    if is_filled(&transaction.rows(Statement::new(COUNT)).await?)? {
        return Ok(());
    }
    let Household { users, expenses } = Household::generate(size);
    for some in users.chunks(ROWS_PER_STATEMENT) {
        transaction.execute(insert_users(some)).await?;
    }
    for some in expenses.chunks(ROWS_PER_STATEMENT) {
        transaction.execute(insert_expenses(some)).await?;
    }
    if size.tags_per_expense > 0 {
        transaction.execute(insert_tags()).await?;
        for some in expenses.chunks(ROWS_PER_STATEMENT) {
            transaction.execute(insert_tags_of(some)).await?;
        }
    }
    transaction.commit().await
}

fn is_filled(rows: &[Row]) -> Result<bool, sqlx::Error> {
    let row = rows.first().ok_or(sqlx::Error::RowNotFound)?;
    Ok(row.try_get::<i64>(0)? > 0)
}

fn insert_users(users: &[User]) -> Statement {
    let mut statement = Statement::new(
        "INSERT INTO users (id, username, password_hash, salt, created_at, updated_at) VALUES ",
    );
    let mut glue = "";
    for user in users {
        statement.push(glue).push_row([
            Value::from(&user.id),
            Value::from(&user.username),
            Value::from(GENERATED_HASH),
            Value::from(GENERATED_SALT),
            Value::from(&user.created_at),
            Value::from(&user.updated_at),
        ]);
        glue = ", ";
    }
    statement
}

/// The statement for expenses without their tags.
pub fn insert_expenses(expenses: &[Expense]) -> Statement {
    let mut statement = Statement::new(
        "INSERT INTO expenses (id, title, description, price_cents, date, resolved, user_id, \
         created_at, updated_at) VALUES ",
    );
    let mut glue = "";
    for expense in expenses {
        statement.push(glue).push_row([
            Value::from(&expense.id),
            Value::from(&expense.title),
            Value::from(&expense.description),
            Value::from(expense.price_cents),
            Value::from(&expense.date),
            Value::from(expense.resolved),
            Value::from(expense.payee.as_ref().map(|payee| payee.id.clone())),
            Value::from(&expense.created_at),
            Value::from(&expense.updated_at),
        ]);
        glue = ", ";
    }
    statement
}

fn insert_tags() -> Statement {
    let mut statement = Statement::new("INSERT INTO tags (name) VALUES ");
    let mut glue = "";
    for name in tag_names() {
        statement.push(glue).push_row([Value::from(*name)]);
        glue = ", ";
    }
    statement
}

/// The statement for the tags of expenses, each of which has some.
fn insert_tags_of(expenses: &[Expense]) -> Statement {
    let mut statement = Statement::new(
        "INSERT INTO expense_tags (expense_id, tag_name, created_at, updated_at) VALUES ",
    );
    let mut glue = "";
    for expense in expenses {
        for name in &expense.tags {
            statement.push(glue).push_row([
                Value::from(&expense.id),
                Value::from(name),
                Value::from(&expense.created_at),
                Value::from(&expense.updated_at),
            ]);
            glue = ", ";
        }
    }
    statement
}
