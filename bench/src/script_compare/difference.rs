//! One difference, in words.

use std::fmt;

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A request: its method, address, headers, body, or that it was sent at all.
    Request,
    /// Bytes on the wire that the requests do not explain.
    Wire,
    /// A check or group.
    Check,
    /// A metric, one of its keys, or a count or rate.
    Metric,
    /// A threshold or its verdict.
    Threshold,
    /// Something else in the summary.
    Summary,
    /// A sample of `--out json`: its metric, or a tag.
    Sample,
    /// The exit code.
    ExitCode,
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Request => "request",
            Self::Wire => "bytes",
            Self::Check => "check",
            Self::Metric => "metric",
            Self::Threshold => "threshold",
            Self::Summary => "summary",
            Self::Sample => "sample",
            Self::ExitCode => "exit code",
        })
    }
}

/// Something that is not the same in both.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// What it is about.
    pub part: Part,
    /// Which one, for example a metric's key.
    pub what: String,
    /// What the embedded runner has.
    pub runner: String,
    /// What k6 has.
    pub k6: String,
}

impl Difference {
    /// A difference between two values.
    pub(super) fn new(
        part: Part,
        what: impl Into<String>,
        runner: impl fmt::Display,
        k6: impl fmt::Display,
    ) -> Self {
        Self {
            part,
            what: what.into(),
            runner: runner.to_string(),
            k6: k6.to_string(),
        }
    }

    /// Something that only one of them has.
    pub(super) fn only(part: Part, what: impl Into<String>, in_runner: bool) -> Self {
        let (runner, k6) = if in_runner {
            ("has it", "has none")
        } else {
            ("has none", "has it")
        };
        Self::new(part, what, runner, k6)
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            part,
            what,
            runner,
            k6,
        } = self;
        write!(formatter, "{part:<9}  {what}: runner {runner}, k6 {k6}")
    }
}
