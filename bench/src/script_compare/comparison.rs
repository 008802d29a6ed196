//! The whole comparison, from the command line to the differences.

use std::env;

use super::{
    args::ScriptCompareArgs,
    difference::{Difference, Part},
    error::CompareError,
    launch::Engine,
    observation::Observation,
    requests,
    servers::Servers,
    summary,
};
use crate::{
    driver::{DriverError, K6},
    interrupt::Interrupt,
    print::tell,
};

/// What a script did in the embedded runner and in k6.
#[derive(Debug)]
pub struct Comparison {
    /// Everything that is not the same.
    pub differences: Vec<Difference>,
    /// Version of the k6.
    pub k6_version: String,
    /// Why something was not compared.
    pub(super) remarks: Vec<String>,
    pub(super) script: String,
    pub(super) runner: Observation,
    pub(super) k6: Observation,
}

/// Runs a script in the embedded runner and then in k6, and compares what they did.
///
/// # Errors
/// k6 is missing, too old or something else; a server does not answer; a run cannot be started or
/// leaves something unreadable; Ctrl-C.
pub fn compare(args: &ScriptCompareArgs) -> Result<Comparison, CompareError> {
    if !args.file.is_file() {
        return Err(CompareError::NoScript(args.file.clone()));
    }
    let k6 = K6::find(&args.k6)?;
    let executable = env::current_exe().map_err(DriverError::OwnPath)?;
    let interrupt = Interrupt::install().map_err(CompareError::Signals)?;
    let servers = Servers::open(args, &executable)?;
    let folder = tempfile::tempdir().map_err(CompareError::Folder)?;
    let observe = |engine: Engine<'_>, name| {
        tell(&format!(
            "{}: running {}",
            engine.name(),
            args.file.display()
        ));
        Observation::make(
            engine,
            args,
            &servers,
            &folder.path().join(name),
            &interrupt,
        )
    };
    let runner = observe(Engine::Runner(&executable), "runner")?;
    let theirs = observe(Engine::K6(&k6), "k6")?;
    let same_work = args.is_fixed_work() || iterations(&runner) == iterations(&theirs);
    Ok(Comparison {
        differences: differences(&runner, &theirs, same_work),
        k6_version: k6.version,
        remarks: remarks(&runner, &theirs, same_work, servers.encrypted()),
        script: args.file.display().to_string(),
        runner,
        k6: theirs,
    })
}

fn iterations(run: &Observation) -> Option<f64> {
    run.count("iterations", "count")
}

fn differences(runner: &Observation, k6: &Observation, same_work: bool) -> Vec<Difference> {
    let is_whole = !runner.traffic.is_cut && !k6.traffic.is_cut;
    let mut found = requests::differences(&runner.traffic, &k6.traffic, same_work && is_whole);
    found.extend(summary::differences(runner, k6, same_work));
    // Of a run without a summary there is no more to say.
    if runner.summary.is_some() == k6.summary.is_some() {
        found.extend(runner.samples.differences(&k6.samples, &found, same_work));
    }
    if runner.ended.how != k6.ended.how {
        let (ours, theirs) = (&runner.ended.how, &k6.ended.how);
        found.push(Difference::new(Part::ExitCode, "of the run", ours, theirs));
    }
    found
}

fn remarks(
    runner: &Observation,
    k6: &Observation,
    same_work: bool,
    encrypted: &[String],
) -> Vec<String> {
    let mut remarks = Vec::new();
    if runner.traffic.requests.is_empty() && k6.traffic.requests.is_empty() {
        remarks.push(
            "no request went to an address given with -e, so requests were not compared; let the \
             script take its addresses from variables"
                .to_owned(),
        );
    }
    if !encrypted.is_empty() {
        remarks.push(format!(
            "requests to {} are encrypted and were not seen",
            encrypted.join(", ")
        ));
    }
    if !same_work {
        let count = |run| iterations(run).unwrap_or(0.0);
        remarks.push(format!(
            "they made {} and {} iterations, so counts were not compared; --iterations fixes the work",
            count(runner),
            count(k6)
        ));
    }
    if runner.traffic.is_cut || k6.traffic.is_cut {
        remarks.push(
            "more was sent than is kept, so only kinds of requests were compared; run it shorter"
                .to_owned(),
        );
    }
    for (name, run) in [("the runner", runner), ("k6", k6)] {
        if run.ended.how != "0" && runner.ended.how != k6.ended.how {
            remarks.push(format!(
                "{name} ended with {}; its last messages:{}",
                run.ended.how, run.ended.messages
            ));
        }
    }
    remarks
}
