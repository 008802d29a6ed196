//! The file that the wrapper reads.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

use super::LoadError;
use crate::record::LoadSummary;

/// A summary file in the making. It gets its name when it is complete, so that nobody reads half
/// of one; given up, it leaves nothing.
#[derive(Debug)]
pub(super) struct SummaryFile {
    path: PathBuf,
    partial: PathBuf,
    file: File,
}

impl SummaryFile {
    /// Opens it before the run, so that a folder that cannot be written costs no measured time.
    pub(super) fn create(path: &Path) -> Result<Self, LoadError> {
        let partial = partial_path(path);
        let file = partial
            .and_then(|partial| Ok((File::create(&partial)?, partial)))
            .map_err(|source| unwritable(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            partial: file.1,
            file: file.0,
        })
    }

    /// Writes the summary and gives the file its name.
    pub(super) fn finish(mut self, summary: &LoadSummary) -> Result<(), LoadError> {
        self.write(summary)
            .map_err(|source| unwritable(&self.path, source))
    }

    fn write(&mut self, summary: &LoadSummary) -> io::Result<()> {
        let mut text = serde_json::to_vec_pretty(summary)?;
        text.push(b'\n');
        self.file.write_all(&text)?;
        self.file.flush()?;
        fs::rename(&self.partial, &self.path)
    }
}

impl Drop for SummaryFile {
    fn drop(&mut self) {
        // Gone already when it got its name.
        let _ = fs::remove_file(&self.partial);
    }
}

/// A name next to the file, on the same file system.
fn partial_path(path: &Path) -> io::Result<PathBuf> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut name: OsString = path
        .file_name()
        .ok_or(io::ErrorKind::InvalidFilename)?
        .to_owned();
    name.push(format!(".{}.partial", process::id()));
    Ok(path.with_file_name(name))
}

fn unwritable(path: &Path, source: io::Error) -> LoadError {
    LoadError::Summary {
        path: path.to_owned(),
        source,
    }
}
