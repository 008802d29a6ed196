//! What validity gates say and what to do about them.

use crate::{
    record::{Gate, GateCount, LimitedBy},
    report::number::{count, counted, percent, plain},
};

/// What a run's gate found, without a full stop.
#[must_use]
pub fn gate(gate: &Gate) -> String {
    match gate {
        Gate::FailedOperations { failed, of, reason } => format!(
            "{} of {} failed ({reason})",
            count(*failed),
            counted(*of, "operation")
        ),
        Gate::NoOperations => "no operation succeeded".to_owned(),
        Gate::DroppedIterations { dropped } => {
            format!("{} never started", counted(*dropped, "iteration"))
        }
        Gate::LateStarts { share } => format!(
            "{} of the iterations started more than 1 ms late",
            percent(*share)
        ),
        Gate::LittlesLaw { concurrency, vus } => format!(
            "throughput times mean duration gives {} operations in flight, not the {} VUs",
            plain(*concurrency),
            count((*vus).into())
        ),
        Gate::ClientBound {
            client_share,
            server_share,
        } => format!(
            "the client was the limit: it used {} of its cores, the server {}",
            percent(*client_share),
            percent(*server_share)
        ),
        Gate::ForeignCpu { share } => format!(
            "other processes used {} of the machine's CPU",
            percent(*share)
        ),
        Gate::Steal { share } => format!(
            "the hypervisor gave {} of the machine's CPU to others",
            percent(*share)
        ),
        Gate::ByteCount { counted, kernel } => format!(
            "{} bytes counted at the sockets, {} by the kernel",
            count(*counted),
            count(*kernel)
        ),
        Gate::LateLink {
            late_p95_us,
            delay_ms,
        } => format!(
            "the link delayed by up to {} ms more than its {} ms in each direction (95 % of the data)",
            plain(*late_p95_us as f64 / 1e3),
            plain(*delay_ms)
        ),
    }
}

/// What follows for the reader, and what to do; a sentence without a full stop.
#[must_use]
pub fn gate_advice(gate: &Gate) -> &'static str {
    match gate {
        Gate::FailedOperations { .. } | Gate::NoOperations => {
            "the whole round is left out; look at the server's log, then measure again"
        }
        Gate::DroppedIterations { .. } | Gate::LateStarts { .. } => {
            "the offered rate was not reached; lower --rate or raise --vus"
        }
        Gate::LittlesLaw { .. } => {
            "virtual users waited outside the measured time; distrust ops/s and durations"
        }
        Gate::ClientBound { .. } => {
            "ops/s says little about the server here; its CPU per operation still does"
        }
        Gate::ForeignCpu { .. } => "close other programs and measure again",
        Gate::Steal { .. } => "a busy host disturbs virtual machines; measure at a quieter time",
        Gate::ByteCount { .. } => "distrust the byte columns",
        Gate::LateLink { .. } => {
            "durations hold some of the relay's own time; leave a core free, or let it go first (root)"
        }
    }
}

/// A gate with the number of runs that tripped it, as a footnote:
/// `in 3 of 8 runs, at worst, other processes used 7.2 % of the machine's CPU; close …`.
#[must_use]
pub fn gate_count(tripped: &GateCount, of: usize) -> String {
    let is_once = tripped.runs == 1;
    found(&tripped.worst, is_once, &count(tripped.runs.into()), of)
}

/// The same of several rows at once, with the worst of all values:
/// `9 rows: in 2 to 8 of 8 runs, at worst, other processes used 7.2 % …`. Each row comes with the
/// number of its runs; nothing to say without rows.
#[must_use]
pub fn gate_counts(rows: &[(&GateCount, usize)]) -> String {
    let worst = rows
        .iter()
        .map(|(tripped, _)| &tripped.worst)
        .max_by(|one, other| one.severity().total_cmp(&other.severity()));
    let runs = || rows.iter().map(|(tripped, _)| tripped.runs);
    let (Some(worst), Some(least), Some(most)) = (worst, runs().min(), runs().max()) else {
        return String::new();
    };
    let range = if least == most {
        count(least.into())
    } else {
        format!("{} to {}", count(least.into()), count(most.into()))
    };
    let of = rows.iter().map(|(_, of)| *of).max().unwrap_or_default();
    format!(
        "{}: {}",
        counted(rows.len() as u64, "row"),
        found(worst, false, &range, of)
    )
}

fn found(worst: &Gate, is_once: bool, runs: &str, of: usize) -> String {
    let at_worst = if is_once || *worst == Gate::NoOperations {
        ""
    } else {
        ", at worst,"
    };
    format!(
        "in {runs} of {}{at_worst} {}; {}",
        counted(of as u64, "run"),
        gate(worst),
        gate_advice(worst)
    )
}

/// What limits a row's throughput, as a table cell.
#[must_use]
pub fn limited_by_short(limit: LimitedBy) -> &'static str {
    match limit {
        LimitedBy::Server => "server",
        LimitedBy::Client => "client",
        LimitedBy::Both => "both",
        LimitedBy::Neither => "neither",
        LimitedBy::OfferedRate => "rate",
        LimitedBy::OneClient => "turn",
        LimitedBy::Unknown => "–",
    }
}

/// What limits a row's throughput, as a sentence without a full stop.
#[must_use]
pub fn limited_by(limit: LimitedBy) -> &'static str {
    match limit {
        LimitedBy::Server => "the server used its cores fully",
        LimitedBy::Client => {
            "the client used its cores fully while the server had cores to spare, so ops/s says \
             little about the server"
        }
        LimitedBy::Both => "server and client were both busy",
        LimitedBy::Neither => {
            "neither was busy: they waited, or the machine was busy with something else"
        }
        LimitedBy::OfferedRate => "the offered rate set the throughput",
        LimitedBy::OneClient => "one client made one operation at a time",
        LimitedBy::Unknown => "cannot be read on this machine",
    }
}
