//! A server with the generated household, to ask by call.

use axum::body::Body;
use bookstore_server::{App, BuildFacts, ServerConfig, app_with_expenses};
use clap::Parser;
use http::{HeaderMap, Method, Request, StatusCode, Version, request::Builder};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use super::database;

pub const BUILD: BuildFacts = BuildFacts {
    version: "1.2.3",
    git_revision: None,
    build_profile: "debug",
    allocator: "system",
};

/// What task A of the thesis selects, as a query of 136 characters.
pub const TASK_A: &str = "{getExpenses(limit:500){id,title,description,price,date,resolved,createdAt,\
                          updatedAt,payee{username,id,createdAt,updatedAt},tags{name}}}";
/// What task B of the thesis selects.
pub const TASK_B: &str = "{getExpenses(resolved:false,limit:500){price}}";

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

/// The settings of a command line, on free ports.
pub fn config(arguments: &[&str]) -> ServerConfig {
    let free_ports = ["serve", "--http-port=0", "--h2c-port=0", "--workers=1"];
    Command::try_parse_from([&free_ports, arguments].concat())
        .unwrap()
        .server
}

/// The routes of a server with expenses.
pub struct Household(App);

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// Those of HTTP, if there are any.
    pub trailers: Option<HeaderMap>,
}

impl Household {
    pub async fn with(arguments: &[&str]) -> Self {
        let place = format!("--expenses={}", database::fresh().await);
        Self::at(&place, arguments).await
    }

    /// In the database that this flag names.
    pub async fn at(place: &str, arguments: &[&str]) -> Self {
        let config = config(&[&[place], arguments].concat());
        let expenses = config.open_expenses().await.unwrap();
        Self(app_with_expenses(&config, BUILD, expenses))
    }

    /// In a new database that is filled as these arguments say; nobody is asked for a token.
    pub async fn filled(arguments: &[&str]) -> Self {
        let place = format!("--expenses={}", database::empty().await);
        Self::at(&place, &[&["--expenses-tokens=off"], arguments].concat()).await
    }

    /// Why the database that this flag names cannot be used.
    pub async fn refused(place: &str) -> String {
        let opened = config(&[place]).open_expenses().await;
        opened.err().unwrap().to_string()
    }

    /// Nobody is asked for a token.
    pub async fn open_to_all() -> Self {
        Self::with(&["--expenses-tokens=off"]).await
    }

    pub async fn call(&self, request: Builder, body: impl Into<Body>) -> Answer {
        let request = request.body(body.into()).unwrap();
        let router = if request.version() == Version::HTTP_2 {
            &self.0.h2c
        } else {
            &self.0.http1
        };
        let response = router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap();
        Answer {
            status: head.status,
            headers: head.headers,
            trailers: body.trailers().cloned(),
            body: body.to_bytes().to_vec(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(Request::get(path), Body::empty()).await
    }

    /// Sends JSON.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        let request = Request::builder().method(method).uri(path);
        let request = request.header("content-type", "application/json");
        self.call(request, body.to_string()).await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call(Request::delete(path), Body::empty()).await
    }

    pub async fn query(&self, query: &str) -> Answer {
        self.query_with(query, &Value::Null).await
    }

    pub async fn query_with(&self, query: &str, variables: &Value) -> Answer {
        let body = json!({ "query": query, "variables": variables });
        self.send(Method::POST, "/graphql", &body).await
    }

    /// What `/metrics` says of this.
    pub async fn metric(&self, name: &str) -> f64 {
        let text = String::from_utf8(self.get("/metrics").await.body).unwrap();
        let value = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.unwrap().parse().unwrap()
    }

    pub async fn log_in(&self, username: &str, password: &str) -> Answer {
        let credentials = json!({ "username": username, "password": password });
        self.send(Method::POST, "/api/v1/users/login", &credentials)
            .await
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The list or thing in the envelope of REST.
    pub fn data(&self) -> Value {
        assert!(self.status.is_success(), "{}", self.json());
        self.json()["data"].take()
    }
}
