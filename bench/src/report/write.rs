//! Writes every report file of a session.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use crate::record::Session;

use super::{csv, html, markdown};

/// Why a report cannot be written.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file cannot be written; what stood there before is kept.
    #[error("cannot write {path}: {source}; free some space or choose another folder with --out")]
    Write {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
}

/// Writes `results.md`, `results.csv` and `report.html` into `folder`, which is made when it does not
/// exist, and returns their paths. (`results.json` is [`Session::write`]'s.)
///
/// # Errors
/// A file cannot be written; a file of that name keeps its old content.
pub fn write_all(session: &Session, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
    let files = [
        ("results.md", markdown::render(session)),
        ("results.csv", csv::render(session)),
        ("report.html", html::render(session)),
    ];
    let failed = |path: &Path, source| ReportError::Write {
        path: path.display().to_string(),
        source,
    };
    fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
    let mut written = Vec::new();
    for (name, text) in files {
        let path = folder.join(name);
        replace(&path, &text).map_err(|source| failed(&path, source))?;
        written.push(path);
    }
    Ok(written)
}

/// Replaces a file's content at once, so that no reader and no full disk leaves half a file.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut draft = path.as_os_str().to_owned();
    draft.push(".part");
    let draft = PathBuf::from(draft);
    let outcome = fs::write(&draft, text).and_then(|()| fs::rename(&draft, path));
    if outcome.is_err() {
        // The draft may not exist; the first error is the one to report.
        let _ = fs::remove_file(&draft);
    }
    outcome
}
