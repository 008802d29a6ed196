//! The database of these tests: `SQLite` in memory.

/// Where a database with the generated household is, for `--expenses`: one for each test.
pub fn fresh() -> impl Future<Output = String> {
    std::future::ready("memory".to_owned())
}

/// Where an empty database is: one for each test.
pub fn empty() -> impl Future<Output = String> {
    fresh()
}
