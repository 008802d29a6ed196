//! A test: a script, its files and environment, and what all virtual users share.

use std::{
    any::{Any, TypeId},
    collections::{BTreeMap, HashMap},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError, mpsc::Sender},
};

use crate::{
    control::Control,
    engine::Sources,
    log::Log,
    metric::{Point, Registry},
    options::Options,
};

/// What all virtual users of a run share; every thread may use it.
#[derive(Debug)]
pub struct Test {
    script: PathBuf,
    sources: Arc<Sources>,
    environment: BTreeMap<String, String>,
    registry: Arc<Registry>,
    options: OnceLock<Options>,
    control: Control,
    log: Log,
    shared: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    points: Mutex<Option<Sender<Point>>>,
}

impl Test {
    /// A test of the script at an absolute path.
    pub(crate) fn new(script: PathBuf, environment: BTreeMap<String, String>, log: Log) -> Self {
        Self {
            script,
            sources: Arc::default(),
            environment,
            registry: Arc::default(),
            options: OnceLock::new(),
            control: Control::default(),
            log,
            shared: Mutex::default(),
            points: Mutex::default(),
        }
    }

    /// The script's file.
    #[must_use]
    pub fn script(&self) -> &Path {
        &self.script
    }

    /// Every file that the script imports or opens. Read other files through it too, in the init
    /// code.
    #[must_use]
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// The content of `__ENV`, without what scenarios add.
    #[must_use]
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// All metrics.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// The consolidated options; the defaults while the script is first evaluated.
    #[must_use]
    pub fn options(&self) -> &Options {
        static DEFAULT: OnceLock<Options> = OnceLock::new();
        self.options
            .get()
            .unwrap_or_else(|| DEFAULT.get_or_init(Options::default))
    }

    /// Sets the options, once they are known.
    pub(crate) fn set_options(&self, options: Options) {
        // Set once, by the one thread that prepares the run.
        let _ = self.options.set(options);
    }

    /// What a module keeps for all virtual users of all threads, made at the first call.
    pub fn shared<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = shared
            .entry(TypeId::of::<T>())
            .or_insert_with(|| Arc::<T>::default());
        Arc::clone(entry).downcast().unwrap_or_default()
    }

    /// Where single samples go; `None` when nobody wants them.
    pub(crate) fn points(&self) -> Option<Sender<Point>> {
        let points = self.points.lock().unwrap_or_else(PoisonError::into_inner);
        points.clone()
    }

    /// Sends single samples there from now on; `None` ends that.
    pub(crate) fn set_points(&self, sender: Option<Sender<Point>>) {
        *self.points.lock().unwrap_or_else(PoisonError::into_inner) = sender;
    }

    /// How the run is stopped, and how far it is.
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Where messages go.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.log
    }
}
