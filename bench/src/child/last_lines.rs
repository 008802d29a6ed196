//! What a process said last, for messages.

use std::fmt;

/// The last messages of a process, each on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastLines(pub Vec<String>);

impl fmt::Display for LastLines {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return formatter.write_str(" (none)");
        }
        self.0
            .iter()
            .try_for_each(|line| write!(formatter, "\n  {line}"))
    }
}
