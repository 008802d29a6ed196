//! What happens before the first run: the facts, and the proof that the styles can be compared.

use std::{thread, time::Duration};

use crate::{
    error::BenchError,
    machine,
    record::{EqualAnswers, Machine, ServerFacts},
    run::Runner,
    verify::verify,
};

/// How long the idle server is watched.
const IDLE: Duration = Duration::from_secs(1);

/// What is known before the first run.
pub struct Opening {
    /// The machine.
    pub machine: Machine,
    /// What the server says of itself.
    pub facts: ServerFacts,
    /// The comparison of all styles.
    pub equal_answers: EqualAnswers,
    /// CPU of the idle server, in µs per second.
    pub idle_cpu_us_per_s: Option<f64>,
}
