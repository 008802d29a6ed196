//! What a server's database did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Statements that the server sent to its database, and how long it waited for their results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SqlUse {
    /// Statements.
    pub statements: f64,
    /// Time from sending one to having read its last row, in seconds, summed over all connections.
    pub seconds: f64,
}

impl SqlUse {
    /// What was done since `before`.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            statements: self.statements - before.statements,
            seconds: self.seconds - before.seconds,
        }
    }
}
