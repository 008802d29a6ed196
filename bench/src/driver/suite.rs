//! The suite's scripts: those of the repository, or the ones built into this executable.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::DriverError;

/// Every file that a script of the catalogue is, imports or opens: its path from the top of the
/// repository, and its content when this executable was built.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/suite.rs"));

/// What tells the top of the repository.
const CATALOGUE: &str = "k6/scenarios.json";

/// Scripts that a driver can read.
#[derive(Clone, Debug)]
pub struct Suite {
    /// What paths of the catalogue start from; empty for the working directory.
    top: PathBuf,
}

impl Suite {
    /// The scripts of the working directory when it is the top of the repository, so that changes to
    /// them count; elsewhere the built-in ones, written to `scratch`.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn find(scratch: &Path) -> Result<Self, DriverError> {
        if Path::new(CATALOGUE).is_file() {
            return Ok(Self {
                top: PathBuf::new(),
            });
        }
        let top = scratch.join("suite");
        unpack(&top).map_err(|source| DriverError::Unpack {
            folder: top.clone(),
            source,
        })?;
        Ok(Self { top })
    }

    /// Where a script of the catalogue is.
    ///
    /// # Errors
    /// It is not there.
    pub fn script(&self, script: &str) -> Result<PathBuf, DriverError> {
        let path = self.top.join(script);
        if path.is_file() {
            Ok(path)
        } else {
            Err(DriverError::NoScript(path))
        }
    }
}

fn unpack(top: &Path) -> io::Result<()> {
    for (name, content) in FILES {
        let path = top.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, content)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn every_script_of_the_catalogue_is_built_in_with_what_it_needs() {
        let folder = tempfile::tempdir().unwrap();
        unpack(folder.path()).unwrap();
        let suite = Suite {
            top: folder.path().to_owned(),
        };
        let cells = Catalogue::built_in().cells;
        for script in cells.iter().filter_map(|cell| cell.script.as_ref()) {
            let text = fs::read_to_string(suite.script(script).unwrap()).unwrap();
            for import in text.split('\'').filter(|name| name.starts_with("./lib/")) {
                assert!(suite.script(&format!("k6/{import}")).is_ok(), "{import}");
            }
        }
        assert!(suite.script("proto/bookstore/bench/v1/bench.proto").is_ok());
    }

    #[test]
    fn a_missing_script_is_named_with_the_remedy() {
        let suite = Suite {
            top: PathBuf::from("/nowhere"),
        };
        let message = suite.script("k6/a-rest.js").unwrap_err().to_string();
        assert!(
            message.contains("/nowhere/k6/a-rest.js") && message.contains("another folder"),
            "{message}"
        );
    }
}
