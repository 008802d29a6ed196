//! Why work is not done.

use thiserror::Error;

/// A refusal, or a back that did not answer.
#[derive(Debug, Error)]
pub enum WorkError {
    /// Work never takes so long.
    #[error("work of {duration_ms} ms was asked for; give 1 to {longest_ms}")]
    Duration {
        /// Asked for.
        duration_ms: i32,
        /// The most.
        longest_ms: i32,
    },
    /// The query is not understood.
    #[error("the query \"{query}\" is not understood ({reason}); send ms=N")]
    Query {
        /// As it was sent.
        query: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The back of REST's two hops gave no answer.
    #[error("the server behind this one gave no answer: {0}")]
    Back(String),
}
