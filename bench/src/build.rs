//! How this executable was built.

/// Version of the package.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Short git revision, with `-dirty` when the tree had changes; `None` outside a checkout.
pub const GIT_REVISION: Option<&str> = option_env!("BOOKSTORE_BENCH_REVISION");
/// `release` or `debug`.
pub const PROFILE: &str = env!("BOOKSTORE_BENCH_PROFILE");
/// The compiler's own version line.
pub const RUSTC: &str = env!("BOOKSTORE_BENCH_RUSTC");
/// The allocator that `main` installs.
pub const ALLOCATOR: &str = "mimalloc";
