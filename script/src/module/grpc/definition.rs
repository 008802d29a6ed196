//! Service definitions that scripts load.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    str,
    sync::{Arc, Mutex, PoisonError},
};

use prost::Message;
use prost_reflect::{DescriptorPool, FileDescriptor};
use prost_types::FileDescriptorSet;
use protox::{
    Compiler,
    file::{ChainFileResolver, File, FileResolver, GoogleFileResolver},
};

use crate::engine::Sources;

/// Files with their imports, and what they define.
#[derive(Clone, Debug)]
pub(super) struct Definitions {
    pub(super) files: Arc<FileDescriptorSet>,
    pub(super) pool: DescriptorPool,
}

/// Why definitions cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum DefinitionError {
    /// The compiler says why, with file and line.
    #[error("cannot load {files}: {error}")]
    Compile { files: String, error: String },
    /// The file is not there.
    #[error("couldn't open protoset: {0}")]
    Open(String),
    /// Its content is something else.
    #[error("couldn't unmarshal protoset file {path}: {error}")]
    Unmarshal { path: String, error: String },
    /// They contradict each other or what was loaded before.
    #[error("cannot use the loaded definitions: {0}")]
    Contradiction(#[from] prost_reflect::DescriptorError),
}

/// Definitions that one virtual user has compiled, for the others.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    known: Mutex<HashMap<Wanted, Definitions>>,
}

/// What `load` was called with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Wanted {
    /// Directories that imports are looked up in, in this order.
    pub(super) directories: Vec<PathBuf>,
    /// Names of files in them.
    pub(super) files: Vec<String>,
}

impl Compiled {
    /// Compiles `.proto` files, unless somebody has.
    pub(super) fn load(
        &self,
        sources: &Arc<Sources>,
        wanted: Wanted,
    ) -> Result<Definitions, DefinitionError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(definitions) = known.get(&wanted) {
            return Ok(definitions.clone());
        }
        let failed = |error: protox::Error| DefinitionError::Compile {
            files: wanted.files.join(", "),
            error: format!("{error:?}"),
        };
        let mut resolver = ChainFileResolver::new();
        for directory in &wanted.directories {
            resolver.add(Directory {
                path: directory.clone(),
                sources: Arc::clone(sources),
            });
        }
        resolver.add(GoogleFileResolver::new());
        let mut compiler = Compiler::with_file_resolver(resolver);
        compiler.include_imports(true);
        for file in &wanted.files {
            compiler.open_file(file).map_err(failed)?;
        }
        let definitions = Definitions {
            files: Arc::new(compiler.file_descriptor_set()),
            pool: compiler.descriptor_pool(),
        };
        known.insert(wanted, definitions.clone());
        Ok(definitions)
    }
}

/// Reads a file that holds an encoded `FileDescriptorSet`.
pub(super) fn load_protoset(
    sources: &Sources,
    path: &Path,
) -> Result<Definitions, DefinitionError> {
    let content = sources
        .read(path)
        .map_err(|error| DefinitionError::Open(error.to_string()))?;
    let files =
        FileDescriptorSet::decode(&*content).map_err(|error| DefinitionError::Unmarshal {
            path: path.display().to_string(),
            error: error.to_string(),
        })?;
    Ok(Definitions {
        pool: DescriptorPool::from_file_descriptor_set(files.clone())?,
        files: Arc::new(files),
    })
}

/// One directory of files that a test uses.
struct Directory {
    path: PathBuf,
    sources: Arc<Sources>,
}

impl FileResolver for Directory {
    fn resolve_path(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.path).ok()?;
        Some(inside.to_str()?.to_owned())
    }

    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        let path = self.path.join(name);
        if !path.is_file() {
            return Err(protox::Error::file_not_found(name));
        }
        let content = self.sources.read(&path).map_err(protox::Error::new)?;
        let text = str::from_utf8(&content).map_err(protox::Error::new)?;
        File::from_source(name, text)
    }
}

/// A method, as `load` tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MethodInfo {
    pub(super) package: String,
    pub(super) service: String,
    pub(super) full_method: String,
}

impl Definitions {
    /// All methods of all files, in the order of the files.
    pub(super) fn methods(&self) -> Vec<MethodInfo> {
        let files = self.files.file.iter();
        let files = files.filter_map(|file| self.pool.get_file_by_name(file.name()));
        files.flat_map(|file| methods_of(&file)).collect()
    }
}

fn methods_of(file: &FileDescriptor) -> Vec<MethodInfo> {
    let mut methods = Vec::new();
    for service in file.services() {
        methods.extend(service.methods().map(|method| MethodInfo {
            package: file.package_name().to_owned(),
            service: service.name().to_owned(),
            full_method: format!("/{}/{}", service.full_name(), method.name()),
        }));
    }
    methods
}
