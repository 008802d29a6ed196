//! Users and expenses as messages.

use bookstore_proto::v1;

use crate::expenses::{Expense, ExpenseFields, Part, PartCount, User};

/// An expense with its first parts. Of the fields that were not asked for, the store may have had to read
/// the id.
pub fn expense(mut expense: Expense, fields: ExpenseFields, parts: PartCount) -> v1::Expense {
    let parts = parts.of(&expense.id).map(|one| part(&one)).collect();
    if !fields.contains(ExpenseFields::ID) {
        expense.id.clear();
    }
    v1::Expense {
        id: expense.id,
        title: expense.title,
        description: expense.description,
        price_cents: expense.price_cents,
        resolved: expense.resolved,
        date: expense.date,
        created_at: expense.created_at,
        updated_at: expense.updated_at,
        payee: expense.payee.map(user),
        tags: expense.tags,
        parts,
    }
}

/// A user.
pub fn user(user: User) -> v1::User {
    v1::User {
        id: user.id,
        username: user.username,
        created_at: user.created_at,
        updated_at: user.updated_at,
    }
}

fn part(part: &Part) -> v1::Part {
    v1::Part {
        number: part.number,
        name: part.name.to_owned(),
        quantity: part.quantity,
        price_cents: part.price_cents,
    }
}
