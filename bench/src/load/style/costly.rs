//! Costly GraphQL queries, and that they were answered.

use bytes::Bytes;
use http::{HeaderValue, StatusCode, Uri};

use crate::{
    costly::Shape,
    load::{
        failure::Fault,
        wire::{HttpAnswer, HttpRequest},
    },
};

/// The query of this shape.
pub(in crate::load) fn query(host: &HeaderValue, shape: Shape) -> HttpRequest {
    let body = serde_json::json!({ "query": shape.document() }).to_string();
    let uri = Uri::from_static("/graphql");
    HttpRequest::post(host, uri, "application/json", Bytes::from(body))
}

/// Data and nothing else. An answer of a megabyte is not read into values: that would measure the reading.
pub(in crate::load) fn check(answer: &HttpAnswer) -> Result<(), Fault> {
    if answer.status != StatusCode::OK {
        return Err(Fault::status(answer.status, StatusCode::OK, &answer.body));
    }
    if answer.body.starts_with(br#"{"data":{"b"#) && answer.body.ends_with(b"}}") {
        return Ok(());
    }
    let beginning = String::from_utf8_lossy(&answer.body[..answer.body.len().min(300)]);
    Err(Fault::GraphQl(format!("no data alone, but {beginning}")))
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    fn checked(body: &'static str) -> Result<(), String> {
        let answer = HttpAnswer {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::from_static(body.as_bytes()),
        };
        check(&answer).map_err(|fault| fault.to_string())
    }

    #[test]
    fn data_alone_is_an_answer() {
        assert_eq!(checked(r#"{"data":{"b0":{"t":1}}}"#), Ok(()));
        for refused in [
            r#"{"errors":[{"message":"the query asks for 9 fields"}]}"#,
            r#"{"data":{"b0":null},"errors":[{"message":"no"}]}"#,
            "",
        ] {
            assert!(checked(refused).is_err_and(|error| error.contains(refused)));
        }
    }
}
