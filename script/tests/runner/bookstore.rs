//! Answers as the Bookstore server gives them, with bodies of the published sizes.

use bytes::{BufMut, Bytes, BytesMut};

use crate::server::{Answer, Question, reply};

const JSON: &str = "application/json";
const REVIEWS: &str = r#""reviews":[{"rating":5,"text":"good"},{"rating":4,"text":"fine"}]"#;

/// Answers the requests of the suite.
pub async fn bookstore(question: Question) -> Answer {
    let body = String::from_utf8_lossy(question.body());
    let path = question.uri().path();
    match path {
        "/api/reservations" if body.contains(r#""orderId":"ord-1""#) => {
            reply(201, JSON, reservation())
        }
        "/api/books/1" => reply(200, JSON, r#"{"id":1,"title":"A Title","authorId":7}"#),
        "/api/books/1/stock" => reply(200, JSON, r#"{"bookId":1,"available":99}"#),
        "/api/books/1/reviews" => reply(
            200,
            JSON,
            format!(r#"{{"bookId":1,"reviewer":"A",{REVIEWS}}}"#),
        ),
        "/api/authors/7" => reply(200, JSON, r#"{"id":7,"name":"An Author"}"#),
        "/api/screens/book-detail/1" => reply(200, JSON, format!("{{{REVIEWS}}}")),
        "/graphql" if body.contains("orderId") => reply(
            200,
            JSON,
            format!(r#"{{"data":{{"reserveStock":{}}}}}"#, reservation()),
        ),
        "/graphql" => reply(200, JSON, format!(r#"{{"data":{{"book":{{{REVIEWS}}}}}}}"#)),
        "/metrics" => reply(200, "text/plain", "process_cpu_seconds_total 1.5\n"),
        _ if path.starts_with("/bookstore.bench.v1.") => {
            reply(200, "application/grpc-web+proto", grpc_web())
        }
        _ => reply(404, JSON, "{}"),
    }
}

fn reservation() -> String {
    let id = "3f2b8a52-7a3c-4a52-9d5e-0c9c1c3f6a11";
    format!(r#"{{"reservationId":"{id}","orderId":"ord-1","expiresAt":"2026-01-01T00:00:00Z"}}"#)
}

fn grpc_web() -> Bytes {
    let mut answer = BytesMut::new();
    for (flag, content) in [(0, &[8, 1][..]), (0x80, b"grpc-status:0\r\n")] {
        answer.put_u8(flag);
        answer.put_u32(u32::try_from(content.len()).unwrap());
        answer.put_slice(content);
    }
    answer.freeze()
}
