//! The file that the wrapper reads.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    process,
};

use super::LoadError;
use crate::{record::LoadSummary, replace::is_device};

/// A summary file in the making. It gets its name when it is complete, so that nobody reads half
/// of one; given up, it leaves nothing. A device or a pipe is written to as it is.
#[derive(Debug)]
pub(super) struct SummaryFile {
    path: PathBuf,
    partial: Option<PathBuf>,
    file: File,
}

impl SummaryFile {
    /// Opens it before the run, so that a folder that cannot be written costs no measured time.
    pub(super) fn create(path: &Path) -> Result<Self, LoadError> {
        let open = || -> io::Result<(Option<PathBuf>, File)> {
            if is_device(path) {
                return Ok((None, File::create(path)?));
            }
            let partial = partial_path(path)?;
            let file = File::create(&partial)?;
            Ok((Some(partial), file))
        };
        let (partial, file) = open().map_err(|source| unwritable(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            partial,
            file,
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
        match &self.partial {
            Some(partial) => fs::rename(partial, &self.path),
            None => Ok(()),
        }
    }
}

impl Drop for SummaryFile {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // Gone already when it got its name.
            let _ = fs::remove_file(partial);
        }
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
