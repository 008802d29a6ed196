//! Small scripts with what k6's documentation says about them.
//!
//! `conformance/NAME.js` runs with what `conformance/NAME.json` says:
//!
//! - `args`: arguments besides the script; `variables`: variables of the system
//! - `exit`: the exit code
//! - `export`: what the file of `--summary-export` has, `data`: what `handleSummary` gets
//! - `stdout`, `stderr`: texts that are in the streams; `not_stdout`, `not_stderr`: that are not
//!
//! An expected object may leave out keys. `{"$min": 1, "$max": 2}` stands for a number in between,
//! `"$absent"` for a key that must not be there.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use crate::{answers::by_path, grpc::Grpc, outcome::run, server::serve, tls::Tls};
use serde_json::Value;

/// Cases that run at once; most of them wait.
const AT_ONCE: usize = 6;

#[test]
fn every_script_does_what_is_written_beside_it() {
    let directory = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut cases: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    cases.sort();
    let count = cases.len();
    assert!(count >= 60, "only {count} cases were found");
    let server = serve(by_path);
    let grpc = Grpc::start();
    let tls = Tls::start();
    let variables = tls.variables();
    let mut servers = grpc.arguments();
    servers.extend(tls.arguments());
    servers.push(format!("-eBASE_URL={}", server.base_url));
    let (queue, failures) = (Mutex::new(cases), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(case) = queue.lock().unwrap().pop() else {
                        return;
                    };
                    let found = check(&case, &servers, &variables);
                    failures.lock().unwrap().extend(found);
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with a case.
fn check(case: &Path, servers: &[String], variables: &[(String, String)]) -> Vec<String> {
    let text = fs::read_to_string(case).unwrap();
    let expected: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{}: {error}", case.display());
    });
    let directory = tempfile::tempdir().unwrap();
    let export = directory.path().join("export.json");
    let data = directory.path().join("data.json");
    let mut arguments = vec![
        case.with_extension("js").to_str().unwrap().to_owned(),
        format!("-eDATA={}", data.display()),
        format!("--summary-export={}", export.display()),
    ];
    arguments.extend_from_slice(servers);
    arguments.extend(texts(&expected["args"]));
    let mut variables = variables.to_vec();
    let own = expected["variables"].as_object().into_iter().flatten();
    variables.extend(own.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())));
    let outcome = run(&arguments, &variables);

    let mut wrong = Vec::new();
    if expected["exit"] != outcome.exit_code {
        wrong.push(format!("exit code {}", outcome.exit_code));
    }
    for (key, stream, wanted) in [
        ("stdout", &outcome.stdout, true),
        ("stderr", &outcome.stderr, true),
        ("not_stdout", &outcome.stdout, false),
        ("not_stderr", &outcome.stderr, false),
    ] {
        for text in texts(&expected[key]) {
            if stream.contains(&text) != wanted {
                wrong.push(format!("{key}: {text:?}"));
            }
        }
    }
    for (key, file) in [("export", export), ("data", data)] {
        if expected[key].is_null() {
            continue;
        }
        match fs::read_to_string(&file) {
            Ok(text) => {
                let actual = serde_json::from_str(&text).unwrap();
                compare(&expected[key], Some(&actual), key, &mut wrong);
            }
            Err(error) => wrong.push(format!("{key}: {error}")),
        }
    }
    if !wrong.is_empty() {
        wrong.push(format!(
            "stdout:\n{}\nstderr:\n{}",
            outcome.stdout, outcome.stderr
        ));
    }
    let name = case.file_stem().unwrap().display().to_string();
    wrong
        .into_iter()
        .map(|wrong| format!("{name}: {wrong}"))
        .collect()
}

fn texts(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

fn compare(expected: &Value, actual: Option<&Value>, path: &str, wrong: &mut Vec<String>) {
    if expected == "$absent" {
        if let Some(actual) = actual {
            wrong.push(format!("{path} is {actual}"));
        }
        return;
    }
    let Some(actual) = actual else {
        wrong.push(format!("{path} is missing"));
        return;
    };
    if let Some(bounds) = expected
        .as_object()
        .filter(|bounds| bounds.contains_key("$min"))
    {
        let (min, max) = (
            bounds["$min"].as_f64().unwrap(),
            bounds["$max"].as_f64().unwrap(),
        );
        let within = actual
            .as_f64()
            .is_some_and(|actual| (min..=max).contains(&actual));
        if !within {
            wrong.push(format!("{path} is {actual}, not from {min} to {max}"));
        }
        return;
    }
    match (expected, actual) {
        (Value::Object(fields), Value::Object(_)) => {
            for (key, expected) in fields {
                compare(expected, actual.get(key), &format!("{path}.{key}"), wrong);
            }
        }
        (Value::Array(items), Value::Array(actual)) if items.len() == actual.len() => {
            for (place, (expected, actual)) in items.iter().zip(actual).enumerate() {
                compare(expected, Some(actual), &format!("{path}[{place}]"), wrong);
            }
        }
        (Value::Number(_), Value::Number(_)) if expected.as_f64() == actual.as_f64() => {}
        _ if expected == actual => {}
        _ => wrong.push(format!("{path} is {actual}, not {expected}")),
    }
}
