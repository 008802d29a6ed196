//! Users and expenses: what is asked for in REST and GraphQL, and what the answers must have.

use std::{borrow::Cow, collections::HashMap};

use bookstore_proto::v1;
use bytes::Bytes;
use http::{HeaderValue, Uri};
use prost_types::FieldMask;
use serde::Deserialize;

use super::{
    graphql::data,
    rest::{expect_ok, parse},
};
use crate::{
    catalogue::Style,
    load::{
        failure::Fault,
        household::Household,
        wire::{HttpAnswer, HttpRequest},
    },
};

const EXPENSES: &str = include_str!("../../../../k6/lib/documents/expenses.graphql");
const PRICES: &str = include_str!("../../../../k6/lib/documents/prices.graphql");
const SIDE_BY_SIDE: &str = include_str!("../../../../k6/lib/documents/side-by-side.graphql");

/// What an answer must have, given what was asked for.
pub(in crate::load) type Check = fn(&HttpAnswer, &Household) -> Result<(), Fault>;

/// A document of the expenses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Document {
    /// Expenses with their payees.
    Expenses,
    /// Prices of unresolved ones.
    Prices,
    /// Four lists of prices.
    SideBySide,
}

/// The request of a cell whose operation is one HTTP request, and what its answer has to be.
pub(in crate::load) fn single_request(
    cell: &str,
    host: &HeaderValue,
    household: &Household,
) -> Option<(HttpRequest, Check)> {
    let list = |more| list(host, household, more);
    let query = |document| query(host, household, document);
    let (request, check): (_, Check) = match cell {
        "e-expenses-rest" => (list(""), check_list),
        "e-users-rest" => (users(host, household), check_users),
        "e-A-rest-expand" => (list("&expand=payee"), check_expanded),
        "e-A-graphql" => (query(Document::Expenses), check_query),
        "e-B-rest" => (list("&resolved=false"), check_unresolved),
        "e-B-rest-fields" => (list("&resolved=false&fields=price"), check_prices),
        "e-B-graphql" => (query(Document::Prices), check_price_query),
        "e-pool-graphql" => (query(Document::SideBySide), check_side_by_side),
        _ => return None,
    };
    Some((request, check))
}

/// The two requests of task A.
pub(in crate::load) fn both(
    host: &HeaderValue,
    household: &Household,
) -> (HttpRequest, HttpRequest) {
    (list(host, household, ""), users(host, household))
}

/// All users.
fn users(host: &HeaderValue, household: &Household) -> HttpRequest {
    rest(host, household, Uri::from_static("/api/v1/users"))
}

/// The list of expenses, with more of a query behind the number.
fn list(host: &HeaderValue, household: &Household, query: &str) -> HttpRequest {
    let (limit, parts) = (household.limit, household.parts);
    let parts = if parts > 0 {
        format!("&parts={parts}")
    } else {
        String::new()
    };
    let uri = Uri::try_from(format!("/api/v1/expenses?limit={limit}{query}{parts}"))
        .expect("digits and our own words are allowed in a query");
    rest(host, household, uri)
}

fn rest(host: &HeaderValue, household: &Household, uri: Uri) -> HttpRequest {
    let request = HttpRequest::get(host, uri);
    match household.token_of(Style::Rest) {
        Some(token) => request.authorized(token),
        None => request,
    }
}

/// A query, for as many expenses and parts as are asked for.
fn query(host: &HeaderValue, household: &Household, document: Document) -> HttpRequest {
    let body = serde_json::json!({ "query": text(household, document) }).to_string();
    let uri = Uri::from_static("/graphql");
    let request = HttpRequest::post(host, uri, "application/json", Bytes::from(body));
    match household.token_of(Style::GraphQl) {
        Some(token) => request.authorized(token),
        None => request,
    }
}

fn text(household: &Household, document: Document) -> String {
    let text = match document {
        Document::Expenses => EXPENSES,
        Document::Prices => PRICES,
        Document::SideBySide => SIDE_BY_SIDE,
    };
    let limit = format!("limit:{}", household.limit);
    let text = text.trim().replace("limit:500", &limit);
    if household.parts == 0 {
        return text;
    }
    let parts = format!(
        "tags{{name}},parts(first:{}){{number,name,quantity,price}}",
        household.parts
    );
    text.replacen("tags{name}", &parts, 1)
}

/// REST's envelope.
#[derive(Deserialize)]
struct Envelope<T> {
    data: T,
}

/// A user as REST and GraphQL write one.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct User<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    username: Cow<'a, str>,
    #[serde(borrow)]
    created_at: Cow<'a, str>,
    #[serde(borrow)]
    #[expect(dead_code, reason = "must be there and be a text")]
    updated_at: Cow<'a, str>,
}

/// An expense with what its style tells of the payee.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Expense<'a, P> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    title: Cow<'a, str>,
    #[serde(borrow)]
    description: Cow<'a, str>,
    price: i64,
    resolved: bool,
    #[serde(borrow)]
    date: Cow<'a, str>,
    #[serde(borrow)]
    created_at: Cow<'a, str>,
    #[serde(borrow)]
    updated_at: Cow<'a, str>,
    payee: P,
    #[serde(default)]
    parts: Vec<Part<'a>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "must be there and have their types")]
struct Part<'a> {
    number: u32,
    #[serde(borrow)]
    name: Cow<'a, str>,
    quantity: u32,
    price: u32,
}

/// What a list in REST tells of a payee.
#[derive(Debug, Deserialize)]
struct Payee<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Priced {
    #[expect(dead_code, reason = "must be there and be a number")]
    price: i64,
}

/// 200 and all users.
fn check_users(answer: &HttpAnswer, _: &Household) -> Result<(), Fault> {
    let users: Vec<User> = enveloped(answer, "a list of users")?;
    Fault::unless_equal("whether there are users", !users.is_empty(), true)?;
    users
        .iter()
        .try_for_each(|user| Fault::if_empty("a user's name", &user.username))
}

/// 200 and as many expenses as were asked for.
fn check_list(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    let expenses: Vec<Expense<Payee>> = enveloped(answer, "a list of expenses")?;
    check_count(expenses.len(), household)
}

/// 200 and as many expenses as were asked for, each with its whole payee and its parts.
fn check_expanded(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    let expenses: Vec<Expense<User>> = enveloped(answer, "a list of expenses with payees")?;
    check_whole(&expenses, household)
}

/// The same in GraphQL.
fn check_query(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Data<'a> {
        #[serde(borrow)]
        get_expenses: Vec<Expense<'a, User<'a>>>,
    }
    let data: Data = data(answer)?;
    check_whole(&data.get_expenses, household)
}

/// Puts the two lists of REST together: every expense gets the whole of its payee.
pub(in crate::load) fn merge(
    expenses: &HttpAnswer,
    users: &HttpAnswer,
    household: &Household,
) -> Result<(), Fault> {
    let expenses: Vec<Expense<Payee>> = enveloped(expenses, "a list of expenses")?;
    let users: Vec<User> = enveloped(users, "a list of users")?;
    let by_id: HashMap<&str, &User> = users.iter().map(|user| (&*user.id, user)).collect();
    let merged: Vec<Expense<User>> = expenses
        .into_iter()
        .map(|expense| with_payee(expense, &by_id))
        .collect::<Result<_, Fault>>()?;
    check_whole(&merged, household)
}

fn with_payee<'a>(
    expense: Expense<'a, Payee<'a>>,
    users: &HashMap<&str, &User<'a>>,
) -> Result<Expense<'a, User<'a>>, Fault> {
    let payee = users.get(&*expense.payee.id).copied().cloned();
    let payee = payee.ok_or_else(|| Fault::Value {
        field: "a payee",
        found: format!("`{}`", expense.payee.id),
        expected: "one of the users".to_owned(),
    })?;
    Ok(Expense {
        id: expense.id,
        title: expense.title,
        description: expense.description,
        price: expense.price,
        resolved: expense.resolved,
        date: expense.date,
        created_at: expense.created_at,
        updated_at: expense.updated_at,
        payee,
        parts: expense.parts,
    })
}

/// 200 and unresolved expenses, whole.
fn check_unresolved(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    let expenses: Vec<Expense<Payee>> = enveloped(answer, "a list of expenses")?;
    check_some(expenses.len(), household)?;
    expenses
        .iter()
        .try_for_each(|one| Fault::unless_equal("whether one is resolved", one.resolved, false))
}

/// 200 and prices alone.
fn check_prices(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    let prices: Vec<Priced> = enveloped(answer, "a list of prices and nothing else")?;
    check_some(prices.len(), household)
}

/// The same in GraphQL.
fn check_price_query(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Data {
        get_expenses: Vec<Priced>,
    }
    let data: Data = data(answer)?;
    check_some(data.get_expenses.len(), household)
}

/// Four lists of prices.
fn check_side_by_side(answer: &HttpAnswer, household: &Household) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Data {
        first: Vec<Priced>,
        second: Vec<Priced>,
        third: Vec<Priced>,
        fourth: Vec<Priced>,
    }
    let data: Data = data(answer)?;
    [data.first, data.second, data.third, data.fourth]
        .iter()
        .try_for_each(|list| check_some(list.len(), household))
}

/// Path of `ExpensesService.ListExpenses`.
pub(in crate::load) const LIST_EXPENSES: &str = "/bookstore.bench.v1.ExpensesService/ListExpenses";

/// What a gRPC answer must have, given what was asked for.
pub(in crate::load) type MessageCheck =
    fn(&v1::ListExpensesResponse, &Household) -> Result<(), Fault>;

/// The message of a cell whose operation is one gRPC call, and what its answer has to be.
pub(in crate::load) fn call(
    cell: &str,
    household: &Household,
) -> Option<(v1::ListExpensesRequest, MessageCheck)> {
    let whole = v1::ListExpensesRequest {
        limit: household.limit,
        parts: household.parts,
        ..v1::ListExpensesRequest::default()
    };
    match cell {
        "e-A-grpc" => Some((whole, check_message)),
        "e-B-grpc" => {
            let mask = FieldMask {
                paths: vec!["price_cents".to_owned()],
            };
            let prices = v1::ListExpensesRequest {
                resolved: Some(false),
                field_mask: Some(mask),
                ..whole
            };
            Some((prices, check_price_message))
        }
        _ => None,
    }
}

/// As many expenses as were asked for, each with its payee and parts.
fn check_message(answer: &v1::ListExpensesResponse, household: &Household) -> Result<(), Fault> {
    check_count(answer.expenses.len(), household)?;
    for expense in &answer.expenses {
        let created_at = expense.payee.as_ref().map_or("", |payee| &payee.created_at);
        Fault::if_empty("a payee's creation", created_at)?;
        Fault::unless_equal(
            "the number of parts",
            expense.parts.len(),
            household.parts as usize,
        )?;
    }
    Ok(())
}

/// Prices alone.
fn check_price_message(
    answer: &v1::ListExpensesResponse,
    household: &Household,
) -> Result<(), Fault> {
    check_some(answer.expenses.len(), household)?;
    answer.expenses.iter().try_for_each(|one| {
        let is_bare = one.id.is_empty() && one.payee.is_none();
        Fault::unless_equal("whether prices are alone", is_bare, true)
    })
}

fn enveloped<'a, T: Deserialize<'a>>(
    answer: &'a HttpAnswer,
    what: &'static str,
) -> Result<T, Fault> {
    expect_ok(answer)?;
    parse::<Envelope<T>>(answer, what).map(|envelope| envelope.data)
}

fn check_whole(expenses: &[Expense<User>], household: &Household) -> Result<(), Fault> {
    check_count(expenses.len(), household)?;
    for expense in expenses {
        Fault::if_empty("a payee's creation", &expense.payee.created_at)?;
        Fault::unless_equal(
            "the number of parts",
            expense.parts.len(),
            household.parts as usize,
        )?;
    }
    Ok(())
}

fn check_count(found: usize, household: &Household) -> Result<(), Fault> {
    Fault::unless_equal("the number of expenses", found, household.limit as usize)
}

/// There may be fewer unresolved ones than are asked for.
fn check_some(found: usize, household: &Household) -> Result<(), Fault> {
    let fits = (1..=household.limit as usize).contains(&found);
    Fault::unless_equal("whether as many prices as asked for came", fits, true)
}
