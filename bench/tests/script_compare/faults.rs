//! One planted fault at a time.

use crate::stand_in::{Bench, FAITHFUL, Outcome, edited, with_edited_export};

/// The outcome of a comparison with a fault, which must have been found.
fn found(run: &str) -> Outcome {
    let outcome = Bench::new(run).compare(&["--iterations", "3"]);
    assert_eq!(outcome.code, Some(3), "{outcome:?}");
    outcome
}

#[test]
fn without_a_fault_there_is_no_difference() {
    let outcome = Bench::new(FAITHFUL).compare(&[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("No difference."), "{outcome:?}");
    // setup, ten times two, teardown
    let seen = outcome.stdout.matches("  22 requests over ").count();
    assert_eq!(seen, 2, "{outcome:?}");
}

#[test]
fn one_byte_more_in_a_body() {
    let outcome = found(&edited("s/order-1/order-1x/"));
    let [body, length] = outcome.differences()[..] else {
        panic!("{outcome:?}");
    };
    assert!(body.starts_with("request    body of 3 requests, first of POST /api/reservations"));
    assert!(body.contains(r#"order-1\","#) && body.contains(r#"order-1x\","#));
    assert!(
        length.contains("header content-length of 3 requests"),
        "{length}"
    );
}

#[test]
fn a_missing_metric() {
    let outcome = found(&edited("/planted.add/d"));
    assert_eq!(
        outcome.differences(),
        ["metric     planted_total: runner has it, k6 has none"],
        "{outcome:?}"
    );
}

#[test]
fn a_missing_key_of_the_summary() {
    let outcome = found(&with_edited_export(r#"/"med": /d"#));
    let differences = outcome.differences();
    assert!(!differences.is_empty());
    for difference in differences {
        assert!(
            difference.starts_with("metric     ")
                && difference.ends_with(": med: runner has it, k6 has none"),
            "{difference}"
        );
    }
}

#[test]
fn another_exit_code() {
    let outcome = found(r#""$BENCH" script "$@"; echo 'my last words' >&2; exit 99"#);
    assert_eq!(
        outcome.differences(),
        ["exit code  of the run: runner 0, k6 99"]
    );
    assert!(outcome.stdout.contains("my last words"), "{outcome:?}");
}

#[test]
fn one_request_more() {
    let more = "s|^export function teardown.*|&http.get(`${__ENV.BASE_URL}/more`);|";
    let outcome = found(&edited(more));
    let differences = outcome.differences();
    assert_eq!(
        differences[0], "request    GET /more to BASE_URL: runner sent 0, k6 sent 1",
        "{outcome:?}"
    );
    // What follows from it: one more in what is counted for each request.
    assert!(
        differences.contains(&"metric     http_reqs: count: runner 8, k6 9"),
        "{outcome:?}"
    );
    for difference in &differences[1..] {
        assert!(
            difference.starts_with("metric     http_req") || difference.starts_with("sample     "),
            "{difference}"
        );
    }
}

#[test]
fn one_request_fewer() {
    let outcome = found(&edited("/books\\/1/d"));
    assert_eq!(
        outcome.differences()[0],
        "request    GET /api/books/1 to BASE_URL: runner sent 3, k6 sent 0",
        "{outcome:?}"
    );
}

#[test]
fn a_failed_check_and_the_threshold_on_it() {
    let outcome = found(&edited("s/r.status >= 200/r.status >= 900/"));
    let differences = outcome.differences();
    for expected in [
        "check      groups.answers.checks.has a status.fails: runner 0, k6 3",
        "check      groups.answers.checks.has a status.passes: runner 3, k6 0",
        "metric     checks: fails: runner 0, k6 3",
        "metric     checks: passes: runner 3, k6 0",
        "metric     checks: value: runner 1, k6 0",
        "threshold  checks: rate>=0.9: runner passed, k6 failed",
        "exit code  of the run: runner 0, k6 99",
    ] {
        assert!(differences.contains(&expected), "{expected} in {outcome:?}");
    }
    assert_eq!(differences.len(), 7, "{outcome:?}");
}

#[test]
fn another_check() {
    let outcome = found(&edited("s/has a status/has any status/"));
    let differences = outcome.differences();
    assert!(!differences.is_empty());
    for difference in differences {
        let is_named = difference.contains("has a status") || difference.contains("has any status");
        assert!(is_named, "{difference}");
    }
}

#[test]
fn another_header() {
    let outcome = found(&edited(
        "s/'\\''X-Own'\\'': '\\''a'\\''/'\\''X-Own'\\'': '\\''b'\\''/",
    ));
    assert_eq!(
        outcome.differences(),
        [
            "request    header x-own of 3 requests, first of POST /api/reservations to BASE_URL: \
             runner \"a\", k6 \"b\""
        ]
    );
}

#[test]
fn a_header_too_few() {
    let outcome = found(&edited("s/, '\\''X-Own'\\'': '\\''a'\\''//"));
    assert_eq!(
        outcome.differences(),
        [
            "request    header x-own of 3 requests, first of POST /api/reservations to BASE_URL: \
             runner \"a\", k6 sends none"
        ]
    );
}

#[test]
fn a_tag_and_the_type_of_a_metric() {
    let outcome = found(&edited("s/Counter/Gauge/g"));
    assert!(
        (outcome.differences())
            .contains(&"sample     planted_total: type: runner \"counter\", k6 \"gauge\""),
        "{outcome:?}"
    );
    let tagged = found(r#""$BENCH" script "$@" --tag planted=yes"#);
    let [difference] = tagged.differences()[..] else {
        panic!("{tagged:?}");
    };
    assert!(
        difference.starts_with("sample     tag planted of checks, ")
            && difference.ends_with(": runner has none, k6 has it"),
        "{difference}"
    );
}

#[test]
fn bytes_that_are_not_counted() {
    let outcome = found(&with_edited_export(
        r#"/"data_sent"/,/}/s/"count": [0-9]*/"count": 1/"#,
    ));
    let [difference] = outcome.differences()[..] else {
        panic!("{outcome:?}");
    };
    assert!(
        difference.starts_with("metric     data_sent: runner counts ")
            && difference.contains("k6 counts 1 of "),
        "{difference}"
    );
}

#[test]
fn counts_are_left_out_when_time_decides_how_many_there_are() {
    let run = r#""$BENCH" script "$@" --iterations 5"#;
    let outcome = Bench::new(run).compare(&["--as-written"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(
        outcome.stdout.contains("they made 1 and 5 iterations"),
        "{outcome:?}"
    );
}
