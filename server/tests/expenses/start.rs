//! Starting with expenses, without them, and with a database that cannot be used.

use std::fs;

use axum::body::Body;
use bookstore_server::{ServeError, Server, app};
use http::{Request, StatusCode};
use http_body_util::BodyExt as _;
use tempfile::TempDir;
use tower::ServiceExt;

use super::household::{BUILD, config};

#[tokio::test]
async fn without_the_flag_there_are_no_expenses() {
    let config = config(&[]);
    assert!(config.open_expenses().await.unwrap().is_none());
    let router = app(&config, BUILD).http1;
    for path in [
        "/api/v1/users",
        "/bookstore.bench.v1.ExpensesService/ListUsers",
    ] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        let answer = router.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let metrics = router.oneshot(request).await.unwrap().into_body();
    let metrics = metrics.collect().await.unwrap().to_bytes();
    assert!(!String::from_utf8_lossy(&metrics).contains("expenses"));
}

#[tokio::test]
async fn a_server_does_not_start_over_a_file_of_another_kind() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("notes.txt");
    fs::write(&path, "milk, bread\n".repeat(500)).unwrap();
    let flag = format!("--expenses={}", path.display());
    let error = Server::bind(&config(&[&flag]), BUILD).await.unwrap_err();
    assert!(matches!(error, ServeError::Expenses(_)));
    assert!(
        error
            .to_string()
            .contains("notes.txt is not an SQLite database")
    );
    assert_eq!(
        fs::read_to_string(&path).unwrap(),
        "milk, bread\n".repeat(500)
    );
}

#[tokio::test]
async fn a_file_is_made_by_the_first_server_and_read_by_the_second() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("expenses.db");
    let flag = format!("--expenses={}", path.display());
    for _ in 0..2 {
        let expenses = config(&[&flag]).open_expenses().await.unwrap().unwrap();
        assert_eq!(expenses.store.users().await.unwrap().len(), 500);
    }
    assert!(path.exists());
}
