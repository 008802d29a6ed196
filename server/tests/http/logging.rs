//! The line that every request leaves in the log, in every style, when it is asked for.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
};

use axum::body::Body;
use bookstore_server::LogLevel;
use http::{Request, Version};
use tracing::{level_filters::LevelFilter, subscriber::set_default};

use super::support::{app, call};

const DETAIL: &str = "/bookstore.bench.v1.CatalogService/GetBookDetail";

/// What was logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// The lines since the last call.
    fn take(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(str::to_owned).collect()
    }
}

fn post(path: &str, content_type: &str, body: Vec<u8>, version: Version) -> Request<Body> {
    Request::post(path)
        .version(version)
        .header("content-type", content_type)
        .body(body.into())
        .unwrap()
}

/// One request in each style, and whether it goes to the HTTP/1.1 port.
fn requests() -> [(bool, Request<Body>); 4] {
    let screen = vec![0, 0, 0, 0, 2, 8, 1];
    let query = br#"{"query":"{ book(id: 1) { title } }"}"#.to_vec();
    [
        (
            true,
            Request::get("/api/books/1").body(Body::empty()).unwrap(),
        ),
        (
            true,
            post("/graphql", "application/json", query, Version::HTTP_11),
        ),
        (
            true,
            post(
                DETAIL,
                "application/grpc-web+proto",
                screen.clone(),
                Version::HTTP_11,
            ),
        ),
        (
            false,
            post(DETAIL, "application/grpc", screen, Version::HTTP_2),
        ),
    ]
}

#[tokio::test]
async fn a_request_leaves_one_line_at_info_and_none_below() {
    for (flag, level, lines) in [
        ("--log-level=info", LogLevel::Info, 1),
        ("--log-level=warn", LogLevel::Warn, 0),
        ("--log-level=off", LogLevel::Off, 0),
    ] {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_writer(move || writer.clone())
            .with_max_level(LevelFilter::from(level))
            .finish();
        let _installed = set_default(subscriber);
        let app = app(&[flag]);
        log.take();
        for (over_http1, request) in requests() {
            let path = request.uri().path().to_owned();
            let router = if over_http1 { &app.http1 } else { &app.h2c };
            assert_eq!(call(router, request).await.status, 200);
            let logged = log.take();
            assert_eq!(logged.len(), lines, "{flag} {path}: {logged:?}");
            assert!(logged.iter().all(|line| line.contains(&path)), "{logged:?}");
        }
    }
}
