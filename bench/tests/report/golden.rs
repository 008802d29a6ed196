//! The golden sessions: invented ones, kept as files so that a change of the recorded shape shows.

use std::{env, fs, path::PathBuf};

use bookstore_bench::record::Session;

use crate::invented;

/// Set to make the golden files anew.
const UPDATE: &str = "UPDATE_GOLDEN";

type Maker = fn() -> Session;

/// Each golden file with what makes it.
pub const SESSIONS: [(&str, Maker); 4] = [
    ("session", invented::complete),
    ("partial", invented::partial),
    ("troubled", invented::troubled),
    ("repeats", invented::repeats_only),
];

/// A golden session, read from its file.
pub fn read(name: &str) -> Session {
    Session::read(&path(name)).unwrap()
}

pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.json"))
}

#[test]
fn golden_sessions_are_what_the_generator_makes() {
    for (name, make) in SESSIONS {
        let path = path(name);
        if env::var_os(UPDATE).is_some() {
            make().write(&path).unwrap();
        }
        assert!(path.exists(), "no {}: run with {UPDATE}=1", path.display());
        let text = serde_json::to_string_pretty(&make()).unwrap() + "\n";
        assert!(
            fs::read_to_string(&path).unwrap() == text,
            "{} is stale: run `{UPDATE}=1 cargo test -p bookstore-bench --test report golden`",
            path.display()
        );
    }
}

#[test]
fn a_golden_session_survives_reading_and_writing() {
    let folder = tempfile::tempdir().unwrap();
    for (name, make) in SESSIONS {
        let session = read(name);
        assert_eq!(session, make(), "{name}");
        let copy = folder.path().join("results.json");
        session.write(&copy).unwrap();
        assert_eq!(
            fs::read(copy).unwrap(),
            fs::read(path(name)).unwrap(),
            "{name}"
        );
    }
}
