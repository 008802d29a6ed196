//! `GET /api/work?ms=200` and, in front of it, `GET /api/work/relayed?ms=200`.

use std::net::SocketAddr;

use axum::{
    Json,
    body::Body,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, Request, StatusCode, Uri};
use http_body_util::Empty;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use serde::{Deserialize, Serialize};

use super::{
    caller::{self, GIVES_UP_AT},
    error::WorkError,
    workshop::{self, Workshop},
};

/// What both routes need.
#[derive(Clone)]
pub struct WorkRest {
    pub workshop: Workshop,
    back: Client<HttpConnector, Empty<&'static [u8]>>,
    address: SocketAddr,
}

/// How long the work takes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkQuery {
    ms: i32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct WorkAnswer {
    cpu_us: u128,
}

#[derive(Debug, Serialize)]
struct Refusal {
    error: String,
}

impl WorkRest {
    /// Works in `workshop`, and asks the server at `address`.
    pub fn new(workshop: Workshop, address: SocketAddr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let back = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .build(connector);
        Self {
            workshop,
            back,
            address,
        }
    }
}

/// The back.
pub async fn work(
    State(state): State<WorkRest>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, WorkError> {
    let ms = duration_ms(&uri)?;
    let gives_up_at = headers.get(GIVES_UP_AT).and_then(|at| at.to_str().ok());
    let work = state.workshop.work(ms, caller::gives_up_at(gives_up_at));
    let cpu_us = work.await?.as_micros();
    Ok(Json(WorkAnswer { cpu_us }).into_response())
}

/// The front. There is no header by which REST would pass a deadline on.
pub async fn relayed(
    State(state): State<WorkRest>,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, WorkError> {
    let ms = duration_ms(&uri)?;
    workshop::duration(ms)?;
    let mut request = Request::new(Empty::new());
    *request.uri_mut() = format!("http://{}/api/work?ms={ms}", state.address)
        .parse()
        .expect("an address, a path and a number make a URI");
    if let Some(gives_up_at) = headers.get(GIVES_UP_AT) {
        let headers = request.headers_mut();
        headers.insert(GIVES_UP_AT, gives_up_at.clone());
    }
    let answer = state.back.request(request).await;
    answer
        .map(|answer| answer.map(Body::new))
        .map_err(|error| WorkError::Back(error.to_string()))
}

fn duration_ms(uri: &Uri) -> Result<i32, WorkError> {
    match Query::<WorkQuery>::try_from_uri(uri) {
        Ok(Query(query)) => Ok(query.ms),
        Err(rejection) => Err(WorkError::Query {
            query: uri.query().unwrap_or_default().to_owned(),
            reason: rejection.body_text(),
        }),
    }
}

impl IntoResponse for WorkError {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Query { .. } => StatusCode::BAD_REQUEST,
            Self::Duration { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Back(_) => StatusCode::BAD_GATEWAY,
        };
        let error = self.to_string();
        (status, Json(Refusal { error })).into_response()
    }
}
