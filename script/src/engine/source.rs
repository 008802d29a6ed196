//! The files of a test: scripts, and what they open.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use crate::paths;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It cannot be read.
    #[error("cannot read {path}: {error}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// It was not opened when the script was evaluated for the first time.
    #[error(
        "{path} was not opened when the script was first evaluated; import and open the same \
         files in every virtual user",
        path = path.display()
    )]
    New {
        /// The file.
        path: PathBuf,
    },
}

/// Every file that a test uses, read once and shared by all virtual users.
#[derive(Debug, Default)]
pub struct Sources {
    files: Mutex<Files>,
}

#[derive(Debug, Default)]
struct Files {
    read: HashMap<PathBuf, Arc<[u8]>>,
    locked: bool,
}

impl Sources {
    /// The content of a file, from the disk at the first time.
    ///
    /// # Errors
    /// When it cannot be read, or is new after [`Self::lock`].
    pub fn read(&self, path: &Path) -> Result<Arc<[u8]>, SourceError> {
        let path = paths::normal(path);
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(content) = files.read.get(&path) {
            return Ok(Arc::clone(content));
        }
        if files.locked {
            return Err(SourceError::New { path });
        }
        match fs::read(&path) {
            Ok(content) => {
                let content: Arc<[u8]> = content.into();
                files.read.insert(path, Arc::clone(&content));
                Ok(content)
            }
            Err(error) => Err(SourceError::Read { path, error }),
        }
    }

    /// From now on no new file can be read.
    pub fn lock(&self) {
        self.files
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .locked = true;
    }
}
