//! Selectors of `Response.json()`: the paths of gjson, as far as suites use them.

use serde_json::Value;

/// Why a selector cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PathError {
    /// gjson has it and this runner has not.
    #[error(
        "the selector {0:?}: queries, modifiers, wildcards and pipes are not built into this runner; \
         select in JavaScript, or run the script with k6"
    )]
    NotBuilt(String),
    /// The body cannot be read.
    #[error("the body is no JSON: {0}")]
    NoJson(String),
}

/// What the path leads to: names and indexes between dots, `#` for the length of an array or, in
/// the middle, for each of its items. A backslash takes the next character as it is.
pub(super) fn select(value: &Value, path: &str) -> Result<Option<Value>, PathError> {
    let parts = split(path)?;
    Ok(walk(value, &parts))
}

fn split(path: &str) -> Result<Vec<String>, PathError> {
    let mut parts = vec![String::new()];
    let mut characters = path.chars();
    while let Some(character) = characters.next() {
        match character {
            '.' => parts.push(String::new()),
            '\\' => push(&mut parts, characters.next().unwrap_or('\\')),
            '*' | '?' | '|' | '@' | '(' | '{' | '[' | '!' => {
                return Err(PathError::NotBuilt(path.to_owned()));
            }
            other => push(&mut parts, other),
        }
    }
    Ok(parts)
}

fn push(parts: &mut [String], character: char) {
    if let Some(last) = parts.last_mut() {
        last.push(character);
    }
}

fn walk(value: &Value, parts: &[String]) -> Option<Value> {
    let Some((part, rest)) = parts.split_first() else {
        return Some(value.clone());
    };
    match value {
        Value::Object(fields) => walk(fields.get(part)?, rest),
        Value::Array(items) if part == "#" => Some(if rest.is_empty() {
            Value::from(items.len())
        } else {
            items.iter().filter_map(|item| walk(item, rest)).collect()
        }),
        Value::Array(items) => walk(items.get(part.parse::<usize>().ok()?)?, rest),
        _ => None,
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_lead_somewhere_or_nowhere() {
        let value = json!({"a": {"b": [{"c": 1}, {"c": 2}, {}]}, "x.y": null});
        for (path, found) in [
            ("a.b.1.c", Some(json!(2))),
            ("a.b.#", Some(json!(3))),
            ("a.b.#.c", Some(json!([1, 2]))),
            ("x\\.y", Some(json!(null))),
            ("a.z", None),
            ("a.b.9", None),
            ("a.b.0.c.d", None),
        ] {
            assert_eq!(select(&value, path).unwrap(), found, "{path}");
        }
        assert!(select(&value, "a.b.#(c==1)").is_err());
    }
}
