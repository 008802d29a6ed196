//! The folder that a session writes to.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    error::{BenchError, UsageError},
    record::{RecordError, Session},
    report,
};

/// A folder that has been proven writable.
#[derive(Clone, Debug)]
pub struct Output {
    folder: PathBuf,
}

impl Output {
    /// Creates `folder`, or `results/` with the time of day, and checks that files can be written
    /// there, so that a bad path fails before the first run and not after the last.
    ///
    /// # Errors
    /// The folder cannot be made or written, or holds results already.
    pub fn create(folder: Option<&Path>) -> Result<Self, UsageError> {
        let folder = folder.map_or_else(default_folder, Path::to_owned);
        let shown = folder.display().to_string();
        if folder.join("results.json").exists() {
            return Err(UsageError::OutputExists { folder: shown });
        }
        let probe = folder.join(".writable");
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&probe, "probe"))
            .and_then(|()| fs::remove_file(&probe))
            .map_err(|error| UsageError::OutputFolder {
                folder: shown,
                reason: error.to_string(),
            })?;
        Ok(Self { folder })
    }

    /// Where `results.json` is.
    #[must_use]
    pub fn results(&self) -> PathBuf {
        self.folder.join("results.json")
    }

    /// Saves the session as it stands.
    ///
    /// # Errors
    /// The file cannot be written; what was saved before is kept.
    pub fn save(&self, session: &Session) -> Result<(), RecordError> {
        session.write(&self.results())
    }

    /// Saves the session and renders tables and report; returns the files written.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(&self, session: &Session) -> Result<Vec<PathBuf>, BenchError> {
        self.save(session)?;
        let mut files = vec![self.results()];
        files.extend(report::write_all(session, &self.folder)?);
        Ok(files)
    }
}

/// `results/2026-01-31T12-00-00.123Z`: sortable, a valid name on every system, and another one for a
/// session that starts in the same second.
pub(crate) fn default_folder() -> PathBuf {
    let now = jiff::Timestamp::now();
    Path::new("results").join(now.strftime("%Y-%m-%dT%H-%M-%S%.3fZ").to_string())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_folder_below_a_file_is_refused_before_anything_runs() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Output::create(Some(&file.join("below"))).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("choose another folder with --out"),
            "{error}"
        );
    }

    #[test]
    fn results_are_never_overwritten() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("results.json"), "{}").unwrap();
        let error = Output::create(Some(root.path())).unwrap_err();
        assert!(matches!(error, UsageError::OutputExists { .. }));
    }
}
