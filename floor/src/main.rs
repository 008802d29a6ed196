//! Floor servers.
fn main() {}
