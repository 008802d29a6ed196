//! A list of expenses: one joined statement, whoever asks, for the fields that were asked for.

use super::{
    Expense, ExpenseFields, ExpenseFilter, UnjoinedExpense, User,
    database::{Readable, Row, Statement},
};

/// What an expense holds itself, in the order in which it is read.
const OWN_COLUMNS: [(ExpenseFields, &str); 8] = [
    (ExpenseFields::ID, "e.id"),
    (ExpenseFields::TITLE, "e.title"),
    (ExpenseFields::DESCRIPTION, "e.description"),
    (ExpenseFields::PRICE, "e.price_cents"),
    (ExpenseFields::DATE, "e.date"),
    (ExpenseFields::RESOLVED, "e.resolved"),
    (ExpenseFields::CREATED_AT, "e.created_at"),
    (ExpenseFields::UPDATED_AT, "e.updated_at"),
];
/// What comes after it.
const PAYEE_COLUMNS: [(ExpenseFields, &str); 4] = [
    (ExpenseFields::PAYEE_ID, "u.id"),
    (ExpenseFields::PAYEE_USERNAME, "u.username"),
    (ExpenseFields::PAYEE_CREATED_AT, "u.created_at"),
    (ExpenseFields::PAYEE_UPDATED_AT, "u.updated_at"),
];

/// Rows of the same expense with different tags are told by its id, and no row can be empty.
pub fn fields_to_read(fields: ExpenseFields) -> ExpenseFields {
    if fields.is_empty() || fields.contains(ExpenseFields::TAGS) {
        fields | ExpenseFields::ID
    } else {
        fields
    }
}

/// The columns for these fields.
fn columns(fields: ExpenseFields) -> impl Iterator<Item = &'static str> {
    let tag = [(ExpenseFields::TAGS, "t.tag_name")];
    let all = OWN_COLUMNS.into_iter().chain(PAYEE_COLUMNS).chain(tag);
    all.filter(move |(field, _)| fields.contains(*field))
        .map(|(_, column)| column)
}

/// The newest are chosen before the tags are joined, since an expense with two tags makes two rows.
pub fn statement(filter: &ExpenseFilter, fields: ExpenseFields) -> Statement {
    let of_payee = fields.intersects(ExpenseFields::PAYEE);
    let of_tags = fields.contains(ExpenseFields::TAGS);
    let mut query = selecting(columns(fields));
    if !of_payee && !of_tags {
        push_chosen(&mut query, filter);
        return query;
    }
    let needed = (fields & ExpenseFields::OWN) | ExpenseFields::ID | ExpenseFields::DATE;
    query.push(" FROM (SELECT ");
    push_columns(&mut query, columns(needed).chain(["e.user_id"]));
    push_chosen(&mut query, filter);
    query.push(") e");
    if of_payee {
        query.push(" LEFT JOIN users u ON u.id = e.user_id");
    }
    if of_tags {
        query.push(" LEFT JOIN expense_tags t ON t.expense_id = e.id");
    }
    query.push(" ORDER BY e.date DESC, e.id");
    if of_tags {
        query.push(", t.tag_name");
    }
    query
}

/// As [`statement`], with the payer's id alone and without the tags.
pub fn unjoined_statement(filter: &ExpenseFilter) -> Statement {
    let mut query = selecting(columns(ExpenseFields::OWN).chain(["e.user_id"]));
    push_chosen(&mut query, filter);
    query
}

fn selecting(columns: impl Iterator<Item = &'static str>) -> Statement {
    let mut query = Statement::new("SELECT ");
    push_columns(&mut query, columns);
    query
}

fn push_columns(query: &mut Statement, columns: impl Iterator<Item = &'static str>) {
    let mut glue = "";
    for column in columns {
        query.push(glue).push(column);
        glue = ", ";
    }
}

/// Where the rows come from, and which they are.
fn push_chosen(query: &mut Statement, filter: &ExpenseFilter) {
    query.push(" FROM expenses e");
    let mut glue = " WHERE ";
    if let Some(id) = &filter.id {
        query.push(glue).push("e.id = ").push_bind(id.clone());
        glue = " AND ";
    }
    if let Some(period) = &filter.period {
        query
            .push(glue)
            .push("e.date > ")
            .push_bind(period.after.clone());
        query
            .push(" AND e.date < ")
            .push_bind(period.before.clone());
        glue = " AND ";
    }
    if let Some(resolved) = filter.resolved {
        query.push(glue).push("e.resolved = ").push_bind(resolved);
    }
    query
        .push(" ORDER BY e.date DESC, e.id LIMIT ")
        .push_bind(i64::from(filter.limit));
    query.push(" OFFSET ").push_bind(i64::from(filter.skip));
}

/// One expense of all rows that follow each other with the same id.
pub fn expenses(rows: &[Row], fields: ExpenseFields) -> Result<Vec<Expense>, sqlx::Error> {
    let has_tags = fields.contains(ExpenseFields::TAGS);
    let tag_column = columns(fields).count().saturating_sub(1);
    let mut expenses: Vec<Expense> = Vec::with_capacity(rows.len());
    for row in rows {
        if !has_tags {
            expenses.push(Columns::of(row).expense(fields)?);
            continue;
        }
        let id: &str = row.try_get(0)?;
        let tag: Option<String> = row.try_get(tag_column)?;
        match expenses.last_mut() {
            Some(last) if last.id == id => last.tags.extend(tag),
            _ => expenses.push(Expense {
                tags: tag.into_iter().collect(),
                ..Columns::of(row).expense(fields)?
            }),
        }
    }
    Ok(expenses)
}

/// An expense of a row of [`unjoined_statement`].
pub fn unjoined_expense(row: &Row) -> Result<UnjoinedExpense, sqlx::Error> {
    let mut columns = Columns::of(row);
    Ok(UnjoinedExpense {
        expense: columns.expense(ExpenseFields::OWN)?,
        payee_id: columns.next()?,
    })
}

/// Reads a row from left to right.
struct Columns<'r> {
    row: &'r Row,
    next: usize,
}

impl<'r> Columns<'r> {
    fn of(row: &'r Row) -> Self {
        Self { row, next: 0 }
    }

    fn next<T: Readable<'r>>(&mut self) -> Result<T, sqlx::Error> {
        let value = self.row.try_get(self.next);
        self.next += 1;
        value
    }

    /// The next column if it is wanted, and nothing in its place if it was not asked for.
    fn next_if<T: Readable<'r> + Default>(&mut self, wanted: bool) -> Result<T, sqlx::Error> {
        if wanted {
            self.next()
        } else {
            Ok(T::default())
        }
    }

    /// Without its tags.
    fn expense(&mut self, fields: ExpenseFields) -> Result<Expense, sqlx::Error> {
        let has = |field| fields.contains(field);
        Ok(Expense {
            id: self.next_if(has(ExpenseFields::ID))?,
            title: self.next_if(has(ExpenseFields::TITLE))?,
            description: self.next_if(has(ExpenseFields::DESCRIPTION))?,
            price_cents: self.next_if(has(ExpenseFields::PRICE))?,
            date: self.next_if(has(ExpenseFields::DATE))?,
            resolved: self.next_if(has(ExpenseFields::RESOLVED))?,
            created_at: self.next_if(has(ExpenseFields::CREATED_AT))?,
            updated_at: self.next_if(has(ExpenseFields::UPDATED_AT))?,
            payee: self.payee(fields)?,
            tags: Vec::new(),
        })
    }

    /// A user has no empty columns, so an empty first one means that there is no user.
    fn payee(&mut self, fields: ExpenseFields) -> Result<Option<User>, sqlx::Error> {
        let exists = fields.intersects(ExpenseFields::PAYEE)
            && self.row.try_get::<Option<&str>>(self.next)?.is_some();
        if !exists {
            return Ok(None);
        }
        let has = |field| fields.contains(field);
        Ok(Some(User {
            id: self.next_if(has(ExpenseFields::PAYEE_ID))?,
            username: self.next_if(has(ExpenseFields::PAYEE_USERNAME))?,
            created_at: self.next_if(has(ExpenseFields::PAYEE_CREATED_AT))?,
            updated_at: self.next_if(has(ExpenseFields::PAYEE_UPDATED_AT))?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(fields: ExpenseFields) -> String {
        let filter = ExpenseFilter {
            resolved: Some(false),
            ..ExpenseFilter::default()
        };
        statement(&filter, fields_to_read(fields)).text().to_owned()
    }

    #[test]
    fn no_column_is_read_that_was_not_asked_for() {
        const CHOSEN: &str =
            "FROM expenses e WHERE e.resolved = $1 ORDER BY e.date DESC, e.id LIMIT $2 OFFSET $3";
        for (fields, expected) in [
            (
                ExpenseFields::PRICE,
                format!("SELECT e.price_cents {CHOSEN}"),
            ),
            (
                ExpenseFields::TITLE | ExpenseFields::PAYEE_USERNAME,
                format!(
                    "SELECT e.title, u.username FROM (SELECT e.id, e.title, e.date, e.user_id {CHOSEN}) e \
                     LEFT JOIN users u ON u.id = e.user_id ORDER BY e.date DESC, e.id"
                ),
            ),
            (
                ExpenseFields::TAGS,
                format!(
                    "SELECT e.id, t.tag_name FROM (SELECT e.id, e.date, e.user_id {CHOSEN}) e \
                     LEFT JOIN expense_tags t ON t.expense_id = e.id \
                     ORDER BY e.date DESC, e.id, t.tag_name"
                ),
            ),
            (ExpenseFields::empty(), format!("SELECT e.id {CHOSEN}")),
        ] {
            assert_eq!(text(fields), expected);
        }
    }

    #[test]
    fn everything_is_one_joined_statement() {
        let text = text(ExpenseFields::all());
        assert_eq!(text.matches(" JOIN ").count(), 2);
        assert!(
            text.contains("u.updated_at, t.tag_name FROM (SELECT e.id, e.title"),
            "{text}"
        );
    }
}
