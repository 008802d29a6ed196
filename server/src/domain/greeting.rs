//! A greeting, as a published benchmark of gRPC against REST has it.

/// "Hello" and the name.
#[must_use]
pub fn greeting_for(name: &str) -> String {
    format!("Hello {name}")
}
