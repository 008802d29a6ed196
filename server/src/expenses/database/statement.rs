//! A statement of SQL with its values, which either database takes.

use sqlx::{AssertSqlSafe, Database, Encode, IntoArguments, Sqlite, Type, query::Query};

/// Text that is written in this program, and values from elsewhere: they never become part of the text.
#[derive(Debug)]
pub struct Statement {
    text: String,
    values: Vec<Value>,
}

/// What stands for a placeholder.
#[derive(Debug)]
pub enum Value {
    /// A text, or none.
    Text(Option<String>),
    /// A whole number.
    Number(i64),
    /// True or false.
    Truth(bool),
}

impl Statement {
    /// One that begins like this.
    pub fn new(text: &'static str) -> Self {
        Self {
            text: text.to_owned(),
            values: Vec::new(),
        }
    }

    /// More of its text.
    pub fn push(&mut self, text: &'static str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// The next value.
    pub fn push_bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.text.push('$');
        self.text.push_str(&self.values.len().to_string());
        self
    }

    /// Values with commas between, in brackets.
    pub fn push_row<const N: usize>(&mut self, values: [Value; N]) -> &mut Self {
        self.push("(");
        self.push_list(values);
        self.push(")")
    }

    /// Values with commas between.
    pub fn push_list(&mut self, values: impl IntoIterator<Item = Value>) -> &mut Self {
        let mut glue = "";
        for value in values {
            self.push(glue).push_bind(value);
            glue = ", ";
        }
        self
    }

    /// Its text, with a number for each value.
    #[cfg(test)]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a value holds U+0000. `PostgreSQL` refuses it in any text, and what is written is checked
    /// for it, so that nothing can be found by it.
    pub fn has_null_character(&self) -> bool {
        let texts = self.values.iter().filter_map(|value| match value {
            Value::Text(text) => text.as_deref(),
            _ => None,
        });
        texts.into_iter().any(|text| text.contains('\0'))
    }

    /// The same for the library.
    pub fn query<DB>(self) -> Query<'static, DB, DB::Arguments>
    where
        DB: Database,
        DB::Arguments: IntoArguments<DB>,
        Option<String>: Encode<'static, DB> + Type<DB>,
        i64: Encode<'static, DB> + Type<DB>,
        bool: Encode<'static, DB> + Type<DB>,
    {
        // SQLite looks each `$1` up in the list of all before it, but takes `?1` as a number; with 500
        // values that is most of the work. Only values hold other dollars.
        let text = if DB::NAME == Sqlite::NAME {
            self.text.replace('$', "?")
        } else {
            self.text
        };
        // Only text that is written in this program gets into `text`.
        let mut query = sqlx::query(AssertSqlSafe(text));
        for value in self.values {
            query = match value {
                Value::Text(text) => query.bind(text),
                Value::Number(number) => query.bind(number),
                Value::Truth(truth) => query.bind(truth),
            };
        }
        query
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(Some(text.to_owned()))
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(Some(text))
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Self {
        Self::Truth(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbered_and_stay_out_of_the_text() {
        let mut statement = Statement::new("UPDATE t SET (a, b) = ");
        statement.push_row([Value::from("x'; --"), Value::from(1)]);
        statement.push(" WHERE c = ").push_bind(true);
        assert_eq!(
            statement.text,
            "UPDATE t SET (a, b) = ($1, $2) WHERE c = $3"
        );
        assert_eq!(statement.values.len(), 3);
    }

    #[test]
    fn the_null_character_is_seen_wherever_it_stands() {
        let mut statement = Statement::new("SELECT ");
        statement.push_bind("plain").push_bind(None);
        assert!(!statement.has_null_character());
        statement.push_bind("a\0b");
        assert!(statement.has_null_character());
    }
}
