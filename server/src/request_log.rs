//! One line for each request, with the fields of the format `dev` of the logger morgan:
//! `GET /api/v1/users 200 1.234 ms - 72400`, where the last number is the length of the body in bytes, or
//! `-` when it is not known beforehand.

use std::{
    io::{self, Write},
    time::Instant,
};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::Response,
};
use http_body::Body as _;

/// What takes the lines, each with its line break.
type Sink = fn(&str);

/// `router` with a line to standard error for each request that it answers.
pub fn to_stderr(router: Router) -> Router {
    into_sink(router, |line| {
        // There is nowhere left to say that standard error is gone.
        let _ = io::stderr().lock().write_all(line.as_bytes());
    })
}

fn into_sink(router: Router, sink: Sink) -> Router {
    router.layer(middleware::from_fn_with_state(sink, log))
}

async fn log(State(sink): State<Sink>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let response = next.run(request).await;
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    let status = response.status().as_u16();
    let target = uri
        .path_and_query()
        .map_or_else(|| uri.path(), |target| target.as_str());
    let bytes = response.body().size_hint().exact();
    let bytes = bytes.map_or_else(|| "-".to_owned(), |bytes| bytes.to_string());
    sink(&format!(
        "{method} {target} {status} {elapsed_ms:.3} ms - {bytes}\n"
    ));
    response
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::sync::Mutex;

    use axum::{body::Body, routing::get};
    use futures_util::stream;
    use http::StatusCode;
    use tower::ServiceExt;

    use super::*;

    static LINES: Mutex<String> = Mutex::new(String::new());

    #[tokio::test]
    async fn a_line_has_method_target_status_time_and_length() {
        let chunks = || stream::iter([Ok::<_, io::Error>("a")]);
        let router = Router::new()
            .route("/list", get(async || "twelve bytes"))
            .route("/stream", get(async move || Body::from_stream(chunks())))
            .route("/none", get(async || StatusCode::NOT_FOUND));
        let router = into_sink(router, |line| LINES.lock().unwrap().push_str(line));
        for target in ["/list?limit=1&skip=2", "/stream", "/none"] {
            let request = Request::get(target).body(Body::empty()).unwrap();
            router.clone().oneshot(request).await.unwrap();
        }
        let lines = LINES.lock().unwrap();
        let lines: Vec<Vec<&str>> = lines
            .lines()
            .map(|line| line.split(' ').collect())
            .collect();
        for (line, (target, status, bytes)) in lines.iter().zip([
            ("/list?limit=1&skip=2", "200", "12"),
            ("/stream", "200", "-"),
            ("/none", "404", "0"),
        ]) {
            let [method, logged, code, time, "ms", "-", length] = line[..] else {
                panic!("{line:?}");
            };
            assert_eq!(
                (method, logged, code, length),
                ("GET", target, status, bytes)
            );
            let (whole, decimals) = time.split_once('.').unwrap();
            assert!(
                whole.parse::<u32>().is_ok() && decimals.len() == 3,
                "{time}"
            );
        }
        assert_eq!(lines.len(), 3);
    }
}
