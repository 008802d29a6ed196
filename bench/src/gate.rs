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
mod tests {
    use super::*;
    use crate::record::{Failure, LinkUse, MachineUsage, fixture};

    fn tripped(change: impl FnOnce(&mut Run)) -> Vec<Gate> {
        let mut run = fixture::run("L2-a-rest", 1, 100.0);
        change(&mut run);
        gates_of(&run, &fixture::settings(), &fixture::machine())
    }

    fn machine_usage(run: &mut Run, busy_us: f64, steal_us: f64) {
        run.usage.machine = Some(MachineUsage {
            busy_us,
            steal_us,
            capacity_us: 4_000_000.0,
        });
    }

    #[test]
    fn a_clean_run_trips_nothing() {
        assert_eq!(tripped(|_| {}), []);
    }

    #[test]
    fn one_failed_operation_takes_the_round_out_and_names_the_most_frequent_reason() {
        let gates = tripped(|run| {
            run.load.failed_operations = 3;
            run.load.failures = [("status 500", 1), ("wrong total", 2)]
                .map(|(reason, count)| Failure {
                    reason: reason.to_owned(),
                    count,
                })
                .to_vec();
        });
        let [gate] = gates.as_slice() else {
            panic!("{gates:?}");
        };
        assert_eq!(
            gate,
            &Gate::FailedOperations {
                failed: 3,
                of: 10_003,
                reason: "wrong total".to_owned()
            }
        );
        assert!(takes_round_out(gate));
    }

    #[test]
    fn a_failure_without_a_reason_is_still_a_failure() {
        let gates = tripped(|run| run.load.failed_operations = 1);
        assert!(matches!(gates.as_slice(), [Gate::FailedOperations { .. }]));
    }

    #[test]
    fn a_run_without_operations_takes_the_round_out() {
        let gates = tripped(|run| {
            run.load.operations = 0;
            run.load.elapsed_s = 0.0;
        });
        assert_eq!(gates[0], Gate::NoOperations);
        assert!(takes_round_out(&gates[0]));
    }

    #[test]
    fn a_dropped_iteration_is_not_the_offered_rate() {
        let gates = tripped(|run| run.load.dropped_iterations = 1);
        assert_eq!(gates, [Gate::DroppedIterations { dropped: 1 }]);
        assert!(!takes_round_out(&gates[0]));
    }

    #[test]
    fn late_starts_count_beyond_one_percent() {
        assert_eq!(tripped(|run| run.load.late_starts = 100), []);
        let gates = tripped(|run| run.load.late_starts = 101);
        assert_eq!(gates, [Gate::LateStarts { share: 0.0101 }]);
    }

    #[test]
    fn throughput_times_duration_is_the_users_within_a_tenth() {
        let with_mean = |mean_ms: f64| tripped(|run| run.load.latency.mean_ms = mean_ms);
        assert_eq!(with_mean(1.81), []);
        assert_eq!(with_mean(2.19), []);
        let law = |concurrency: f64| {
            [Gate::LittlesLaw {
                concurrency,
                vus: 20,
            }]
        };
        assert_eq!(with_mean(1.75), law(17.5));
        assert_eq!(with_mean(2.25), law(22.5));
    }

    #[test]
    fn an_open_model_has_no_fixed_number_of_busy_users() {
        let mut run = fixture::run("L2-a-rest", 1, 100.0);
        run.load.latency.mean_ms = 0.5;
        let mut settings = fixture::settings();
        settings.model = LoadModel::Open {
            rate_per_s: 10_000.0,
        };
        assert_eq!(gates_of(&run, &settings, &fixture::machine()), []);
    }

    #[test]
    fn the_client_is_the_limit_when_it_is_full_and_the_server_is_not() {
        let with = |server_us: f64, client_us: f64| {
            tripped(|run| {
                run.usage.server.cpu_us = Some(server_us);
                run.usage.client.cpu_us = Some(client_us);
                machine_usage(run, server_us + client_us, 0.0);
            })
        };
        assert_eq!(with(1_000_000.0, 1_800_000.0), []);
        assert_eq!(with(1_400_000.0, 1_900_000.0), []);
        assert_eq!(
            with(1_000_000.0, 1_900_000.0),
            [Gate::ClientBound {
                client_share: 0.95,
                server_share: 0.5
            }]
        );
    }

    #[test]
    fn a_side_has_as_many_cores_as_it_has_threads_but_no_more_than_the_machine() {
        let mut run = fixture::run("L2-a-rest", 1, 100.0);
        let mut settings = fixture::settings();
        settings.server_workers = 8;
        run.load.engine.workers = Some(1);
        let shares = CoreShares::of(&run, &settings, &fixture::machine());
        let expected = CoreShares {
            server: 0.25,
            client: 0.5,
            machine: 0.375,
        };
        assert_eq!(shares, Some(expected));
    }

    #[test]
    fn others_may_use_a_twentieth_of_the_machine() {
        // Server and client own 1.5 s of CPU; 5 % of the capacity is 0.2 s.
        assert_eq!(tripped(|run| machine_usage(run, 1_690_000.0, 0.0)), []);
        let gates = tripped(|run| machine_usage(run, 1_900_000.0, 0.0));
        assert_eq!(gates, [Gate::ForeignCpu { share: 0.1 }]);
    }

    #[test]
    fn the_hypervisor_may_withhold_one_percent() {
        assert_eq!(tripped(|run| machine_usage(run, 1_500_000.0, 40_000.0)), []);
        let gates = tripped(|run| machine_usage(run, 1_500_000.0, 80_000.0));
        assert_eq!(gates, [Gate::Steal { share: 0.02 }]);
    }

    #[test]
    fn one_byte_more_or_less_at_the_kernel_is_told() {
        let gates = tripped(|run| run.load.kernel_sent_bytes = Some(run.load.sent_bytes + 1));
        assert_eq!(
            gates,
            [Gate::ByteCount {
                counted: 5_000_000,
                kernel: 5_000_001
            }]
        );
        assert_eq!(tripped(|run| run.load.kernel_received_bytes = None), []);
    }

    #[test]
    fn where_cpu_time_cannot_be_read_no_gate_on_it_is_tripped() {
        let gates = tripped(|run| {
            run.usage.server.cpu_us = None;
            run.usage.client.cpu_us = None;
            run.usage.machine = None;
        });
        assert_eq!(gates, []);
    }

    #[test]
    fn long_operations_may_end_one_after_the_other() {
        let ending = |mean_ms: f64| {
            tripped(|run| {
                (run.load.operations, run.load.elapsed_s) = (83, 1.45);
                run.load.latency.mean_ms = mean_ms;
            })
        };
        assert_eq!(ending(280.0), []);
        assert!(matches!(ending(230.0)[..], [Gate::LittlesLaw { .. }]));
    }

    fn link(late_p95_us: u64) -> LinkUse {
        LinkUse {
            delay_ms: 40.0,
            bandwidth_bit_per_s: None,
            connections: 20,
            failed_connections: 0,
            bytes_up: 1,
            bytes_down: 1,
            late_p50_us: Some(50),
            late_p95_us: Some(late_p95_us),
            goes_first: true,
            cpu_us: Some(600_000.0),
        }
    }

    #[test]
    fn a_link_may_be_late_by_two_tenths_of_a_millisecond_and_a_hundredth() {
        assert_eq!(tripped(|run| run.link = Some(link(600))), []);
        let late = Gate::LateLink {
            late_p95_us: 601,
            delay_ms: 40.0,
        };
        assert_eq!(tripped(|run| run.link = Some(link(601))), [late]);
    }

    #[test]
    fn the_cpu_of_the_link_is_not_that_of_others() {
        let busy = |run: &mut Run| machine_usage(run, 2_100_000.0, 0.0);
        assert!(matches!(tripped(busy)[..], [Gate::ForeignCpu { .. }]));
        let linked = |run: &mut Run| {
            busy(run);
            run.link = Some(link(100));
        };
        assert_eq!(tripped(linked), []);
    }
}
