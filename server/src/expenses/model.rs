//! What is kept: users and what they paid for.

/// A member of the household. What proves who they are stays in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// A UUID of 36 characters.
    pub id: String,
    /// Unique; the generated ones are `test0` to `test499`.
    pub username: String,
    /// RFC 3339 in UTC with milliseconds, 24 characters.
    pub created_at: String,
    /// As `created_at`.
    pub updated_at: String,
}

/// Something that was paid for, with everything that one joined query finds about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expense {
    /// A UUID of 36 characters.
    pub id: String,
    /// A few words.
    pub title: String,
    /// Up to 1,500 characters.
    pub description: String,
    /// In hundredths of the currency's unit.
    pub price_cents: i64,
    /// Whether everyone has paid their part.
    pub resolved: bool,
    /// When it was paid: RFC 3339 in UTC with milliseconds, 24 characters.
    pub date: String,
    /// As `date`.
    pub created_at: String,
    /// As `date`.
    pub updated_at: String,
    /// Who paid; `None` once that user is gone.
    pub payee: Option<User>,
    /// Names of the tags, sorted.
    pub tags: Vec<String>,
}
