//! Sessions that the embedded runner drives: from the repository's scripts, from the built-in ones,
//! and from scripts that fail.

use std::{collections::BTreeSet, fs, path::Path};

use bookstore_bench::{
    catalogue::Catalogue,
    record::{Gate, LoadSummary, Session},
};
use tempfile::TempDir;

use crate::sitting::{Sitting, has_its_requests, is_about_expenses, shortly};

const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The default driver, at its shortest.
const SCRIPT: [&str; 7] = [
    "--driver",
    "script",
    "--warmup",
    "0s",
    "--duration",
    "1s",
    "--no-noise-floor",
];

fn with(flags: &[&'static str]) -> Vec<&'static str> {
    [&SCRIPT[..], flags].concat()
}

#[test]
fn the_embedded_runner_drives_every_cell_from_its_script() {
    let catalogue = Catalogue::built_in();
    let cells = catalogue.cells.iter();
    let cells = cells.filter(|cell| cell.script.is_some() && !is_about_expenses(cell));
    let cells: Vec<String> = cells.map(|cell| cell.id.clone()).collect();
    let session = drive(&cells);
    let measured: Vec<&str> = session.runs.iter().map(|run| &*run.row).collect();
    assert!(measured.contains(&"L50-a-grpc") && measured.contains(&"b-rest"));
}

#[test]
fn the_embedded_runner_drives_every_cell_of_expenses_from_its_script() {
    let catalogue = Catalogue::built_in();
    let cells = catalogue
        .cells
        .iter()
        .filter(|cell| is_about_expenses(cell));
    let cells: Vec<String> = cells.map(shortly).collect();
    assert!(drive(&cells).runs.iter().all(|run| run.sql.is_some()));
}

/// Measures these cells once and checks what every run must have.
fn drive(cells: &[String]) -> Session {
    let cells = cells.join(",");
    let mut sitting = Sitting::start(&[&SCRIPT[..], &["--cells", &cells]].concat());
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    let measured: BTreeSet<&str> = session.runs.iter().map(|run| &*run.row).collect();
    let planned: BTreeSet<&str> = session.rows.iter().map(|row| &*row.id).collect();
    assert_eq!(measured, planned);
    for run in &session.runs {
        let row = session.rows.iter().find(|row| row.id == run.row).unwrap();
        let load = &run.load;
        assert_eq!(load.engine.name, "script");
        let vus = row.condition.vus(2);
        let workers = session.settings.load_workers.min(vus);
        assert_eq!(load.engine.workers, Some(workers), "{}", run.row);
        assert_eq!((load.vus, load.lines), (vus, row.lines), "{}", run.row);
        assert!(load.operations > 0, "{}", run.row);
        assert_eq!(
            load.failed_operations, 0,
            "{}: {:?}",
            run.row, load.failures
        );
        assert!(has_its_requests(row, load), "{}: {load:?}", run.row);
        assert!(run.usage.client.cpu_us.unwrap() > 0.0);
    }
    let engine = &session.runs[0].load.engine;
    assert!(engine.version.contains("QuickJS"), "{engine}");
    let said = end.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains(&format!("driver {engine},")), "{said}");
    session
}

#[test]
fn rows_in_tls_have_the_bodies_of_the_others_under_scripts_and_compiled_clients() {
    let few = "expenses-users=5,expenses-count=20,limit=5";
    let rows = [
        ("a-rest", "rtt=2ms"),
        ("a-grpc", "rtt=2ms"),
        ("b-rest", ""),
        ("b-grpcweb", ""),
        ("b-grpcweb-x", ""),
        ("b-graphql", ""),
        ("b-calls-grpc", "calls=2"),
        ("e-A-rest", few),
    ];
    let conditions = |condition: &str| {
        ["", "driver=load"].map(|driver| {
            let parts = [driver, "sequential=3,drop=1,pause=0ms", condition, "tls=on"];
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(",")
        })
    };
    let mut cells = Vec::new();
    for (cell, condition) in rows {
        let encrypted = conditions(condition);
        cells.push(format!("{cell}@{}", encrypted[0].replace(",tls=on", "")));
        cells.extend(encrypted.map(|condition| format!("{cell}@{condition}")));
    }
    let cells = cells.join(",");
    let flags = ["--lines", "2", "--cells", &cells];
    let mut sitting = Sitting::start(&[&SCRIPT[..], &flags].concat());
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    assert_eq!(session.runs.len(), 3 * rows.len());
    for row in &session.rows {
        let run = session.runs.iter().find(|run| run.row == row.id).unwrap();
        assert_eq!(run.load.operations, 3, "{}", row.id);
        assert_eq!(run.load.failed_operations, 0, "{}", row.id);
        if !row.condition.tls {
            continue;
        }
        let mut plain = session.rows.iter();
        let plain = plain.find(|other| other.cell == row.cell && !other.condition.tls);
        let mut runs = session.runs.iter();
        let plain = runs.find(|run| run.row == plain.unwrap().id).unwrap();
        let of = |load: &LoadSummary| {
            let bodies = (load.sent_body_bytes, load.received_body_bytes);
            (load.requests, bodies)
        };
        assert_eq!(of(&run.load), of(&plain.load), "{}", row.id);
        let (secret, open) = (run.load.received_bytes, plain.load.received_bytes);
        assert!(secret > open + 300, "{}: {secret} and {open}", row.id);
    }
}

#[test]
fn a_sequence_is_timed_alike_by_scripts_and_compiled_clients() {
    let sequence = "sequential=7,drop=2,pause=2ms";
    let cells = ["b-rest", "b-rest@driver=load", "b-grpc"];
    let rows = cells.map(|cell| {
        let separator = if cell.contains('@') { "," } else { "@" };
        format!("{cell}{separator}{sequence}")
    });
    let cells = rows.join(",");
    let mut sitting = Sitting::start(&[&SCRIPT[..], &["--cells", &cells]].concat());
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    assert!(end.stdout.contains("first byte"), "{}", end.stdout);
    let session = sitting.saved();
    assert_eq!(session.runs.len(), 3);
    for run in &session.runs {
        let (row, load) = (&run.row, &run.load);
        assert_eq!((load.operations, load.vus), (7, 1), "{row}");
        assert_eq!(load.dropped_iterations, 0, "{row}");
        assert!(run.usage.window_s > 7.0 * 0.002, "{row}: no pauses");
        let samples = load.samples.as_ref().unwrap();
        assert_eq!((samples.dropped, samples.full_ms.len()), (2, 7), "{row}");
        // k6 has no such metric for gRPC.
        let seen = if row.starts_with("b-grpc") { 0 } else { 7 };
        assert_eq!(samples.ttfb_ms.len(), seen, "{row}");
        let longest = load.latency.max_ms;
        let kept = &samples.full_ms[2..];
        assert!(kept.iter().all(|&time| time <= longest + 1e-3), "{row}");
        assert!(samples.full().unwrap().mean > 0.0, "{row}");
    }
}

#[test]
fn outside_the_repository_the_built_in_scripts_run() {
    let elsewhere = tempfile::tempdir().unwrap();
    // A contract, a document and the plain kind: whatever a script opens must be there.
    let cells = "a-grpc,b-graphql,b-grpcweb";
    let flags = with(&["--cells", cells, "--lines", "2"]);
    let mut sitting = Sitting::start_at(elsewhere.path(), &flags);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    assert_eq!(session.runs.len(), 3);
    assert!(session.runs.iter().all(|run| run.load.operations > 0));
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

/// A copy of the suite in which one script has another text.
fn changed(script: &str, change: impl FnOnce(&str) -> String) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copy = |name: &str| {
        let to = folder.path().join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(Path::new(TOP).join(name), to).unwrap();
    };
    copy("k6/scenarios.json");
    copy(script);
    for entry in fs::read_dir(Path::new(TOP).join("k6/lib")).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_file() {
            copy(&format!("k6/lib/{}", entry.file_name().to_str().unwrap()));
        }
    }
    let path = folder.path().join(script);
    let text = fs::read_to_string(&path).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed);
    fs::write(path, changed).unwrap();
    folder
}

/// Measures a changed `b-rest-bff.js` and gives the reason why its round does not count.
fn reason(change: impl FnOnce(&str) -> String) -> (String, Gate) {
    let folder = changed("k6/b-rest-bff.js", change);
    let mut sitting = Sitting::start_at(folder.path(), &with(&["--cells", "b-rest-bff"]));
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(3), "{}", end.stderr);
    let session = sitting.saved();
    assert_eq!(session.analysis.rounds_out.len(), 1);
    let gate = session.runs[0].gates[0].clone();
    (session.analysis.rounds_out[0].reason.clone(), gate)
}

#[test]
fn a_failed_check_of_a_script_is_a_failed_operation() {
    // Every tenth operation of a virtual user expects another status.
    let (reason, gate) = reason(|text| {
        text.replace(
            "answered(response, 200,",
            "answered(response, __ITER % 10 === 9 ? 201 : 200,",
        )
    });
    assert!(
        reason.contains("the check of the operation failed"),
        "{reason}"
    );
    let Gate::FailedOperations { failed, of, .. } = gate else {
        panic!("{gate:?}");
    };
    assert!(failed > 0 && failed < of, "{failed} of {of}");
}

#[test]
fn a_script_that_throws_has_failed_operations_too() {
    let (reason, gate) = reason(|text| {
        text.replace(
            "export default operation(() => {",
            "export default operation(() => {\n  if (__ITER % 10 === 9) throw new Error('a fault');",
        )
    });
    assert!(reason.contains("threw an exception"), "{reason}");
    let Gate::FailedOperations { failed, of, .. } = gate else {
        panic!("{gate:?}");
    };
    assert!(failed > 0 && failed < of, "{failed} of {of}");
}

#[test]
fn a_script_that_is_missing_from_the_repository_is_named_with_the_remedy() {
    let folder = changed("k6/b-rest-bff.js", |text| format!("{text}\n"));
    let mut sitting = Sitting::start_at(folder.path(), &with(&["--cells", "b-rest"]));
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(1), "{}", end.stderr);
    assert!(
        end.stderr
            .contains("there is no script k6/b-rest.js; bring it back"),
        "{}",
        end.stderr
    );
}
