//! How users and expenses look in JSON, for the document alone: `reply` writes only what is asked for.

#![expect(dead_code, reason = "it describes what others write")]

use utoipa::ToSchema;

/// All users.
#[derive(ToSchema)]
pub(super) struct Users {
    /// The oldest first.
    data: Vec<User>,
}

/// One user.
#[derive(ToSchema)]
pub(super) struct OneUser {
    data: User,
}

/// A member of the household.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct User {
    #[schema(format = "uuid")]
    id: String,
    /// Unique.
    username: String,
    /// RFC 3339 in UTC with milliseconds.
    #[schema(format = DateTime)]
    created_at: String,
    /// As `createdAt`.
    #[schema(format = DateTime)]
    updated_at: String,
}

/// Some expenses.
#[derive(ToSchema)]
pub(super) struct Expenses {
    /// The newest first.
    data: Vec<Expense>,
}

/// One expense.
#[derive(ToSchema)]
pub(super) struct OneExpense {
    data: Expense,
}

/// Something that was paid for. With `fields` it has these alone.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct Expense {
    #[schema(format = "uuid", required = false)]
    id: String,
    /// A few words.
    #[schema(required = false)]
    title: String,
    /// Up to 1,500 characters.
    #[schema(required = false)]
    description: String,
    /// In hundredths of the currency's unit.
    #[schema(required = false)]
    price: i64,
    /// Whether everyone has paid their part.
    #[schema(required = false)]
    resolved: bool,
    /// When it was paid: RFC 3339 in UTC with milliseconds.
    #[schema(format = DateTime, required = false)]
    date: String,
    /// When it was written down.
    #[schema(format = DateTime, required = false)]
    created_at: String,
    /// When it was last changed.
    #[schema(format = DateTime, required = false)]
    updated_at: String,
    /// Who paid; null once that user is gone.
    payee: Option<Payee>,
    /// Their names, sorted.
    #[schema(required = false)]
    tags: Vec<String>,
    /// As many as `parts` asked for.
    #[schema(required = false)]
    parts: Vec<Part>,
}

/// Who paid.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) struct Payee {
    #[schema(format = "uuid")]
    id: String,
    username: String,
    /// With `expand=payee`.
    #[schema(format = DateTime, required = false)]
    created_at: String,
    /// With `expand=payee`.
    #[schema(format = DateTime, required = false)]
    updated_at: String,
}

/// A part of an expense.
#[derive(ToSchema)]
pub(super) struct Part {
    /// From 1 on.
    number: u32,
    name: String,
    quantity: u32,
    /// In hundredths of the currency's unit.
    price: u32,
}

/// A token.
#[derive(ToSchema)]
pub(super) struct OneToken {
    data: Token,
}

/// What proves who asks, for 24 hours.
#[derive(ToSchema)]
pub(super) struct Token {
    /// To be sent as `Authorization: Bearer TOKEN`.
    token: String,
}

/// A field of an expense.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
pub(super) enum Field {
    Id,
    Title,
    Description,
    Price,
    Resolved,
    Date,
    CreatedAt,
    UpdatedAt,
    Payee,
    Tags,
}
