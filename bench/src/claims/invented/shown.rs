//! How a record of claims is written, read and shown.

use super::{ROUNDS, article::record, dearer};
use crate::{
    claims::{catalogue::Claims, judge, render},
    record::{ClaimVerdict, ClaimsRecord, Session},
};

#[test]
fn a_record_survives_writing_and_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claims.json");
    let written = record(ROUNDS, |_| {});
    written.write(&path).unwrap();
    assert!(ClaimsRecord::is_at(&path));
    let read = ClaimsRecord::read(&path).unwrap();
    assert_eq!(read.findings.len(), written.findings.len());
    assert_eq!(
        render::markdown::render(&read),
        render::markdown::render(&written)
    );
    assert!(Session::read(&path).is_err());
}

#[test]
fn a_record_follows_the_published_schema_and_a_spoilt_one_does_not() {
    let schema = serde_json::from_str(crate::report::CLAIMS_SCHEMA_JSON).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let mut value = serde_json::to_value(record(ROUNDS, |_| {})).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert_eq!(errors, [""; 0]);
    value["findings"][0]["verdict"] = "perhaps".into();
    assert!(!validator.is_valid(&value));
}

/// Some of each verdict.
fn shown() -> ClaimsRecord {
    let mut record = record(ROUNDS, |run| match run.row.as_str() {
        "L2-a-grpc" => dearer("L2-a-grpc", 0.4)(run),
        "b-grpcweb" => dearer("b-grpcweb", 47.0 / 28.0)(run),
        "b-rest" if run.round % 2 == 0 => run.load.latency.p95_ms += 4.0,
        _ => {}
    });
    let some = [
        "C01", "C04", "C06", "C12", "C16", "C19", "C21", "C24", "C29", "C36",
    ];
    record.asked = some.map(str::to_owned).to_vec();
    record.findings = judge::findings(&Claims::built_in(), &record, "load");
    record
}

#[test]
fn claims_read_like_this_on_a_terminal() {
    insta::assert_snapshot!("terminal", render::terminal::render(&shown(), 110, false));
}

#[test]
fn claims_read_like_this_as_markdown() {
    insta::assert_snapshot!("markdown", render::markdown::render(&shown()));
}

#[test]
fn the_list_reads_like_this() {
    let claims = Claims::built_in();
    let ids = ["C01", "C04", "C29", "C36"].map(str::to_owned);
    let selected = claims.selected(&[], &ids).unwrap();
    insta::assert_snapshot!("list", render::list::render(&selected, 110));
}

#[test]
fn verdicts_stand_in_one_order_whichever_came_first() {
    let mut record = record(ROUNDS, |_| {});
    let reason = String::new();
    let given = [
        ClaimVerdict::NotMeasurable { reason },
        ClaimVerdict::NotSettled { more_rounds: None },
        ClaimVerdict::DoesNotHold,
        ClaimVerdict::Flips,
        ClaimVerdict::TieHere,
        ClaimVerdict::HoldsSmaller,
        ClaimVerdict::Flips,
        ClaimVerdict::HoldsLarger,
        ClaimVerdict::Holds,
    ];
    record.findings.truncate(given.len());
    for (finding, verdict) in record.findings.iter_mut().zip(given) {
        finding.verdict = verdict;
    }
    let counts = "9 claims: holds 1; holds, larger 1; holds, smaller 1; tie here 1; flips 2; \
                  does not hold 1; not settled 1; not measurable 1.";
    let markdown = render::markdown::render(&record);
    assert!(markdown.contains(counts), "{markdown}");
    let terminal = render::terminal::render(&record, 300, false);
    assert!(terminal.contains(counts), "{terminal}");
    let rows = markdown.lines().filter(|line| line.starts_with("| **"));
    let names: Vec<&str> = rows.filter_map(|line| line.split("**").nth(1)).collect();
    assert_eq!(
        names,
        [
            "holds",
            "holds, larger",
            "holds, smaller",
            "tie here",
            "flips",
            "does not hold",
            "not settled",
            "not measurable"
        ]
    );
    assert!(
        markdown.contains("| **flips** | 2 | C04, C07 |"),
        "{markdown}"
    );
    record.findings.clear();
    assert!(render::markdown::render(&record).contains("0 claims."));
}

#[test]
fn what_is_not_settled_is_explained_by_the_part_that_needs_most() {
    let mut record = record(ROUNDS, |_| {});
    record.findings.retain(|finding| finding.id == "C12");
    let finding = &mut record.findings[0];
    let open = |more_rounds| ClaimVerdict::NotSettled { more_rounds };
    for (part, more_rounds) in finding.parts.iter_mut().zip([Some(3), Some(9)]) {
        part.verdict = open(more_rounds);
    }
    finding.verdict = open(Some(9));
    let reason = render::words::reason(finding);
    assert!(reason.starts_with("Bytes received, "), "{reason}");
    assert!(reason.contains("about 9 more rounds"), "{reason}");
}
