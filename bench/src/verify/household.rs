//! Users and expenses in every style.

use bookstore_proto::v1;
use http::{Method, StatusCode};
use prost_types::FieldMask;
use serde_json::{Value, json};

use super::{
    Answer,
    peer::{Peer, Transport, VerifyError, unreadable},
};

/// What is asked about the expenses, in each style's words.
pub(super) struct Question {
    /// For a difference.
    pub(super) name: &'static str,
    rest: &'static str,
    graphql: &'static str,
    grpc: fn() -> v1::ListExpensesRequest,
}

/// The tasks, other lists, and one that is empty.
pub(super) const QUESTIONS: [Question; 5] = [
    Question {
        name: "500 expenses",
        rest: "limit=500",
        graphql: "limit:500",
        grpc: || newest(500),
    },
    Question {
        name: "500 unresolved expenses",
        rest: "limit=500&resolved=false",
        graphql: "limit:500,resolved:false",
        grpc: || v1::ListExpensesRequest {
            resolved: Some(false),
            ..newest(500)
        },
    },
    Question {
        name: "all expenses",
        rest: "limit=100000",
        graphql: "limit:100000",
        grpc: || newest(100_000),
    },
    Question {
        name: "expenses of a month",
        rest: "limit=20&skip=30&month=2&year=2020&resolved=true",
        graphql: "limit:20,skip:30,month:2,year:2020,resolved:true",
        grpc: || v1::ListExpensesRequest {
            skip: 30,
            month: 2,
            year: 2020,
            resolved: Some(true),
            ..newest(20)
        },
    },
    Question {
        name: "expenses of a year without any",
        rest: "year=1999",
        graphql: "year:1999",
        grpc: || v1::ListExpensesRequest {
            year: 1999,
            ..newest(50)
        },
    },
];

const EXPENSE: &str = "id,title,description,price,date,resolved,createdAt,updatedAt,\
                       payee{username,id,createdAt,updatedAt},tags{name}";

/// Expenses with their payees, as each way to ask for them makes the client see them.
pub(super) async fn ask(
    peer: Peer,
    question: &Question,
) -> Result<Vec<Answer<Vec<Value>>>, VerifyError> {
    let mut answers = vec![
        Answer {
            style: "REST",
            content: merged(peer, question).await?,
        },
        Answer {
            style: "REST with payees",
            content: list(peer, &format!("{}&expand=payee", question.rest)).await?,
        },
        Answer {
            style: "GraphQL",
            content: query(peer, question).await?,
        },
    ];
    for transport in [Transport::Grpc, Transport::Web] {
        answers.push(Answer {
            style: transport.name(),
            content: call(peer, transport, &(question.grpc)()).await?,
        });
    }
    Ok(answers)
}

/// Prices alone, in every style.
pub(super) async fn ask_prices(peer: Peer) -> Result<Vec<Answer<Vec<Value>>>, VerifyError> {
    let whole = list(peer, "limit=500&resolved=false").await?;
    let document = "{getExpenses(resolved:false,limit:500){price}}";
    Ok(vec![
        Answer {
            style: "REST",
            content: whole
                .iter()
                .map(|expense| json!({ "price": expense["price"] }))
                .collect(),
        },
        Answer {
            style: "REST with sparse fieldsets",
            content: list(peer, "limit=500&resolved=false&fields=price").await?,
        },
        Answer {
            style: "GraphQL",
            content: items(document, &graphql(peer, document).await?["getExpenses"])?,
        },
        Answer {
            style: "gRPC with a field mask",
            content: prices(peer).await?,
        },
    ])
}

/// All users, in every style.
pub(super) async fn ask_users(peer: Peer) -> Result<Vec<Answer<Vec<Value>>>, VerifyError> {
    let document = "{getUsers{id,username,createdAt,updatedAt}}";
    Ok(vec![
        Answer {
            style: "REST",
            content: users(peer).await?,
        },
        Answer {
            style: "GraphQL",
            content: items(document, &graphql(peer, document).await?["getUsers"])?,
        },
        Answer {
            style: "gRPC",
            content: called_users(peer).await?,
        },
    ])
}

/// REST's two lists, put together as its clients do.
async fn merged(peer: Peer, question: &Question) -> Result<Vec<Value>, VerifyError> {
    let users = users(peer).await?;
    let mut expenses = list(peer, question.rest).await?;
    for expense in &mut expenses {
        let found = users
            .iter()
            .find(|user| user["id"] == expense["payee"]["id"]);
        expense["payee"] = found.cloned().unwrap_or(Value::Null);
    }
    Ok(expenses)
}

async fn users(peer: Peer) -> Result<Vec<Value>, VerifyError> {
    let path = "/api/v1/users";
    let (_, answer) = peer.json(Method::GET, path, None).await?;
    items(path, &answer["data"])
}

/// A list of REST; one without expenses is answered by 404.
async fn list(peer: Peer, query: &str) -> Result<Vec<Value>, VerifyError> {
    let path = format!("/api/v1/expenses?{query}");
    let (status, answer) = peer.json(Method::GET, &path, None).await?;
    if status == StatusCode::NOT_FOUND {
        return Ok(Vec::new());
    }
    items(&path, &answer["data"])
}

async fn query(peer: Peer, question: &Question) -> Result<Vec<Value>, VerifyError> {
    let document = format!("{{getExpenses({}){{{EXPENSE}}}}}", question.graphql);
    let mut expenses = items(&document, &graphql(peer, &document).await?["getExpenses"])?;
    for expense in &mut expenses {
        let tags = expense["tags"].take();
        let names = tags.as_array().into_iter().flatten();
        expense["tags"] = names.map(|tag| tag["name"].clone()).collect();
    }
    Ok(expenses)
}

fn newest(limit: u32) -> v1::ListExpensesRequest {
    v1::ListExpensesRequest {
        limit,
        ..v1::ListExpensesRequest::default()
    }
}

async fn call(
    peer: Peer,
    transport: Transport,
    message: &v1::ListExpensesRequest,
) -> Result<Vec<Value>, VerifyError> {
    let method = "ExpensesService/ListExpenses";
    let called = peer
        .call::<v1::ListExpensesResponse>(transport, method, message)
        .await?;
    let status = called.status;
    let answer = called
        .message
        .ok_or_else(|| unreadable(method, &format!("status {status}")))?;
    Ok(answer.expenses.iter().map(expense).collect())
}

async fn prices(peer: Peer) -> Result<Vec<Value>, VerifyError> {
    let mask = FieldMask {
        paths: vec!["price_cents".to_owned()],
    };
    let message = v1::ListExpensesRequest {
        resolved: Some(false),
        field_mask: Some(mask),
        ..newest(500)
    };
    let found = call(peer, Transport::Grpc, &message).await?;
    let price = |expense: &Value| json!({ "price": expense["price"] });
    Ok(found.iter().map(price).collect())
}

async fn called_users(peer: Peer) -> Result<Vec<Value>, VerifyError> {
    let method = "ExpensesService/ListUsers";
    let message = v1::ListUsersRequest {};
    let called = peer
        .call::<v1::ListUsersResponse>(Transport::Grpc, method, &message)
        .await?;
    let status = called.status;
    let answer = called
        .message
        .ok_or_else(|| unreadable(method, &format!("status {status}")))?;
    Ok(answer.users.iter().map(user).collect())
}

/// A message as REST would write it.
fn expense(one: &v1::Expense) -> Value {
    json!({
        "id": one.id, "title": one.title, "description": one.description, "price": one.price_cents,
        "resolved": one.resolved, "date": one.date, "createdAt": one.created_at,
        "updatedAt": one.updated_at, "payee": one.payee.as_ref().map(user), "tags": one.tags,
    })
}

fn user(one: &v1::User) -> Value {
    json!({
        "id": one.id, "username": one.username, "createdAt": one.created_at,
        "updatedAt": one.updated_at,
    })
}

async fn graphql(peer: Peer, document: &str) -> Result<Value, VerifyError> {
    let request = json!({ "query": document });
    let (_, mut answer) = peer.json(Method::POST, "/graphql", Some(request)).await?;
    Ok(answer["data"].take())
}

fn items(what: &str, list: &Value) -> Result<Vec<Value>, VerifyError> {
    let found = list.as_array().cloned();
    found.ok_or_else(|| unreadable(what, &list.to_string()))
}
