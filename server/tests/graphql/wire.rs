//! Sizes and contents of the measured operations' bodies.

use bookstore_server::domain::StockLevel;
use serde_json::json;

use crate::client::{BOOK_DETAIL, Client, RESERVE_STOCK, book_detail, order, reserve};

/// `serde_json` sorts an object's keys here, so the article's order is written out.
fn reserve_body(lines: usize) -> String {
    let lines: Vec<String> = (1..=lines)
        .map(|book| format!("{{\"isbn\":\"97800000{book:05}\",\"quantity\":1}}"))
        .collect();
    format!(
        "{{\"query\":\"{RESERVE_STOCK}\",\"variables\":{{\"input\":{{\"orderId\":\"ord-1\",\
         \"lines\":[{}]}}}}}}",
        lines.join(",")
    )
}

#[test]
fn request_bodies_have_the_published_sizes() {
    assert_eq!(RESERVE_STOCK.len(), 138);
    assert_eq!(reserve_body(2).len(), 278);
    assert_eq!(reserve_body(50).len(), 2_102);
    assert_eq!(book_detail(&json!("1")).to_string().len(), 171);
    assert!(!BOOK_DETAIL.ends_with('\n'));
}

#[tokio::test]
async fn book_detail_is_257_bytes_every_time() {
    for client in Client::both(StockLevel::Unlimited) {
        for _ in 0..3 {
            let reply = client.post(&book_detail(&json!("1"))).await;
            assert_eq!(reply.status, 200);
            assert_eq!(
                String::from_utf8(reply.body).unwrap(),
                "{\"data\":{\"book\":{\"id\":\"1\",\"title\":\"Practical API Measurement\",\
                 \"price\":49.9,\"author\":{\"name\":\"Anna-Liisa Virtanen\"},\"stock\":42,\
                 \"reviews\":[{\"reviewer\":\"Deniz\",\"rating\":5,\"text\":\"Clear and to point\"},\
                 {\"reviewer\":\"Mika\",\"rating\":4,\"text\":\"Useful numbers.!\"}]}}}"
            );
        }
        let reply = client.post(&book_detail(&json!("1"))).await;
        assert_eq!(reply.body.len(), 257);
    }
}

#[tokio::test]
async fn a_reservation_has_a_fresh_id_and_the_order_id() {
    for client in Client::both(StockLevel::Unlimited) {
        let mut ids = Vec::new();
        for lines in [2, 50, 2] {
            let reply = client.post_text("*/*", reserve_body(lines)).await;
            let answer = reply.json();
            let reservation = &answer["data"]["reserveStock"]["reservation"];
            assert_eq!(reservation["orderId"], "ord-1");
            assert_eq!(reservation["expiresAt"].as_str().unwrap().len(), 20);
            ids.push(reservation["reservationId"].as_str().unwrap().to_owned());
            assert!(answer.get("errors").is_none());
            assert_eq!(reply.body.len(), 151);
        }
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), 3);
        assert!(ids.iter().all(|id| id.len() == 36));
    }
}

#[tokio::test]
async fn each_order_is_reserved_once() {
    for client in Client::both(StockLevel::Finite(3)) {
        for left in [2, 1, 0] {
            let reply = client.post(&reserve(&order(1))).await;
            assert!(reply.json().get("errors").is_none());
            let stock = json!({ "query": "{ book(id: 1) { stock } }" });
            assert_eq!(
                client.post(&stock).await.json()["data"]["book"]["stock"],
                left
            );
        }
        let reply = client.post(&reserve(&order(1))).await;
        assert_eq!(reply.code(), "OUT_OF_STOCK");
    }
}
