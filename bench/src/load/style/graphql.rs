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
/// By `sha256sum k6/lib/documents/reserve-stock.graphql`.
const RESERVE_STOCK_HASH: &str = "29e1c750b78df67cbfff0699d5c36e28f843303663f48d497044c7b187610380";
/// By `sha256sum k6/lib/documents/book-detail.graphql`.
const BOOK_DETAIL_HASH: &str = "cba954bfeb2daa075a74637de994ada1701946ab7df2f308b7460b5747cef341";
/// The screen by GET: `extensions` with the hash and `variables`, both as JSON.
const BOOK_DETAIL_BY_GET: &str = "/graphql?extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C\
     %22sha256Hash%22%3A%22cba954bfeb2daa075a74637de994ada1701946ab7df2f308b7460b5747cef341%22%7D%7D\
     &variables=%7B%22id%22%3A%221%22%7D";

/// How a request names its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::load) enum Named {
    /// By sending it.
    Text,
    /// By its SHA-256 hash.
    Hash,
    /// By a short id that the server lists.
    Id,
}

/// A document and its names.
struct Document {
    text: &'static str,
    hash: &'static str,
    id: &'static str,
}

const RESERVE: Document = Document {
    text: RESERVE_STOCK,
    hash: RESERVE_STOCK_HASH,
    id: "a",
};
const SCREEN: Document = Document {
    text: BOOK_DETAIL,
    hash: BOOK_DETAIL_HASH,
    id: "b",
};

/// The `reserveStock` mutation with our order.
pub(in crate::load) fn reserve_stock(
    host: &HeaderValue,
    named: Named,
    order: &Order,
) -> HttpRequest {
    #[derive(Serialize)]
    struct Variables<'a> {
        input: &'a Order,
    }
    post(host, &RESERVE, named, Variables { input: order })
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
pub(in crate::load) fn book_detail(host: &HeaderValue, named: Named) -> HttpRequest {
    book_detail_of(host, named, BOOK_ID)
}

/// The same of another book.
pub(in crate::load) fn book_detail_of(host: &HeaderValue, named: Named, book: i32) -> HttpRequest {
    #[derive(Serialize)]
    struct Variables {
        id: String,
    }
    let id = book.to_string();
    post(host, &SCREEN, named, Variables { id })
}

/// The same query by GET, its document named by its hash.
pub(in crate::load) fn book_detail_by_get(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static(BOOK_DETAIL_BY_GET))
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

fn post(
    host: &HeaderValue,
    document: &Document,
    named: Named,
    variables: impl Serialize,
) -> HttpRequest {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Body<V> {
        Text {
            query: &'static str,
            variables: V,
        },
        Hash {
            extensions: Extensions,
            variables: V,
        },
        #[serde(rename_all = "camelCase")]
        Id {
            document_id: &'static str,
            variables: V,
        },
    }
    let body = match named {
        Named::Text => Body::Text {
            query: document.text,
            variables,
        },
        Named::Hash => Body::Hash {
            extensions: Extensions::of(document),
            variables,
        },
        Named::Id => Body::Id {
            document_id: document.id,
            variables,
        },
    };
    send(host, &body)
}

/// A request that sends its document, and variables where there are some.
pub(super) fn ask(
    host: &HeaderValue,
    query: &'static str,
    variables: Option<impl Serialize>,
) -> HttpRequest {
    #[derive(Serialize)]
    struct Body<V> {
        query: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        variables: Option<V>,
    }
    send(host, &Body { query, variables })
}

fn send(host: &HeaderValue, body: &impl Serialize) -> HttpRequest {
    let body = serde_json::to_vec(body)
        .expect("a document and its variables have nothing that JSON cannot hold");
    let uri = Uri::from_static("/graphql");
    HttpRequest::post(host, uri, "application/json", Bytes::from(body))
}

/// What stands for a document that is named by its hash.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Extensions {
    persisted_query: PersistedQuery,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PersistedQuery {
    version: u32,
    sha256_hash: &'static str,
}

impl Extensions {
    fn of(document: &Document) -> Self {
        Self {
            persisted_query: PersistedQuery {
                version: 1,
                sha256_hash: document.hash,
            },
        }
    }
}

/// The `data` of an answer. `T` is read only where there are no errors: with some, `data` may be
/// null or in part.
pub(super) fn data<'a, T: Deserialize<'a>>(answer: &'a HttpAnswer) -> Result<T, Fault> {
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
        let reserve =
            |lines, named| reserve_stock(&HOST, named, &Order::with_lines(lines)).body_len();
        for (lines, bytes) in [(1, 240), (2, 278), (50, 2_102), (5_000, 190_202)] {
            assert_eq!(reserve(lines, Named::Text), bytes);
        }
        assert_eq!(book_detail(&HOST, Named::Text).body_len(), 171);
    }

    #[test]
    fn naming_a_document_leaves_a_body_of_the_documented_size() {
        let reserve =
            |lines, named| reserve_stock(&HOST, named, &Order::with_lines(lines)).body_len();
        assert_eq!(reserve(2, Named::Hash), 255);
        assert_eq!(reserve(50, Named::Hash), 2_079);
        assert_eq!(reserve(2, Named::Id), 146);
        assert_eq!(reserve(50, Named::Id), 1_970);
        assert_eq!(book_detail(&HOST, Named::Hash).body_len(), 150);
        assert_eq!(book_detail(&HOST, Named::Id).body_len(), 41);
        assert_eq!(book_detail_by_get(&HOST).body_len(), 0);
        assert!(BOOK_DETAIL_BY_GET.contains(BOOK_DETAIL_HASH));
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
