//! gRPC-Web: framed messages over HTTP/1.1, the trailers in the body.

use bytes::BytesMut;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use prost::Message;

use super::{
    Order, grpc_status,
    message::{self, GET_BOOK_DETAIL, RESERVE_STOCK, book_detail_request_of},
    screen::BOOK_ID,
};
use crate::load::{
    failure::Fault,
    wire::{Frame, HttpAnswer, HttpRequest, append_framed, split_frame},
};

const X_GRPC_WEB: HeaderName = HeaderName::from_static("x-grpc-web");

/// `InventoryService.ReserveStock` with our order.
pub(in crate::load) fn reserve_stock(host: &HeaderValue, order: &Order) -> HttpRequest {
    post(host, RESERVE_STOCK, &order.to_message())
}

/// Status OK and a reservation for our order.
pub(in crate::load) fn check_reservation(answer: &HttpAnswer) -> Result<(), Fault> {
    message::check_reservation(&decode(answer)?)
}

/// `CatalogService.GetBookDetail` of book 1 with two reviews.
pub(in crate::load) fn book_detail(host: &HeaderValue) -> HttpRequest {
    book_detail_of(host, BOOK_ID)
}

/// The same of another book.
pub(in crate::load) fn book_detail_of(host: &HeaderValue, book: i32) -> HttpRequest {
    post(host, GET_BOOK_DETAIL, &book_detail_request_of(book))
}

/// Status OK and the whole screen.
pub(in crate::load) fn check_book_detail(answer: &HttpAnswer) -> Result<(), Fault> {
    message::check_book_detail(&decode(answer)?)
}

/// The same of another book; gives the id in it.
pub(in crate::load) fn check_book_detail_of(answer: &HttpAnswer, book: i32) -> Result<i32, Fault> {
    message::check_book_detail_of(&decode(answer)?, book)
}

/// A call of `path` with this message.
pub(super) fn post(host: &HeaderValue, path: &'static str, message: &impl Message) -> HttpRequest {
    let mut body = BytesMut::new();
    append_framed(message, &mut body);
    let uri = Uri::from_static(path);
    HttpRequest::post(host, uri, "application/grpc-web+proto", body.freeze())
        .with_header(X_GRPC_WEB, HeaderValue::from_static("1"))
}

/// The one message of a unary answer that ends with status OK.
fn decode<A: Message + Default>(answer: &HttpAnswer) -> Result<A, Fault> {
    if answer.status != StatusCode::OK {
        return Err(Fault::status(answer.status, StatusCode::OK, &answer.body));
    }
    let mut message = None;
    let mut rest = &*answer.body;
    while !rest.is_empty() {
        match split_frame(rest)? {
            (Frame::Message(_), _) if message.is_some() => {
                return Err(Fault::Framing("a unary answer has two messages".to_owned()));
            }
            (Frame::Message(content), after) => {
                message = Some(content);
                rest = after;
            }
            (Frame::Trailers(block), []) => {
                check_trailers(block)?;
                let missing = || Fault::Framing("status OK came without a message".to_owned());
                return Ok(A::decode(message.ok_or_else(missing)?)?);
            }
            (Frame::Trailers(_), after) => {
                return Err(Fault::Framing(format!(
                    "{} bytes follow the trailers",
                    after.len()
                )));
            }
        }
    }
    // A refusal without a message may have its status in the head; OK cannot.
    grpc_status::check(&answer.headers)?;
    Err(Fault::Framing("the body has no trailer frame".to_owned()))
}

/// Demands status 0 in a block of `name: value` lines.
pub(super) fn check_trailers(block: &[u8]) -> Result<(), Fault> {
    let fields = || block.split(|byte| *byte == b'\n').filter_map(field);
    let ok =
        fields().any(|(name, value)| name.eq_ignore_ascii_case(b"grpc-status") && value == b"0");
    if ok {
        return Ok(());
    }
    let trailers: HeaderMap = fields()
        .filter_map(|(name, value)| {
            Some((
                HeaderName::from_bytes(name).ok()?,
                HeaderValue::from_bytes(value).ok()?,
            ))
        })
        .collect();
    grpc_status::check(&trailers)
}

fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some((line[..colon].trim_ascii(), line[colon + 1..].trim_ascii()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use bookstore_proto::v1::{BookDetail, Review};

    use super::*;

    #[test]
    fn request_bodies_have_the_published_sizes() {
        const HOST: HeaderValue = HeaderValue::from_static("localhost:5300");
        assert_eq!(reserve_stock(&HOST, &Order::with_lines(2)).body_len(), 50);
        assert_eq!(reserve_stock(&HOST, &Order::with_lines(50)).body_len(), 962);
        assert_eq!(book_detail(&HOST).body_len(), 9);
    }

    fn screen() -> BookDetail {
        let review = Review {
            reviewer: "Mika".to_owned(),
            rating: 4,
            text: "Good".to_owned(),
        };
        BookDetail {
            id: 1,
            title: "T".to_owned(),
            author_name: "A".to_owned(),
            reviews: vec![review.clone(), review],
            ..BookDetail::default()
        }
    }

    fn body(message: &BookDetail, trailers: &[u8]) -> Vec<u8> {
        let mut body = BytesMut::new();
        append_framed(message, &mut body);
        body.extend_from_slice(&[0x80, 0, 0, 0, u8::try_from(trailers.len()).unwrap()]);
        body.extend_from_slice(trailers);
        body.to_vec()
    }

    fn check(body: Vec<u8>) -> Result<(), String> {
        check_book_detail(&HttpAnswer {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: body.into(),
        })
        .map_err(|fault| fault.to_string())
    }

    #[test]
    fn trailers_are_read_however_they_are_spaced_and_cased() {
        for trailers in [
            &b"grpc-status:0\r\n"[..],
            b"grpc-status: 0\r\n",
            b"Grpc-Status:\t0 \n",
            b"x: y\r\ngrpc-status:0\r\ngrpc-message:\r\n",
        ] {
            assert_eq!(check(body(&screen(), trailers)), Ok(()));
        }
    }

    #[test]
    fn wrong_answers_are_named() {
        let other = BookDetail { id: 2, ..screen() };
        let fewer = BookDetail {
            reviews: Vec::new(),
            ..screen()
        };
        let good = body(&screen(), b"grpc-status:0\r\n");
        for (body, named) in [
            (body(&other, b"grpc-status:0\r\n"), "`2` instead of `1`"),
            (body(&fewer, b"grpc-status:0\r\n"), "`0` instead of `2`"),
            (
                body(&screen(), b"grpc-status:5\r\ngrpc-message:no%20book\r\n"),
                "gRPC status 5 (NotFound): no book",
            ),
            (body(&screen(), b"x:0\r\n"), "without a grpc-status"),
            (
                good[..good.len() - 1].to_vec(),
                "promises 15 bytes and 14 follow",
            ),
            ([&good[..], &good[..]].concat(), "bytes follow the trailers"),
            (good[good.len() - 20..].to_vec(), "without a message"),
            (Vec::new(), "without a grpc-status"),
        ] {
            let error = check(body).unwrap_err();
            assert!(error.contains(named), "{error}");
        }
    }
}
