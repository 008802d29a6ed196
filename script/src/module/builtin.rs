//! The list of built-in modules.

use rquickjs::{
    Ctx, Module, Result,
    module::{Declared, ModuleDef},
};

use super::{
    core::Core,
    data::Data,
    encoding::Encoding,
    execution::Execution,
    grpc::{Grpc, GrpcWeb},
    http::Http,
    metrics::Metrics,
    timers::Timers,
};

/// Declares a module under its name.
pub(crate) type Declare = for<'js> fn(&Ctx<'js>, &str) -> Result<Module<'js, Declared>>;

/// Every module that is built in.
const BUILT: &[(&str, Declare)] = &[
    ("k6", declare::<Core>),
    ("k6/data", declare::<Data>),
    ("k6/encoding", declare::<Encoding>),
    ("k6/execution", declare::<Execution>),
    ("k6/http", declare::<Http>),
    ("k6/metrics", declare::<Metrics>),
    ("k6/net/grpc", declare::<Grpc>),
    ("k6/timers", declare::<Timers>),
    ("k6/x/grpcweb", declare::<GrpcWeb>),
];

/// Modules of k6 that are not.
const NOT_BUILT: &[&str] = &[
    "k6/browser",
    "k6/crypto",
    "k6/crypto/x509",
    "k6/experimental/csv",
    "k6/experimental/fs",
    "k6/experimental/streams",
    "k6/html",
    "k6/secrets",
    "k6/websockets",
    "k6/ws",
];

/// Why there is no such module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ModuleError {
    /// k6 has it.
    #[error("import of {0}: this module is not built into this runner; run the script with k6")]
    NotBuilt(String),
    /// Nobody has it.
    #[error("import of {0}: there is no such module")]
    Unknown(String),
}

fn declare<'js, D: ModuleDef>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    Module::declare_def::<D, _>(ctx.clone(), name)
}

/// How the module of that name is declared.
pub(crate) fn find(name: &str) -> std::result::Result<Declare, ModuleError> {
    if let Some((_, declare)) = BUILT.iter().find(|(known, _)| *known == name) {
        return Ok(*declare);
    }
    if NOT_BUILT.contains(&name) || name.starts_with("k6/x/") {
        return Err(ModuleError::NotBuilt(name.to_owned()));
    }
    Err(ModuleError::Unknown(name.to_owned()))
}
