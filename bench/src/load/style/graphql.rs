//! GraphQL: documents with variables, answers with data or errors.

use std::borrow::Cow;

use bytes::Bytes;
use http::{HeaderValue, StatusCode, Uri};
use serde::{Deserialize, Serialize};

use super::{
    Order,
    reservation::Reservation,
    screen::{BOOK_ID, Screen},
};
use crate::load::{
    failure::Fault,
    wire::{HttpAnswer, HttpRequest},
};

const RESERVE_STOCK: &str = include_str!("../../../../k6/lib/documents/reserve-stock.graphql");
const BOOK_DETAIL: &str = include_str!("../../../../k6/lib/documents/book-detail.graphql");

/// The `reserveStock` mutation with our order.
pub(in crate::load) fn reserve_stock(host: &HeaderValue, order: &Order) -> HttpRequest {
    #[derive(Serialize)]
    struct Variables<'a> {
        input: &'a Order,
    }
    post(host, RESERVE_STOCK, Variables { input: order })
}

/// A reservation for our order and no errors.
pub(in crate::load) fn check_reservation(answer: &HttpAnswer) -> Result<(), Fault> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Data<'a> {
        #[serde(borrow)]
        reserve_stock: Payload<'a>,
    }
    #[derive(Deserialize)]
    struct Payload<'a> {
        #[serde(borrow)]
        reservation: Reservation<'a>,
    }
    let data: Data = data(answer)?;
    data.reserve_stock.reservation.check()
}

/// The query of the whole screen.
pub(in crate::load) fn book_detail(host: &HeaderValue) -> HttpRequest {
    book_detail_of(host, BOOK_ID)
}

/// The same of another book.
pub(in crate::load) fn book_detail_of(host: &HeaderValue, book: i32) -> HttpRequest {
    #[derive(Serialize)]
    struct Variables {
        id: String,
    }
    let id = book.to_string();
    post(host, BOOK_DETAIL, Variables { id })
}

/// The whole screen and no errors.
pub(in crate::load) fn check_book_detail(answer: &HttpAnswer) -> Result<(), Fault> {
    check_book_detail_of(answer, BOOK_ID).map(drop)
}

/// The same of another book; gives the id in it.
pub(in crate::load) fn check_book_detail_of(answer: &HttpAnswer, book: i32) -> Result<i32, Fault> {
    #[derive(Deserialize)]
    struct Data<'a> {
        #[serde(borrow)]
        book: Screen<'a, Cow<'a, str>>,
    }
    let data: Data = data(answer)?;
    data.book.check(&Cow::Owned(book.to_string()))?;
    Ok(book)
}

fn post(host: &HeaderValue, query: &'static str, variables: impl Serialize) -> HttpRequest {
    #[derive(Serialize)]
    struct Body<V> {
        query: &'static str,
        variables: V,
    }
    let body = serde_json::to_vec(&Body { query, variables })
        .expect("a document and its variables have nothing that JSON cannot hold");
    let uri = Uri::from_static("/graphql");
    HttpRequest::post(host, uri, "application/json", Bytes::from(body))
}

/// The `data` of an answer. `T` is read only where there are no errors: with some, `data` may be
/// null or in part.
fn data<'a, T: Deserialize<'a>>(answer: &'a HttpAnswer) -> Result<T, Fault> {
    #[derive(Deserialize)]
    struct Response<T> {
        data: T,
        errors: Option<serde::de::IgnoredAny>,
    }
    let parsed = serde_json::from_slice::<Response<T>>(&answer.body);
    match parsed {
        Ok(Response { data, errors: None }) if answer.status == StatusCode::OK => Ok(data),
        Ok(Response { errors: None, .. }) => {
            Err(Fault::status(answer.status, StatusCode::OK, &answer.body))
        }
        Ok(Response {
            errors: Some(_), ..
        }) => Err(error_of(answer, None)),
        Err(source) => Err(error_of(answer, Some(source))),
    }
}

/// The first message of `errors`, or why the body is no answer.
fn error_of(answer: &HttpAnswer, source: Option<serde_json::Error>) -> Fault {
    #[derive(Deserialize)]
    struct Response {
        #[serde(default)]
        errors: Vec<Error>,
    }
    #[derive(Deserialize)]
    struct Error {
        message: String,
    }
    let errors = serde_json::from_slice(&answer.body)
        .map(|response: Response| response.errors)
        .unwrap_or_default();
    match (errors.into_iter().next(), source) {
        (Some(error), _) => Fault::GraphQl(error.message),
        (None, _) if answer.status != StatusCode::OK => {
            Fault::status(answer.status, StatusCode::OK, &answer.body)
        }
        (None, Some(source)) => Fault::json("the expected data", source, &answer.body),
        (None, None) => Fault::GraphQl("`errors` is there and has no message".to_owned()),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use http::HeaderMap;

    use super::*;

    const HOST: HeaderValue = HeaderValue::from_static("localhost:5300");

    #[test]
    fn request_bodies_have_the_published_sizes() {
        for (lines, bytes) in [(1, 240), (2, 278), (50, 2_102), (5_000, 190_202)] {
            let order = Order::with_lines(lines);
            assert_eq!(reserve_stock(&HOST, &order).body_len(), bytes);
        }
        assert_eq!(book_detail(&HOST).body_len(), 171);
    }

    fn check(status: u16, body: &'static str) -> Result<(), String> {
        check_reservation(&HttpAnswer {
            status: StatusCode::from_u16(status).unwrap(),
            headers: HeaderMap::new(),
            body: Bytes::from_static(body.as_bytes()),
        })
        .map_err(|fault| fault.to_string())
    }

    #[test]
    fn data_without_errors_is_needed() {
        const DATA: &str = r#"{"data":{"reserveStock":{"reservation":{"reservationId":"r","orderId":"ord-1","expiresAt":"t"}}}}"#;
        assert_eq!(check(200, DATA), Ok(()));
        for (status, body, named) in [
            (503, DATA, "503"),
            (
                200,
                r#"{"data":null,"errors":[{"message":"no \"stock\""}]}"#,
                "no \"stock\"",
            ),
            (
                200,
                r#"{"data":{"reserveStock":{"reservation":{"reservationId":"r","orderId":"ord-1","expiresAt":"t"}}},"errors":[{"message":"half"}]}"#,
                "half",
            ),
            (200, r#"{"data":null}"#, "null"),
            (200, "<html>", "<html>"),
            (502, "bad gateway", "502"),
            (
                200,
                r#"{"data":{"reserveStock":{"reservation":{"reservationId":"r","orderId":"ord-2","expiresAt":"t"}}}}"#,
                "`ord-2` instead of `ord-1`",
            ),
        ] {
            let error = check(status, body).unwrap_err();
            assert!(error.contains(named), "{body}: {error}");
        }
    }
}
