//! The kinds of commands that a document may show.

/// A command line, sorted by what can be tried of it.
#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    /// The product itself, with its arguments.
    Bench(Vec<String>),
    /// A script of the repository.
    Script(String),
    /// A k6 script, for a k6 of the reader's own.
    K6(String),
    /// A cargo test of one package, perhaps of one of its test targets.
    CargoTest {
        package: Option<String>,
        target: Option<String>,
    },
    /// A build.
    CargoBuild,
}

impl Command {
    /// Sorts a command line.
    pub fn read(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line
            .split_whitespace()
            .skip_while(|word| is_assignment(word))
            .filter(|word| *word != "&")
            .collect();
        match words.as_slice() {
            [
                "bookstore-bench" | "target/release/bookstore-bench",
                flags @ ..,
            ]
            | ["cargo", "run", "--release", "--", flags @ ..] => Ok(Self::Bench(owned(flags))),
            ["cargo", "run", "--release"] => Ok(Self::Bench(Vec::new())),
            ["cargo", "build", "--release"] => Ok(Self::CargoBuild),
            ["cargo", "test", flags @ ..] => Ok(Self::CargoTest {
                package: value_of(flags, "-p"),
                target: value_of(flags, "--test"),
            }),
            ["k6", "run", .., script] => Ok(Self::K6((*script).to_owned())),
            [script, ..] if script.starts_with("scripts/") => {
                Ok(Self::Script((*script).to_owned()))
            }
            _ => Err(
                "no test knows this kind of command; teach it to bench/tests/documents".to_owned(),
            ),
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=')
        .is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn value_of(words: &[&str], flag: &str) -> Option<String> {
    let at = words.iter().position(|word| *word == flag)?;
    words.get(at + 1).map(|word| (*word).to_owned())
}

#[test]
fn kinds_are_told_apart_and_unknown_ones_refused() {
    assert_eq!(
        Command::read("DURATION=5s k6 run k6/a-rest.js"),
        Ok(Command::K6("k6/a-rest.js".to_owned()))
    );
    assert_eq!(
        Command::read("cargo run --release -- serve &"),
        Ok(Command::Bench(vec!["serve".to_owned()]))
    );
    assert_eq!(
        Command::read("cargo test -p x --test y"),
        Ok(Command::CargoTest {
            package: Some("x".to_owned()),
            target: Some("y".to_owned())
        })
    );
    assert!(Command::read("rm -r results").is_err());
    assert!(Command::read("cargo run").is_err(), "a debug build");
}
