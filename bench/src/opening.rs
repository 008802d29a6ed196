//! What happens before the first run: the facts, and the proof that the styles can be compared.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{
    error::BenchError,
    machine,
    meter::{Meter, MeterError},
    record::{EqualAnswers, Machine, ServerFacts},
    run::{RunError, Runner},
    verify::{verify, verify_household},
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
    /// CPU of the idle server, in µs per second; absent where it cannot be read.
    pub idle_cpu_us_per_s: Option<f64>,
}

/// Starts the server once, asks it what it is, watches it idle, and compares the answers of all
/// styles.
///
/// # Errors
/// The server does not come up, is a debug build (unless `allow_debug`), or its styles answer
/// differently.
pub fn open(runner: &Runner<'_>, allow_debug: bool) -> Result<Opening, BenchError> {
    let failed = |source: RunError| BenchError::Opening(Box::new(source));
    let server = runner
        .start_server(None)
        .map_err(|error| failed(error.into()))?;
    let facts = server.facts().clone();
    if facts.debug_assertions && !allow_debug {
        return Err(BenchError::DebugBuild);
    }
    let idle_cpu_us_per_s = server
        .pid()
        .map(|pid| idle(runner.meter(), pid))
        .transpose()
        .map_err(|error| failed(error.into()))?
        .flatten();
    let mut verified = verify(server.http_address(), server.h2c_address())?;
    server.stop().map_err(|error| failed(error.into()))?;
    if runner.has_expenses() {
        let server = runner.start_household();
        let server = server.map_err(|error| failed(error.into()))?;
        verified.add(verify_household(
            server.http_address(),
            server.h2c_address(),
        )?);
        server.stop().map_err(|error| failed(error.into()))?;
    }
    let equal_answers = verified.answers;
    if !equal_answers.differences.is_empty() {
        return Err(BenchError::UnequalAnswers {
            differences: equal_answers.differences,
        });
    }
    Ok(Opening {
        machine: machine::collect(runner.meter()),
        facts,
        equal_answers,
        idle_cpu_us_per_s,
    })
}

/// CPU of a process that nobody asks anything, in µs per second.
fn idle(meter: &dyn Meter, pid: u32) -> Result<Option<f64>, MeterError> {
    let before = match meter.process(pid) {
        Ok(before) => before,
        Err(MeterError::Unavailable { .. }) => return Ok(None),
        Err(error) => return Err(error),
    };
    let begun = Instant::now();
    thread::sleep(IDLE);
    let usage = before.usage_until(&meter.process(pid)?)?;
    Ok(usage
        .cpu_us
        .map(|cpu_us| cpu_us / begun.elapsed().as_secs_f64()))
}
