//! Body sizes: the article's, or what follows from it. Each is compared with the whole text too,
//! so that two errors cannot cancel out.

use serde_json::Value;

use super::support::{app, get, order_json, post_order};

async fn assert_body(path: &str, expected: &str, bytes: usize) {
    let answer = get(&app(&[]).http1, path).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.text(), expected);
    assert_eq!(answer.body.len(), bytes);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("content-length"), bytes.to_string());
}

#[tokio::test]
async fn book_is_93_bytes() {
    let book = r#"{"id":1,"title":"Practical API Measurement","isbn":"9780000000001","price":49.9,"authorId":1}"#;
    assert_body("/api/books/1", book, 93).await;
}

#[tokio::test]
async fn author_is_66_bytes() {
    let author = r#"{"id":1,"name":"Anna-Liisa Virtanen","bio":"Writes about APIs..!"}"#;
    assert_body("/api/authors/1", author, 66).await;
}

#[tokio::test]
async fn stock_is_27_bytes() {
    assert_body("/api/books/1/stock", r#"{"bookId":1,"available":42}"#, 27).await;
}

#[tokio::test]
async fn two_reviews_are_224_bytes() {
    let reviews = concat!(
        r#"[{"id":3,"bookId":1,"reviewer":"Deniz","rating":5,"text":"Clear and to point","#,
        r#""createdAt":"2026-01-05T00:00:00Z"},"#,
        r#"{"id":4,"bookId":1,"reviewer":"Mika","rating":4,"text":"Useful numbers.!","#,
        r#""createdAt":"2026-01-06T00:00:00Z"}]"#,
    );
    assert_body("/api/books/1/reviews?limit=2", reviews, 224).await;
}

#[tokio::test]
async fn screen_is_237_bytes() {
    let screen = concat!(
        r#"{"id":1,"title":"Practical API Measurement","price":49.9,"#,
        r#""author":{"name":"Anna-Liisa Virtanen"},"stock":42,"reviews":["#,
        r#"{"reviewer":"Deniz","rating":5,"text":"Clear and to point"},"#,
        r#"{"reviewer":"Mika","rating":4,"text":"Useful numbers.!"}]}"#,
    );
    assert_body("/api/screens/book-detail/1", screen, 237).await;
}

#[tokio::test]
async fn orders_are_105_and_1929_bytes_and_the_reservation_109() {
    let router = app(&[]).http1;
    for (lines, bytes) in [(2, 105), (50, 1_929)] {
        let order = order_json(lines);
        assert_eq!(order.len(), bytes);
        let answer = post_order(&router, order).await;
        assert_eq!(answer.status, 201);
        assert_eq!(answer.body.len(), 109, "{}", answer.text());
        assert_eq!(answer.header("content-type"), "application/json");
        let reply = answer.json();
        assert_eq!(reply["orderId"], "ord-1");
        let id = reply["reservationId"].as_str().unwrap();
        assert_eq!(uuid::Uuid::parse_str(id).unwrap().to_string(), id);
        assert_eq!(answer.header("location"), format!("/api/reservations/{id}"));
        let expires: jiff::Timestamp = reply["expiresAt"].as_str().unwrap().parse().unwrap();
        assert!(expires > jiff::Timestamp::now());
    }
}

#[tokio::test]
async fn fields_come_in_the_documented_order() {
    let answer = post_order(&app(&[]).http1, order_json(2)).await;
    let places = ["reservationId", "orderId", "expiresAt"].map(|name| answer.text().find(name));
    assert!(
        places.is_sorted() && places[0].is_some(),
        "{}",
        answer.text()
    );
}

#[tokio::test]
async fn every_price_has_two_decimals_at_most() {
    let router = app(&[]).http1;
    for id in 2..=50 {
        let answer = get(&router, &format!("/api/books/{id}")).await;
        let cents = 1_990 + id * 25;
        let price = format!("{}.{:02}", cents / 100, cents % 100);
        let price = price.trim_end_matches('0');
        assert!(
            answer.text().contains(&format!("\"price\":{price},")),
            "{}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn reviews_default_to_all_and_zero_is_none() {
    let router = app(&[]).http1;
    for (query, ids) in [
        ("", vec![5, 6, 7, 8]),
        ("?limit=0", vec![]),
        ("?limit=99", vec![5, 6, 7, 8]),
        ("?limit=1", vec![8]),
    ] {
        let answer = get(&router, &format!("/api/books/2/reviews{query}")).await;
        let found: Vec<Value> = answer
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|review| review["id"].clone())
            .collect();
        assert_eq!(found, ids, "{query}");
    }
}

#[tokio::test]
async fn escaped_texts_are_read_and_handed_back() {
    let order = r#"{"orderId":"a\"\u00e9","lines":[{"isbn":"978000000000\u0031","quantity":1}]}"#;
    let answer = post_order(&app(&[]).http1, order).await;
    assert_eq!(answer.status, 201);
    assert_eq!(answer.json()["orderId"], "a\"é");
}
