//! What the server says of itself.

use serde_json::json;

use super::support::{app, get};

#[tokio::test]
async fn about_has_exactly_the_fields_that_are_recorded() {
    let router = app(&[
        "--workers=3",
        "--log-level=error",
        "--graphql-document-cache=off",
    ])
    .http1;
    let answer = get(&router, "/about").await;
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(
        answer.json(),
        json!({
            "version": "1.2.3",
            "git_revision": "abcdef012345",
            "build_profile": "debug",
            "debug_assertions": true,
            "allocator": "system",
            "log_level": "error",
            "worker_threads": 3,
            "graphql_document_cache": false,
        })
    );
}

#[tokio::test]
async fn the_index_names_every_rest_path() {
    let router = app(&[]).http1;
    let index = get(&router, "/").await;
    let document = get(&router, "/openapi.json").await.json();
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(index.text().contains(&format!(" {path} ")), "{path}");
    }
}

/// The value of one metric.
fn metric(text: &str, name: &str) -> f64 {
    let line = text
        .lines()
        .find(|line| line.starts_with(&format!("{name} ")));
    line.unwrap().rsplit(' ').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn metrics_are_explained_and_cpu_only_grows() {
    let router = app(&[]).http1;
    let mut before = 0.0;
    for _ in 0..3 {
        let answer = get(&router, "/metrics").await;
        assert_eq!(
            answer.header("content-type"),
            "text/plain; version=0.0.4; charset=utf-8"
        );
        let cpu = metric(answer.text(), "process_cpu_seconds_total");
        assert!(cpu > before, "{cpu} after {before}");
        before = cpu;
    }
}

#[tokio::test]
async fn metrics_have_help_type_and_plausible_values() {
    let answer = get(&app(&[]).http1, "/metrics").await;
    let text = answer.text();
    for (name, kind) in [
        ("process_cpu_seconds_total", "counter"),
        ("process_resident_memory_bytes", "gauge"),
        ("process_start_time_seconds", "gauge"),
    ] {
        assert!(text.contains(&format!("# HELP {name} ")), "{text}");
        assert!(text.contains(&format!("# TYPE {name} {kind}\n")), "{text}");
    }
    let cpu_line = text
        .lines()
        .find(|line| line.starts_with("process_cpu"))
        .unwrap();
    assert_eq!(
        cpu_line.split('.').nth(1).unwrap().len(),
        6,
        "microseconds: {cpu_line}"
    );
    assert!(metric(text, "process_resident_memory_bytes") > 1e6);
    let age_s =
        jiff::Timestamp::now().as_second() as f64 - metric(text, "process_start_time_seconds");
    assert!((-2.0..3_600.0).contains(&age_s), "{age_s}");
}
