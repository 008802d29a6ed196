//! The files of a test: scripts, and what they open.

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use rquickjs::{
    Ctx, Module,
    module::{Declared, WriteOptions},
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
    compiled: HashMap<PathBuf, Bytecode>,
    locked: bool,
}

/// What the engine made of a module, so that the next virtual user need not parse it again. Only
/// [`Bytecode::new`] makes it, and the engine of this process wrote what is in it.
#[derive(Clone, Debug)]
pub(super) struct Bytecode {
    code: Arc<[u8]>,
    asks_for_meta: bool,
}

impl Bytecode {
    /// The bytecode of a module, which may use `import.meta` or certainly does not.
    pub(super) fn new(
        module: &Module<'_, Declared>,
        asks_for_meta: bool,
    ) -> rquickjs::Result<Self> {
        let options = WriteOptions {
            // Scripts can see the source of their functions, and errors name lines.
            strip_source: false,
            strip_debug: false,
            ..WriteOptions::default()
        };
        Ok(Self {
            code: module.write(options)?.into(),
            asks_for_meta,
        })
    }

    /// Whether the module may use `import.meta`.
    pub(super) fn asks_for_meta(&self) -> bool {
        self.asks_for_meta
    }

    /// The module, in the context of another virtual user.
    pub(super) fn load<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Module<'js, Declared>> {
        // SAFETY: the engine of this process wrote it, see `new`.
        unsafe { Module::load(ctx.clone(), &self.code) }
    }
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

    /// What a file was compiled to before.
    pub(super) fn compiled(&self, path: &Path) -> Option<Bytecode> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.compiled.get(path).cloned()
    }

    /// Keeps what a file was compiled to.
    pub(super) fn keep_compiled(&self, path: PathBuf, bytecode: Bytecode) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.compiled.insert(path, bytecode);
    }

    /// From now on no new file can be read.
    pub fn lock(&self) {
        self.files
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .locked = true;
    }
}
