//! Validity gates: what a run must pass before its figures mean what they say.
//!
//! Failed or missing operations take the whole round out; every other gate annotates the row in words,
//! because its figures are still what was measured.

use crate::record::{Gate, LoadModel, Machine, Run, Settings};

/// An open model that starts more than this share of its iterations late is not the offered rate.
pub const LATE_STARTS_LIMIT: f64 = 0.01;

/// In a closed loop throughput times mean duration is the number of virtual users (Little, "A Proof
/// for the Queuing Formula L = λW", 1961); a tenth is left for the load process's own time between
/// two operations. A larger gap means that something else than the server was timed.
pub const LITTLES_LAW_TOLERANCE: f64 = 0.10;

/// A process that uses more than this share of its cores counts as using them fully; the rest is lost
/// to scheduling.
pub const FULL_SHARE: f64 = 0.9;

/// A server that uses less than this share of its cores has some to spare.
pub const SPARE_SHARE: f64 = 0.7;

/// Others that use more than this share of the machine widen the spread visibly: a compiler beside an
/// A/A test doubled it.
pub const FOREIGN_CPU_LIMIT: f64 = 0.05;

/// A hypervisor that withholds more than this share disturbs single runs, not all alike.
pub const STEAL_LIMIT: f64 = 0.01;

/// A link whose 95th percentile is later than this, in µs, and a share of its delay in addition is
/// another link than the one that was asked for.
pub const LATE_LINK_LIMIT_US: f64 = 200.0;
/// The share of a link's delay in addition to [`LATE_LINK_LIMIT_US`].
pub const LATE_LINK_LIMIT_SHARE: f64 = 0.01;

/// The gates that a run tripped, in the order of [`Gate`]'s variants; none for a clean run. A gate
/// whose figures cannot be read here is not tripped.
#[must_use]
pub fn gates_of(run: &Run, settings: &Settings, machine: &Machine) -> Vec<Gate> {
    [
        failed_operations(run),
        no_operations(run),
        dropped_iterations(run),
        late_starts(run),
        littles_law(run, settings),
        client_bound(run, settings, machine),
        foreign_cpu(run),
        steal(run),
        byte_count(run),
        late_link(run),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether the gate takes the whole round out: wrong or missing work is fast work, and a round is only
/// fair when every row did its own.
#[must_use]
pub fn takes_round_out(gate: &Gate) -> bool {
    matches!(gate, Gate::FailedOperations { .. } | Gate::NoOperations)
}

/// Which share of its cores each side used over a window; a side's cores are its worker threads, at
/// most the machine's cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoreShares {
    /// The server process.
    pub server: f64,
    /// The load process.
    pub client: f64,
    /// Both together, of the machine's cores.
    pub machine: f64,
}

impl CoreShares {
    /// The shares in one run; `None` where CPU time cannot be read or the window is empty.
    #[must_use]
    pub fn of(run: &Run, settings: &Settings, machine: &Machine) -> Option<Self> {
        let server_cores = run.server_cores_busy()?;
        let client_cores = run.client_cores_busy()?;
        let load_workers = run.load.engine.workers.unwrap_or(settings.load_workers);
        let all = machine.logical_cores.max(1);
        // No worker count means one thread per core.
        let own = |workers: u32| f64::from(if workers == 0 { all } else { workers.min(all) });
        Some(Self {
            server: server_cores / own(settings.server_workers),
            client: client_cores / own(load_workers),
            machine: (server_cores + client_cores) / f64::from(all),
        })
    }

    /// The load process was the limit while the server had cores to spare.
    #[must_use]
    pub fn client_bound(self) -> bool {
        self.client > FULL_SHARE && self.server < SPARE_SHARE
    }
}

fn failed_operations(run: &Run) -> Option<Gate> {
    let load = &run.load;
    (load.failed_operations > 0).then(|| Gate::FailedOperations {
        failed: load.failed_operations,
        of: load.operations.saturating_add(load.failed_operations),
        reason: load
            .failures
            .iter()
            .max_by_key(|failure| failure.count)
            .map_or_else(
                || "the load process gave no reason".to_owned(),
                |failure| failure.reason.clone(),
            ),
    })
}

fn no_operations(run: &Run) -> Option<Gate> {
    (run.load.operations == 0).then_some(Gate::NoOperations)
}

fn dropped_iterations(run: &Run) -> Option<Gate> {
    let dropped = run.load.dropped_iterations;
    (dropped > 0).then_some(Gate::DroppedIterations { dropped })
}

fn late_starts(run: &Run) -> Option<Gate> {
    let load = &run.load;
    let started = load.operations.saturating_add(load.failed_operations);
    let share = load.late_starts as f64 / started as f64;
    (share > LATE_STARTS_LIMIT).then_some(Gate::LateStarts { share })
}

fn littles_law(run: &Run, settings: &Settings) -> Option<Gate> {
    if settings.model != LoadModel::Closed || settings.vus == 0 {
        return None;
    }
    let concurrency = run.load.ops_per_s() * run.load.latency.mean_ms / 1_000.0;
    let share = concurrency / f64::from(settings.vus);
    // While the last operations end, the other virtual users have none: that counts with long ones.
    let ending = run.load.latency.mean_ms / 1_000.0 / run.load.elapsed_s;
    let least = 1.0 - LITTLES_LAW_TOLERANCE - ending;
    let usual = least..=1.0 + LITTLES_LAW_TOLERANCE;
    (!usual.contains(&share)).then_some(Gate::LittlesLaw {
        concurrency,
        vus: settings.vus,
    })
}

fn client_bound(run: &Run, settings: &Settings, machine: &Machine) -> Option<Gate> {
    if matches!(settings.model, LoadModel::Sequential(_)) {
        // One thing at a time: the client's own time is meant to be in the figure.
        return None;
    }
    let shares = CoreShares::of(run, settings, machine)?;
    shares.client_bound().then_some(Gate::ClientBound {
        client_share: shares.client,
        server_share: shares.server,
    })
}

fn foreign_cpu(run: &Run) -> Option<Gate> {
    let machine = run.usage.machine?;
    let link = run.link.as_ref().and_then(|link| link.cpu_us);
    let owned = run.usage.server.cpu_us? + run.usage.client.cpu_us? + link.unwrap_or(0.0);
    let share = (machine.busy_us - owned) / machine.capacity_us;
    (share > FOREIGN_CPU_LIMIT).then_some(Gate::ForeignCpu { share })
}

fn steal(run: &Run) -> Option<Gate> {
    let machine = run.usage.machine?;
    let share = machine.steal_us / machine.capacity_us;
    (share > STEAL_LIMIT).then_some(Gate::Steal { share })
}

fn byte_count(run: &Run) -> Option<Gate> {
    let load = &run.load;
    let (sent, received) = (load.kernel_sent_bytes?, load.kernel_received_bytes?);
    (sent != load.sent_bytes || received != load.received_bytes).then(|| Gate::ByteCount {
        counted: load.sent_bytes.saturating_add(load.received_bytes),
        kernel: sent.saturating_add(received),
    })
}

fn late_link(run: &Run) -> Option<Gate> {
    let link = run.link.as_ref()?;
    let late_p95_us = link.late_p95_us?;
    let limit_us = LATE_LINK_LIMIT_US + link.delay_ms * 1e3 * LATE_LINK_LIMIT_SHARE;
    (late_p95_us as f64 > limit_us).then_some(Gate::LateLink {
        late_p95_us,
        delay_ms: link.delay_ms,
    })
}

#[cfg(test)]
mod tests;
