//! Puts `null` where a failed field may not be missing.
//!
//! async-graphql leaves a failed non-null field out of its object. The GraphQL specification
//! (6.4.4, "Handling Execution Errors") has the nearest nullable field around it become null
//! instead. In this schema those are exactly the root fields of queries; the payee of an expense and some
//! fields of a landing are nullable, too, and nothing in them fails. In a list it puts null in the place of
//! the object, which no list here may hold.

use async_graphql::{Name, PathSegment, Response, Value};

/// Carries every error of `response` up to the nearest nullable field.
pub fn propagate(response: &mut Response) {
    for error in &response.errors {
        if present(&response.data, &error.path) {
            continue;
        }
        let above = error.path.len() > 1;
        match (&mut response.data, error.path.first()) {
            (Value::Object(roots), Some(PathSegment::Field(root))) if above => {
                if let Some(value) = roots.get_mut(root.as_str()) {
                    *value = Value::Null;
                }
            }
            (data, _) => *data = Value::Null,
        }
    }
}

/// Whether every step of the path is there, or ends at a null.
fn present(data: &Value, path: &[PathSegment]) -> bool {
    let mut at = data;
    for segment in path {
        let next = match (at, segment) {
            (Value::Null, _) => return true,
            (Value::Object(fields), PathSegment::Field(name)) => fields.get(&Name::new(name)),
            (Value::List(items), PathSegment::Index(index)) => items.get(*index),
            _ => None,
        };
        match (next, segment) {
            (Some(Value::Null), PathSegment::Index(_)) | (None, _) => return false,
            (Some(value), _) => at = value,
        }
    }
    true
}
