//! The published JSON Schema of `results.json`.

use std::{env, fs, path::PathBuf};

use bookstore_bench::record::{ClaimsRecord, Session};
use serde_json::Value;

use crate::golden;

/// Set to make the schema anew.
const UPDATE: &str = "UPDATE_SCHEMA";

fn path(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("schema/{file}.schema.json"))
}

#[test]
fn the_published_schemas_are_those_of_the_types() {
    for (file, schema) in [
        ("results", schemars::schema_for!(Session)),
        ("claims", schemars::schema_for!(ClaimsRecord)),
    ] {
        let path = path(file);
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if env::var_os(UPDATE).is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert!(
            fs::read_to_string(&path).is_ok_and(|published| published == text),
            "{} is stale: run `{UPDATE}=1 cargo test -p bookstore-bench --test report schema`",
            path.display()
        );
    }
}

#[test]
fn golden_sessions_are_valid_and_spoilt_ones_are_not() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string(path("results")).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (name, _) in golden::SESSIONS {
        let mut session: Value =
            serde_json::from_str(&fs::read_to_string(golden::path(name)).unwrap()).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&session)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert_eq!(errors, [""; 0], "{name}");

        session["runs"][0]["load"]["operations"] = Value::from("many");
        assert!(!validator.is_valid(&session), "{name}: a text is no count");
        session["runs"][0]["load"]["operations"] = Value::from(1);
        session.as_object_mut().unwrap().remove("settings");
        assert!(
            !validator.is_valid(&session),
            "{name}: settings are required"
        );
    }
}
