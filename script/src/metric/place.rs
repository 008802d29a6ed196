//! Where in a run a sample was made.

use super::TagSet;

/// A group and a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Path of the group; empty at the root.
    pub group: String,
    /// Name of the scenario; empty outside of one.
    pub scenario: String,
}

impl Place {
    pub(super) fn of(tags: &TagSet) -> Self {
        let tag = |key| tags.get(key).unwrap_or_default().to_owned();
        Self {
            group: tag("group"),
            scenario: tag("scenario"),
        }
    }
}
