//! How users and expenses are written.

use axum::response::Response;
use http::{HeaderValue, StatusCode, header::LOCATION};
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::super::{RestError, fields::Fields, reply};
use crate::expenses::{Expense, User};

const FIELDS: [&str; 10] = [
    "id",
    "title",
    "description",
    "price",
    "resolved",
    "date",
    "createdAt",
    "updatedAt",
    "payee",
    "tags",
];
/// A little more than a user or an expense takes, so that the buffer of a list does not grow.
const USER_BYTES: usize = 160;
const EXPENSE_BYTES: usize = 540;

/// How much of each expense is written.
#[derive(Debug)]
pub(super) struct Shape {
    expand_payee: bool,
    fields: Option<Fields>,
}

impl Shape {
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn new(expand_payee: bool, fields: Option<Fields>) -> Result<Self, RestError> {
        if let Some(fields) = &fields {
            fields.check(&FIELDS)?;
        }
        Ok(Self {
            expand_payee,
            fields,
        })
    }

    /// Every field, with the payee by id and name.
    pub(super) fn whole() -> Self {
        Self {
            expand_payee: false,
            fields: None,
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.fields
            .as_ref()
            .is_none_or(|fields| fields.wanted(name, ()).is_some())
    }
}

/// What every answer is put into.
#[derive(Serialize)]
struct Envelope<T> {
    data: T,
}

#[derive(Serialize)]
struct Token<'a> {
    token: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UserReply<'a> {
    id: &'a str,
    username: &'a str,
    created_at: &'a str,
    updated_at: &'a str,
}

#[derive(Serialize)]
struct PayeeReply<'a> {
    id: &'a str,
    username: &'a str,
}

/// The part of an expense that its reader asked for.
struct ExpenseReply<'a> {
    expense: &'a Expense,
    shape: &'a Shape,
}

impl Serialize for ExpenseReply<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { expense, shape } = self;
        let mut object = serializer.serialize_struct("Expense", FIELDS.len())?;
        for name in FIELDS.into_iter().filter(|name| shape.wants(name)) {
            match name {
                "id" => object.serialize_field(name, &expense.id),
                "title" => object.serialize_field(name, &expense.title),
                "description" => object.serialize_field(name, &expense.description),
                "price" => object.serialize_field(name, &expense.price_cents),
                "resolved" => object.serialize_field(name, &expense.resolved),
                "date" => object.serialize_field(name, &expense.date),
                "createdAt" => object.serialize_field(name, &expense.created_at),
                "updatedAt" => object.serialize_field(name, &expense.updated_at),
                "payee" => match &expense.payee {
                    Some(payee) if shape.expand_payee => {
                        object.serialize_field(name, &UserReply::from(payee))
                    }
                    payee => object.serialize_field(name, &payee.as_ref().map(PayeeReply::from)),
                },
                _ => object.serialize_field(name, &expense.tags),
            }?;
        }
        object.end()
    }
}

/// Written one by one, without a list of replies in between.
struct ExpenseList<'a> {
    expenses: &'a [Expense],
    shape: &'a Shape,
}

impl Serialize for ExpenseList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let shape = self.shape;
        let replies = self.expenses.iter();
        serializer.collect_seq(replies.map(|expense| ExpenseReply { expense, shape }))
    }
}

struct UserList<'a>(&'a [User]);

impl Serialize for UserList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(UserReply::from))
    }
}

impl<'a> From<&'a User> for UserReply<'a> {
    fn from(user: &'a User) -> Self {
        Self {
            id: &user.id,
            username: &user.username,
            created_at: &user.created_at,
            updated_at: &user.updated_at,
        }
    }
}

impl<'a> From<&'a User> for PayeeReply<'a> {
    fn from(user: &'a User) -> Self {
        Self {
            id: &user.id,
            username: &user.username,
        }
    }
}

pub(super) fn expenses(expenses: &[Expense], shape: &Shape) -> Result<Response, RestError> {
    let data = ExpenseList { expenses, shape };
    reply::json_of(&Envelope { data }, EXPENSE_BYTES * expenses.len())
}

pub(super) fn expense(expense: &Expense, shape: &Shape) -> Result<Response, RestError> {
    let data = ExpenseReply { expense, shape };
    reply::json_of(&Envelope { data }, EXPENSE_BYTES)
}

pub(super) fn users(users: &[User]) -> Result<Response, RestError> {
    let data = UserList(users);
    reply::json_of(&Envelope { data }, USER_BYTES * users.len())
}

pub(super) fn user(user: &User) -> Result<Response, RestError> {
    let data = UserReply::from(user);
    reply::json(&Envelope { data })
}

/// The answer as 201, with the path under which the new thing is found.
pub(super) fn created(mut answer: Response, path: &str) -> Response {
    *answer.status_mut() = StatusCode::CREATED;
    let place = HeaderValue::from_str(path).expect("paths of ours are of visible ASCII");
    answer.headers_mut().insert(LOCATION, place);
    answer
}

pub(super) fn token(token: &str) -> Result<Response, RestError> {
    let data = Token { token };
    reply::json(&Envelope { data })
}
