//! Every domain error in every style, with its details.

use std::sync::Arc;

use bookstore_proto::v1::{GetBookDetailRequest, ListReviewsRequest, OrderLine};
use bookstore_server::{
    domain::{DomainError, InMemoryBookstore, Limits, StockLevel},
    rpc::{self, ERROR_DOMAIN, MAX_TEXT_BYTES, RpcConfig},
};
use tonic::Code;
use tonic_types::StatusExt as _;

use crate::{
    answer::Answer,
    peer::{Peer, call_in_process, request},
    requests::{DETAIL, RESERVE, REVIEWS, all_reviews, frame, order, screen},
    stores::Refusing,
    style::Style,
};

/// Every variant with its status code and the field at fault.
fn every_error() -> Vec<(DomainError, Code, Option<&'static str>)> {
    let isbn = "9780000000001".to_owned();
    vec![
        (
            DomainError::EmptyOrderId,
            Code::InvalidArgument,
            Some("order_id"),
        ),
        (
            DomainError::EmptyOrder,
            Code::InvalidArgument,
            Some("lines"),
        ),
        (
            DomainError::TooManyLines { lines: 6, limit: 5 },
            Code::InvalidArgument,
            Some("lines"),
        ),
        (
            DomainError::InvalidQuantity {
                line: 3,
                isbn: isbn.clone(),
                quantity: -1,
            },
            Code::InvalidArgument,
            Some("lines[2].quantity"),
        ),
        (
            DomainError::InvalidReviewLimit { limit: -1 },
            Code::InvalidArgument,
            None,
        ),
        (
            DomainError::UnknownIsbn {
                line: 1,
                isbn: "naïve 100%".to_owned(),
            },
            Code::FailedPrecondition,
            Some("lines[0].isbn"),
        ),
        (
            DomainError::OutOfStock {
                isbn,
                requested: 2,
                available: 1,
            },
            Code::FailedPrecondition,
            None,
        ),
        (
            DomainError::UnknownBook { id: 51, last: 50 },
            Code::NotFound,
            None,
        ),
        (
            DomainError::UnknownAuthor { id: 11, last: 10 },
            Code::NotFound,
            None,
        ),
    ]
}

#[tokio::test]
async fn every_domain_error_travels_with_its_details() {
    for (error, code, field) in every_error() {
        let store = Arc::new(Refusing(error.clone()));
        let router = rpc::router(store, &RpcConfig::default());
        for style in Style::ALL {
            for (path, frames) in [
                (RESERVE, frame(&order(2))),
                (DETAIL, frame(&screen())),
                (REVIEWS, frame(&all_reviews())),
            ] {
                let answer = call_in_process(router.clone(), request(style, path, &frames)).await;
                assert_eq!(answer.http_status, 200);
                assert!(answer.body.is_empty(), "the status is in the headers");
                assert_eq!(answer.content_type(), style.content_type());
                assert_is(&answer, &error, code, field);
            }
        }
    }
}

fn assert_is(answer: &Answer, error: &DomainError, code: Code, field: Option<&str>) {
    let status = answer.status();
    assert_eq!(status.code(), code, "{error}");
    assert_eq!(status.message(), error.to_string());
    let details = status.get_error_details();
    let info = details.error_info().unwrap();
    assert_eq!(info.reason, error.code());
    assert_eq!(info.domain, ERROR_DOMAIN);
    let violations: Vec<(&str, String)> = details.bad_request().map_or(Vec::new(), |request| {
        let violations = request.field_violations.iter();
        violations
            .map(|violation| (violation.field.as_str(), violation.description.clone()))
            .collect()
    });
    let expected: Vec<(&str, String)> = field
        .into_iter()
        .map(|field| (field, error.to_string()))
        .collect();
    assert_eq!(violations, expected);
}

/// The errors as the real store makes them, over sockets; the server answers the next call.
#[tokio::test]
async fn the_store_refuses_what_it_cannot_do_and_goes_on() {
    let store = InMemoryBookstore::new(StockLevel::Finite(1), Limits { max_lines: 2 });
    let peer = Peer::start(rpc::router(Arc::new(store), &RpcConfig::default())).await;
    let mut nameless = order(1);
    nameless.order_id.clear();
    let mut nothing = order(1);
    nothing.lines[0].quantity = 0;
    let mut too_much = order(1);
    too_much.lines[0].quantity = 2;
    let mut foreign = order(2);
    foreign.lines[1].isbn = "9999999999999".to_owned();
    for style in Style::ALL {
        for (request, reason) in [
            (&nameless, "EMPTY_ORDER_ID"),
            (&order(0), "EMPTY_ORDER"),
            (&order(3), "TOO_MANY_LINES"),
            (&nothing, "INVALID_QUANTITY"),
            (&too_much, "OUT_OF_STOCK"),
            (&foreign, "UNKNOWN_ISBN"),
        ] {
            let answer = peer.call(style, RESERVE, &frame(request)).await;
            assert_reason(&answer, reason);
        }
        for (book_id, review_count, reason) in
            [(51, 2, "UNKNOWN_BOOK"), (1, -1, "INVALID_REVIEW_LIMIT")]
        {
            let detail = GetBookDetailRequest {
                book_id,
                review_count,
            };
            assert_reason(&peer.call(style, DETAIL, &frame(&detail)).await, reason);
            let reviews = ListReviewsRequest {
                book_id,
                limit: review_count,
            };
            assert_reason(&peer.call(style, REVIEWS, &frame(&reviews)).await, reason);
        }
        let answer = peer.call(style, DETAIL, &frame(&screen())).await;
        assert_eq!(answer.code(), Code::Ok);
    }
}

fn assert_reason(answer: &Answer, reason: &str) {
    let details = answer.status().get_error_details();
    assert_eq!(details.error_info().unwrap().reason, reason);
}

#[tokio::test]
async fn a_megabyte_in_the_request_does_not_come_back_in_the_headers() {
    let peer = Peer::bookstore().await;
    let mut huge = order(0);
    huge.lines.push(OrderLine {
        isbn: "9".repeat(1_000_000),
        quantity: 1,
    });
    for style in Style::ALL {
        let answer = peer.call(style, RESERVE, &frame(&huge)).await;
        let status = answer.status();
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert!(status.message().len() <= MAX_TEXT_BYTES);
        assert!(status.message().ends_with('…'));
        assert_reason(&answer, "UNKNOWN_ISBN");
    }
}
