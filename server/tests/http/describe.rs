//! The `OpenAPI` document against what the server does.

use axum::body::Body;
use http::{Method, Request};
use serde_json::Value;

use super::support::{app, call, get};

#[tokio::test]
async fn the_document_is_openapi_3_1_and_served_as_json() {
    let answer = get(&app(&[]).http1, "/openapi.json").await;
    assert_eq!(answer.header("content-type"), "application/json");
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    // Users and expenses are not served here.
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.keys().all(|path| !path.starts_with("/api/v1/")));
}

#[tokio::test]
async fn every_documented_operation_is_served_with_its_example() {
    let router = app(&[]).http1;
    let document = get(&router, "/openapi.json").await.json();
    let mut operations = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method: Method = method.to_uppercase().parse().unwrap();
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let body = example(&document, schema).map_or_else(String::new, |body| body.to_string());
            let request = Request::builder()
                .method(method)
                .uri(path.replace("{id}", "1").replace("{name}", "Rest%20API"))
                .header("content-type", "application/json")
                .body(Body::from(body));
            let answer = call(&router, request.unwrap()).await;
            assert!(answer.status.is_success(), "{path}: {}", answer.text());
            let documented = &operation["responses"][answer.status.as_str()];
            assert!(
                documented["content"][answer.header("content-type")].is_object(),
                "{path}: {documented}"
            );
            operations += 1;
        }
    }
    assert_eq!(operations, 13);
}

#[tokio::test]
async fn examples_of_book_1_are_its_real_answers() {
    let router = app(&[]).http1;
    let document = get(&router, "/openapi.json").await.json();
    for (path, name) in [
        ("/api/books/1", "BookReply"),
        ("/api/books/1/stock", "StockReply"),
        ("/api/authors/1", "AuthorReply"),
        ("/api/screens/book-detail/1", "BookDetailReply"),
        ("/api/books/99", "Problem"),
    ] {
        let example = &schema(&document, &format!("#/components/schemas/{name}"))["example"];
        let mut answer = get(&router, path).await.json();
        if name == "Problem" {
            assert_eq!(answer["detail"], example["detail"]);
        }
        assert_eq!(answer.take(), *example, "{path}");
    }
}

/// The example of what a schema refers to, or a list of it.
fn example(document: &Value, of: &Value) -> Option<Value> {
    if of["type"] == "array" {
        return example(document, &of["items"]).map(|one| Value::Array(vec![one]));
    }
    let reference = of["$ref"].as_str()?;
    Some(schema(document, reference)["example"].clone())
}

fn schema<'a>(document: &'a Value, reference: &str) -> &'a Value {
    document.pointer(reference.trim_start_matches('#')).unwrap()
}
