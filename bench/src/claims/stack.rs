//! What the verdicts are about.

/// The libraries of the server that is measured: a verdict says how they behave, not how the styles do
/// everywhere.
pub const STACK: &str =
    "Rust: axum 0.8 (REST), tonic 0.14 (gRPC, gRPC-Web), async-graphql 7.2 (GraphQL)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_versions_are_those_of_the_manifest() {
        let manifest = include_str!("../../../Cargo.toml");
        for library in ["axum 0.8", "tonic 0.14", "async-graphql 7.2"] {
            assert!(STACK.contains(library));
            let (name, version) = library.split_once(' ').unwrap_or_default();
            let line = format!("\n{name} = {{ version = \"{version}.");
            assert!(manifest.contains(&line), "{library}");
        }
    }
}
