//! Which runs trip which gate.

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
