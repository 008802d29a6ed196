//! Exceptions of a script, with their place.

use std::fmt;

use rquickjs::{CaughtError, Ctx, Error, Exception, Value};

use crate::global::inspect;

/// An exception that a script did not catch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptException {
    /// Kind and message, for example `TypeError: not a function`.
    pub message: String,
    /// Where it was thrown; absent for values that are no `Error`.
    pub place: Option<Place>,
    /// The calls that led there, one per line; may be empty.
    pub stack: String,
}

/// A place in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// URL of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl ScriptException {
    /// One without a place.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            place: None,
            stack: String::new(),
        }
    }

    /// Takes the pending exception of the context, or describes the engine's own error.
    pub(crate) fn take(ctx: &Ctx<'_>, error: Error) -> Self {
        match CaughtError::from_error(ctx, error) {
            CaughtError::Error(error) => Self::new(error.to_string()),
            CaughtError::Exception(exception) => Self::of(&exception),
            CaughtError::Value(value) => Self::of_value(&value),
        }
    }

    /// Describes a thrown value.
    pub(crate) fn of_value(value: &Value<'_>) -> Self {
        match value.as_object().cloned().and_then(Exception::from_object) {
            Some(exception) => Self::of(&exception),
            None => Self::new(inspect(value)),
        }
    }

    fn of(exception: &Exception<'_>) -> Self {
        let name: String = exception.get("name").unwrap_or_else(|_| "Error".to_owned());
        let message = exception.message().unwrap_or_default();
        let stack = exception.stack().unwrap_or_default();
        Self {
            message: match message.as_str() {
                "" => name,
                message => format!("{name}: {message}"),
            },
            place: stack.lines().find_map(Place::in_frame),
            stack: stack
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }
}

impl fmt::Display for ScriptException {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for line in self.stack.lines() {
            write!(f, "\n\t{line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ScriptException {}

impl Place {
    /// The place in a line such as `at name (file:line:column)`; native frames have none.
    fn in_frame(frame: &str) -> Option<Self> {
        let frame = frame.trim().strip_prefix("at ")?;
        let place = match frame.rsplit_once('(') {
            Some((_, place)) => place.strip_suffix(')')?,
            None => frame,
        };
        let (rest, column) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Self {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }
}

/// Throws an `Error` with a message; give what it returns to JavaScript.
pub fn throw(ctx: &Ctx<'_>, message: impl AsRef<str>) -> Error {
    Exception::throw_message(ctx, message.as_ref())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn frames_tell_file_line_and_column() {
        let place = Place::in_frame("    at inner (file:///a/b.js:12:7)").unwrap();
        assert_eq!(place.file, "file:///a/b.js");
        assert_eq!((place.line, place.column), (12, 7));
        assert_eq!(Place::in_frame("at file:///a.js:1:2").unwrap().line, 1);
        assert_eq!(Place::in_frame("at check (native)"), None);
    }
}
