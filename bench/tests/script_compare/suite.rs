//! The scripts of the suite, HTTP/2 included.

use std::path::{Path, PathBuf};

use crate::stand_in::{Bench, FAITHFUL, Outcome, edited};

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

fn suite(run: &str, script: &str) -> Outcome {
    Bench::new(run).compare_script(&top().join("k6").join(script), &[])
}

#[test]
fn the_runner_agrees_with_itself_in_http1_and_http2() {
    for (script, requests) in [("b-rest.js", 42), ("a-grpc.js", 12)] {
        let outcome = suite(FAITHFUL, script);
        assert_eq!(outcome.code, Some(0), "{script}: {outcome:?}");
        let seen = format!("{requests} requests over ");
        assert_eq!(
            outcome.stdout.matches(&seen).count(),
            2,
            "{script}: {outcome:?}"
        );
    }
}

#[test]
fn what_handle_summary_gets_is_compared_by_the_probe() {
    let probe = top().join("script/probe/summary-data.js");
    let outcome = Bench::new(FAITHFUL).compare_script(&probe, &[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(
        outcome.stdout.matches("11 requests over ").count(),
        2,
        "{outcome:?}"
    );

    let planted = edited("s/const shape/delete data.state.isStdErrTTY; const shape/");
    let outcome = Bench::new(&planted).compare_script(&probe, &[]);
    let differences = outcome.differences();
    assert!(
        differences[0].starts_with("request    body of POST /probe/summary-data")
            && differences[0].contains("data.state.isStdErrTTY"),
        "{outcome:?}"
    );
}

#[test]
fn a_fault_in_a_grpc_request_is_found() {
    let top = top();
    let top = top.display();
    // A copy, with what the script imports and opens.
    let run = format!(
        r#"copy="$(dirname "$0")/copy"; mkdir "$copy"; mkdir "$copy/k6"
cp -r "{top}/k6/lib" "$copy/k6"; cp -r "{top}/proto" "$copy"
sed 's/ORDER_ID, lines/"another", lines/' "{top}/k6/a-grpc.js" > "$copy/k6/a-grpc.js"
shift 2; exec "$BENCH" script run "$copy/k6/a-grpc.js" "$@""#
    );
    let outcome = suite(&run, "a-grpc.js");
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    let differences = outcome.differences();
    assert!(
        differences.iter().any(|difference| {
            difference.starts_with("request    body of 10 requests, first of POST /bookstore.bench")
                && difference.contains("another")
        }),
        "{outcome:?}"
    );
}
