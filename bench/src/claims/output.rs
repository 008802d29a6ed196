//! The folder that claims write to, and from which an interrupted check goes on.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::render;
use crate::{
    error::{BenchError, UsageError},
    output::default_folder,
    record::{ClaimsRecord, RecordError, SessionState},
    replace::replace,
    report::ReportError,
};

/// A folder that has been proven writable.
pub(super) struct Output {
    folder: PathBuf,
}

impl Output {
    /// Opens `folder`, or `results/` with the time of day, and what an interrupted check left in it.
    pub fn open(folder: Option<&Path>) -> Result<(Self, Option<ClaimsRecord>), BenchError> {
        let folder = folder.map_or_else(default_folder, Path::to_owned);
        let output = Self { folder };
        let shown = output.folder.display().to_string();
        let probe = output.folder.join(".writable");
        fs::create_dir_all(&output.folder)
            .and_then(|()| fs::write(&probe, "probe"))
            .and_then(|()| fs::remove_file(&probe))
            .map_err(|error| UsageError::OutputFolder {
                folder: shown.clone(),
                reason: error.to_string(),
            })?;
        if !output.record().exists() {
            return Ok((output, None));
        }
        let left = ClaimsRecord::read(&output.record()).map_err(|error| {
            let reason = match &error {
                // Their own remedies are about files to read.
                RecordError::Read { source, .. } => source.to_string(),
                RecordError::Format { source, .. } => source.to_string(),
                other => other.to_string(),
            };
            UsageError::ClaimsSpoilt {
                file: output.record().display().to_string(),
                reason,
            }
        })?;
        if left.state == SessionState::Complete {
            return Err(UsageError::ClaimsExist { folder: shown }.into());
        }
        Ok((output, Some(left)))
    }

    /// Where `claims.json` is.
    pub fn record(&self) -> PathBuf {
        self.folder.join("claims.json")
    }

    /// Saves the record as it stands.
    pub fn save(&self, record: &ClaimsRecord) -> Result<(), RecordError> {
        record.write(&self.record())
    }

    /// Saves the record and renders it; returns the files written.
    pub fn finish(&self, record: &ClaimsRecord) -> Result<Vec<PathBuf>, BenchError> {
        self.save(record)?;
        let path = self.folder.join("claims.md");
        replace(&path, &render::markdown::render(record)).map_err(|source| ReportError::Write {
            path: path.display().to_string(),
            source,
        })?;
        Ok(vec![self.record(), path])
    }
}
