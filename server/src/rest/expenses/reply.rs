//! How users and expenses are written.

use axum::response::Response;
use http::{HeaderValue, StatusCode, header::LOCATION};
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::super::{RestError, fields::Fields, reply};
use crate::expenses::{Expense, ExpenseFields, PartCount, User};

/// What an expense consists of, in the order in which it is written.
const FIELDS: [(&str, ExpenseFields); 10] = [
    ("id", ExpenseFields::ID),
    ("title", ExpenseFields::TITLE),
    ("description", ExpenseFields::DESCRIPTION),
    ("price", ExpenseFields::PRICE),
    ("resolved", ExpenseFields::RESOLVED),
    ("date", ExpenseFields::DATE),
    ("createdAt", ExpenseFields::CREATED_AT),
    ("updatedAt", ExpenseFields::UPDATED_AT),
    ("payee", ExpenseFields::PAYEE),
    ("tags", ExpenseFields::TAGS),
];
/// A little more than a user or an expense takes, so that the buffer of a list does not grow.
const USER_BYTES: usize = 160;
const EXPENSE_BYTES: usize = 540;

/// How much of each expense is written.
#[derive(Debug)]
pub(super) struct Shape {
    fields: ExpenseFields,
    expand_payee: bool,
    parts: Option<PartCount>,
}

impl Shape {
    /// # Errors
    /// [`RestError::UnknownField`].
    pub(super) fn new(
        expand_payee: bool,
        fields: Option<&Fields>,
        parts: Option<PartCount>,
    ) -> Result<Self, RestError> {
        if let Some(fields) = fields {
            fields.check(&FIELDS.map(|(name, _)| name))?;
        }
        let wanted = FIELDS
            .into_iter()
            .filter_map(|(name, field)| fields.map_or(Some(field), |all| all.wanted(name, field)));
        Ok(Self {
            fields: wanted.collect(),
            expand_payee,
            parts,
        })
    }

    /// What has to be known of an expense: no more of its payee than is written, and the id that its
    /// parts are made from.
    pub(super) fn fields_to_read(&self) -> ExpenseFields {
        let mut fields = self.fields;
        if !self.expand_payee {
            fields -= ExpenseFields::PAYEE_CREATED_AT | ExpenseFields::PAYEE_UPDATED_AT;
        }
        if self.parts.is_some() {
            fields |= ExpenseFields::ID;
        }
        fields
    }

    /// Every field, with the payee by id and name.
    pub(super) fn whole() -> Self {
        Self {
            fields: ExpenseFields::all(),
            expand_payee: false,
            parts: None,
        }
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

/// The parts of an expense, written one by one.
struct PartList<'a> {
    count: PartCount,
    expense_id: &'a str,
}

#[derive(Serialize)]
struct PartReply {
    number: u32,
    name: &'static str,
    quantity: u32,
    price: u32,
}

impl Serialize for PartList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = self.count.of(self.expense_id);
        serializer.collect_seq(parts.map(|part| PartReply {
            number: part.number,
            name: part.name,
            quantity: part.quantity,
            price: part.price_cents,
        }))
    }
}

/// What an expense's reader asked for.
struct ExpenseReply<'a> {
    expense: &'a Expense,
    shape: &'a Shape,
}

impl Serialize for ExpenseReply<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { expense, shape } = self;
        let mut object = serializer.serialize_struct("Expense", FIELDS.len() + 1)?;
        for (name, field) in FIELDS {
            if !shape.fields.contains(field) {
                continue;
            }
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
        if let Some(count) = shape.parts {
            let expense_id = &expense.id;
            object.serialize_field("parts", &PartList { count, expense_id })?;
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
