//! One line of the report.

use std::fmt;

/// How a finding bears on measuring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// As it should be.
    Good,
    /// For information.
    Note,
    /// Measuring works, but something should be fixed.
    Advice,
    /// Measuring is impossible.
    Bad,
}

impl fmt::Display for Mark {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Good => "✓",
            Self::Note => "·",
            Self::Advice => "!",
            Self::Bad => "✗",
        })
    }
}

/// One line of the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How it bears on measuring.
    pub mark: Mark,
    /// What was found and what to do, in words.
    pub text: String,
}

impl Finding {
    pub(super) fn new(mark: Mark, text: impl Into<String>) -> Self {
        Self {
            mark,
            text: text.into(),
        }
    }
}
