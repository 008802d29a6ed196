//! The sequence of one user that variables describe.

use std::time::Duration;

use super::{
    super::{LoadArgs, LoadError},
    unusable,
};
use crate::{duration::parse_duration, record::Sequence};

/// The sequence that the variables describe; a flag that sets another model goes before them.
pub(super) fn sequence(
    args: &LoadArgs,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Sequence>, LoadError> {
    let Some(text) = variable("REPETITIONS") else {
        return Ok(None);
    };
    if args.iterations.is_some() || args.rate.is_some() {
        return Ok(None);
    }
    let repetitions = text.parse().ok().filter(|count| *count >= 1);
    let repetitions: u32 = repetitions.ok_or_else(|| {
        let problem = "give a whole number of operations, at least 1";
        unusable("REPETITIONS", &text, problem.to_owned())
    })?;
    let drop = match variable("DROP") {
        None => 0,
        Some(text) => text
            .parse()
            .ok()
            .filter(|drop| *drop < repetitions)
            .ok_or_else(|| {
                unusable(
                    "DROP",
                    &text,
                    format!("give a number below REPETITIONS, {repetitions}"),
                )
            })?,
    };
    let pause = match variable("PAUSE") {
        None => Duration::ZERO,
        Some(text) => parse_duration(&text)
            .map_err(|problem| unusable("PAUSE", &text, problem.to_string()))?,
    };
    Ok(Some(Sequence {
        repetitions,
        drop,
        pause_ms: pause.as_secs_f64() * 1e3,
    }))
}
