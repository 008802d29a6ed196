//! Everything that can be seen of one run from outside.

use std::{fs, io, path::Path};

use serde_json::Value;

use super::{
    args::ScriptCompareArgs,
    error::CompareError,
    launch::{Ended, Engine, Files},
    samples::Samples,
    servers::Servers,
    traffic::Traffic,
};
use crate::interrupt::Interrupt;

/// What one run did.
#[derive(Debug)]
pub(super) struct Observation {
    /// How it ended.
    pub(super) ended: Ended,
    /// What it sent.
    pub(super) traffic: Traffic,
    /// The content of `--summary-export`; a run that fails early leaves none.
    pub(super) summary: Option<Value>,
    /// The content of `--out json`.
    pub(super) samples: Samples,
}

impl Observation {
    /// Runs the script in `engine`, with its files in `folder`.
    ///
    /// # Errors
    /// It cannot be run, or left files that cannot be read.
    pub(super) fn make(
        engine: Engine<'_>,
        args: &ScriptCompareArgs,
        servers: &Servers,
        folder: &Path,
        interrupt: &Interrupt,
    ) -> Result<Self, CompareError> {
        let files = Files {
            summary: folder.join("summary.json"),
            samples: folder.join("samples.json"),
        };
        fs::create_dir(folder).map_err(CompareError::Folder)?;
        let ended = engine.run(args, servers.variables(), &files, interrupt)?;
        let unreadable = |flag, reason| CompareError::Unreadable {
            engine: engine.name(),
            flag,
            reason,
        };
        let summary = match read(&files.summary)? {
            None => None,
            Some(text) => Some(
                serde_json::from_str(&text)
                    .map_err(|error| unreadable("--summary-export", error.to_string()))?,
            ),
        };
        let samples = Samples::read(&read(&files.samples)?.unwrap_or_default())
            .map_err(|reason| unreadable("--out json", reason))?;
        Ok(Self {
            ended,
            traffic: servers.take_traffic()?,
            summary,
            samples,
        })
    }

    /// A whole number of the summary: `key` of `metric`.
    pub(super) fn count(&self, metric: &str, key: &str) -> Option<f64> {
        self.summary.as_ref()?["metrics"][metric][key].as_f64()
    }
}

/// The content of a file, if it was written.
fn read(path: &Path) -> Result<Option<String>, CompareError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(CompareError::Folder(error)),
    }
}
