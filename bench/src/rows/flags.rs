//! Whether a server would start with the flags of a row, before anything is measured.

use std::path::Path;

use bookstore_server::ServerConfig;
use clap::{Args as _, Command};

use crate::{error::UsageError, record::Row};

/// Flags that the wrapper sets itself, with what to do instead.
const TAKEN: [(&str, &str); 6] = [
    ("bind", LISTENS),
    ("http-port", LISTENS),
    ("h2c-port", LISTENS),
    ("workers", "use --server-workers, for all rows alike"),
    ("surcharge", "use --surcharge ROW=SHARE"),
    ("tls-trust", "use tls=on"),
];
const LISTENS: &str = "each run takes a free port of this machine";

/// Reads the flags as the server will.
pub(super) fn check(row: &Row) -> Result<(), UsageError> {
    let flags = &row.condition.server;
    if flags.is_empty() {
        return Ok(());
    }
    if let Some((flag, remedy)) = TAKEN.iter().find(|(flag, _)| flags.contains_key(*flag)) {
        return Err(UsageError::ServerFlagTaken {
            row: row.id.clone(),
            flag: (*flag).to_owned(),
            remedy,
        });
    }
    let words = row.condition.server_arguments(Path::new("scratch"));
    let command = ServerConfig::augment_args(Command::new("serve").no_binary_name(true));
    match command.try_get_matches_from(words) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(UsageError::ServerFlags {
                row: row.id.clone(),
                reason: first.trim_start_matches("error: ").to_owned(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use crate::{catalogue::Catalogue, rows::rows};

    fn refused(cell: &str) -> String {
        rows(&Catalogue::built_in(), &[cell.to_owned()], &[], false)
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn flags_that_the_server_would_refuse_are_refused_before_it_starts() {
        for (cell, message) in [
            (
                "b-rest@foo=1",
                "b-rest@foo=1 has flags that the server refuses: unexpected argument '--foo' found; \
                 its flags are those of serve --help",
            ),
            (
                "b-rest@log-level=loud",
                "b-rest@log-level=loud has flags that the server refuses: invalid value 'loud' for \
                 '--log-level <LEVEL>'; its flags are those of serve --help",
            ),
            (
                "b-rest@http-port=80",
                "b-rest@http-port=80 cannot set the server's --http-port; each run takes a free port \
                 of this machine",
            ),
            (
                "b-rest@workers=2",
                "b-rest@workers=2 cannot set the server's --workers; use --server-workers, for all rows alike",
            ),
        ] {
            assert_eq!(refused(cell), message);
        }
    }

    #[test]
    fn every_cell_of_the_catalogue_has_flags_that_the_server_takes() {
        let catalogue = Catalogue::built_in();
        let all: Vec<String> = catalogue.cells.iter().map(|cell| cell.id.clone()).collect();
        assert!(rows(&catalogue, &all, &[], false).unwrap().len() > all.len());
        let known = ["b-rest@log-level=info,backend-delay=5ms".to_owned()];
        assert_eq!(rows(&catalogue, &known, &[], false).unwrap().len(), 1);
    }
}
