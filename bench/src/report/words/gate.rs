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
            "throughput times mean duration gives {} operations in flight, not the {vus} VUs",
            plain(*concurrency)
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
    let runs = counted(of as u64, "run");
    let has_value = tripped.worst != Gate::NoOperations;
    let at_worst = if tripped.runs > 1 && has_value {
        ", at worst,"
    } else {
        ""
    };
    format!(
        "in {} of {runs}{at_worst} {}; {}",
        tripped.runs,
        gate(&tripped.worst),
        gate_advice(&tripped.worst)
    )
}

/// A row in which a gate was tripped, and of how many runs.
#[derive(Debug)]
pub struct Tripped<'a> {
    /// The row in words.
    pub row: String,
    /// The gate.
    pub gate: &'a GateCount,
    /// Runs of the row.
    pub of: usize,
}

/// One sentence for several rows whose client was the limit:
/// `the client was the limit in REST (7 of 8 runs), gRPC (5 of 8 runs), where it used …`.
#[must_use]
pub fn client_bound(rows: &[Tripped<'_>]) -> String {
    let named: Vec<String> = rows
        .iter()
        .map(|Tripped { row, gate, of }| {
            format!("{row} ({} of {})", gate.runs, counted(*of as u64, "run"))
        })
        .collect();
    let shares = rows.iter().filter_map(|row| match row.gate.worst {
        Gate::ClientBound { client_share, .. } => Some(client_share),
        _ => None,
    });
    let most = shares.fold(0.0, f64::max);
    let advice = rows.first().map_or("", |row| gate_advice(&row.gate.worst));
    format!(
        "the client was the limit in {}, where it used up to {} of its cores; {advice}.",
        named.join(", "),
        percent(most)
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
