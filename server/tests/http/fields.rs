//! Sparse fieldsets.

use super::support::{app, get};

/// What the screen of scenario b shows, and not a field more.
#[tokio::test]
async fn the_screens_fields_are_234_of_410_bytes() {
    let router = app(&[]).http1;
    let mut total = 0;
    for (path, expected) in [
        (
            "/api/books/1?fields=id,title,price,authorId",
            r#"{"id":1,"title":"Practical API Measurement","price":49.9,"authorId":1}"#,
        ),
        ("/api/books/1/stock?fields=available", r#"{"available":42}"#),
        (
            "/api/books/1/reviews?limit=2&fields=reviewer,rating,text",
            concat!(
                r#"[{"reviewer":"Deniz","rating":5,"text":"Clear and to point"},"#,
                r#"{"reviewer":"Mika","rating":4,"text":"Useful numbers.!"}]"#
            ),
        ),
        (
            "/api/authors/1?fields=name",
            r#"{"name":"Anna-Liisa Virtanen"}"#,
        ),
    ] {
        let answer = get(&router, path).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (200, expected));
        total += expected.len();
    }
    assert_eq!(total, 70 + 16 + 118 + 30);
}

#[tokio::test]
async fn all_fields_in_any_order_are_the_full_answer() {
    let router = app(&[]).http1;
    for (path, fields) in [
        ("/api/books/7", "authorId,price,isbn,title,id"),
        ("/api/books/7/stock", "available,bookId"),
        ("/api/authors/7", "bio,name,id"),
        (
            "/api/books/7/reviews",
            "createdAt,text,rating,reviewer,bookId,id",
        ),
    ] {
        let full = get(&router, path).await;
        let sparse = get(&router, &format!("{path}?fields={fields}")).await;
        assert_eq!(sparse.text(), full.text());
        let escaped = get(
            &router,
            &format!("{path}?fields={}", fields.replace(',', "%2C")),
        )
        .await;
        assert_eq!(escaped.text(), full.text());
    }
}

#[tokio::test]
async fn an_unknown_field_is_named_with_those_that_exist() {
    let router = app(&[]).http1;
    for (path, field, known) in [
        ("/api/books/1?fields=title,nope", "nope", "authorId"),
        ("/api/books/1?fields=", "", "authorId"),
        ("/api/books/1/stock?fields=stock", "stock", "available"),
        ("/api/authors/1?fields=title", "title", "bio"),
        ("/api/books/1/reviews?fields=a", "a", "createdAt"),
    ] {
        let answer = get(&router, path).await;
        assert_eq!(answer.status, 400, "{path}");
        let problem = answer.json();
        assert_eq!(problem["code"], "UNKNOWN_FIELD");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(&format!("\"{field}\"")), "{detail}");
        assert!(detail.contains(known), "{detail}");
    }
}
