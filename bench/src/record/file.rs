//! Reading and writing `results.json`.

use std::{fs, io, path::Path};

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::{MixedEngines, RESULTS_SCHEMA, Session};
use crate::replace::replace;

/// Why a results file cannot be used.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}; give the results.json or claims.json that was written")]
    Read {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write {path}: {source}; free some space or choose another folder with --out")]
    Write {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The file is not a results file.
    #[error(
        "{path} is not a whole results file: {source}; give the results.json or claims.json that was \
         written"
    )]
    Format {
        /// The file.
        path: String,
        /// Where and why.
        source: serde_json::Error,
    },
    /// The file says of itself nothing that this tool writes.
    #[error(
        "{path} is no results file: it names no schema; give the results.json or claims.json that was written"
    )]
    Foreign {
        /// The file.
        path: String,
    },
    /// The file was written by another version.
    #[error(
        "{path} has schema {found:?}, this version reads {wanted:?}; read it with the version \
         that wrote it, or measure again"
    )]
    Schema {
        /// The file.
        path: String,
        /// Schema named in it.
        found: String,
        /// Schema that was looked for.
        wanted: &'static str,
    },
    /// The file holds runs of different engines.
    #[error("{path} cannot be shown: {source}")]
    Engines {
        /// The file.
        path: String,
        /// Which.
        source: Box<MixedEngines>,
    },
}

impl Session {
    /// Reads a session from `path`.
    ///
    /// # Errors
    /// The file cannot be read, is no results file, has another schema, or mixes engines.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let session: Self = read(path, RESULTS_SCHEMA)?;
        let checked = session
            .runs
            .iter()
            .try_for_each(|run| session.check_engine(run));
        checked.map_err(|source| RecordError::Engines {
            path: path.display().to_string(),
            source,
        })?;
        Ok(session)
    }

    /// Writes the session to `path`, so that a reader sees either the old or the new content.
    ///
    /// # Errors
    /// The file cannot be written; the old content is kept.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let fail = |source: io::Error| RecordError::Write {
            path: path.display().to_string(),
            source,
        };
        let mut text = serde_json::to_string_pretty(self).map_err(|error| fail(error.into()))?;
        text.push('\n');
        replace(path, &text).map_err(fail)
    }
}

/// Reads a file that names this schema.
pub(super) fn read<T: DeserializeOwned>(
    path: &Path,
    schema: &'static str,
) -> Result<T, RecordError> {
    let shown = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|source| RecordError::Read {
        path: shown.clone(),
        source,
    })?;
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|source| RecordError::Format {
            path: shown.clone(),
            source,
        })?;
    let Some(found) = value["schema"].as_str() else {
        return Err(RecordError::Foreign { path: shown });
    };
    if found != schema {
        return Err(RecordError::Schema {
            path: shown,
            found: found.to_owned(),
            wanted: schema,
        });
    }
    serde_json::from_value(value).map_err(|source| RecordError::Format {
        path: shown,
        source,
    })
}
