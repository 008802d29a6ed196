//! When operations start and when a run ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::SeqCst},
    },
    time::Duration,
};

use bookstore_bench::load::run_until;
use tokio::sync::Notify;

use crate::{
    args, load,
    server::{Reply, Server, bookstore},
};

#[test]
fn a_closed_loop_lasts_for_its_duration_and_counts_the_last_operations() {
    let server = Server::http(|ask| Reply {
        delay: Duration::from_millis(30),
        ..bookstore(ask)
    });
    let summary = load("a-rest -u 3 -d 100ms", server.address);
    assert_eq!(summary.failed_operations, 0);
    // Each virtual user starts one at 0 ms and ends the one that was in hand at 100 ms.
    assert!(
        (3..=12).contains(&summary.operations),
        "{}",
        summary.operations
    );
    assert!(summary.elapsed_s >= 0.1, "{}", summary.elapsed_s);
    assert_eq!((summary.late_starts, summary.dropped_iterations), (0, 0));
    assert_eq!(summary.requests, summary.operations);
}

#[test]
fn an_open_model_accounts_for_every_iteration_that_was_due() {
    let server = Server::http(bookstore);
    let summary = load(
        "a-rest -u 8 --workers 2 --rate 400/s -d 500ms",
        server.address,
    );
    assert_eq!(
        summary.operations + summary.dropped_iterations,
        200,
        "{summary:?}"
    );
    assert_eq!(summary.failed_operations, 0);
}

#[test]
fn a_server_too_slow_for_the_rate_drops_iterations_and_latency_runs_from_the_due_time() {
    let server = Server::http(|ask| Reply {
        delay: Duration::from_millis(50),
        ..bookstore(ask)
    });
    let summary = load("a-rest -u 1 --rate 100 -d 300ms", server.address);
    assert_eq!(
        summary.operations + summary.dropped_iterations,
        30,
        "{summary:?}"
    );
    // One at a time, 50 ms each.
    assert!((1..=6).contains(&summary.operations), "{summary:?}");
    // The first one is late, too, when the machine stalls.
    assert!(summary.late_starts >= summary.operations - 1, "{summary:?}");
    // The last one was due 10 ms after its predecessor and started 50 ms after it.
    let last = 50.0 + 40.0 * (summary.operations - 1) as f64;
    assert!(summary.latency.max_ms >= last, "{summary:?}");
}

#[test]
fn shared_iterations_end_with_the_time_even_if_some_are_left() {
    let server = Server::http(|ask| Reply {
        delay: Duration::from_millis(20),
        ..bookstore(ask)
    });
    let summary = load("a-rest -u 2 -i 1000000 -d 50ms", server.address);
    assert!((2..=6).contains(&summary.operations), "{summary:?}");
}

#[test]
fn a_stopped_run_has_the_figures_so_far() {
    for rate in ["", " --rate 500"] {
        let requests = Arc::new(AtomicU64::new(0));
        let enough = Arc::new(Notify::new());
        let (count, notify) = (Arc::clone(&requests), Arc::clone(&enough));
        let server = Server::http(move |ask| {
            if count.fetch_add(1, SeqCst) == 20 {
                notify.notify_one();
            }
            bookstore(ask)
        });
        let args = args(&format!("a-rest -u 3 -d 10m{rate}"), server.address);
        let summary = run_until(&args, enough.notified()).unwrap();
        let requests = requests.load(SeqCst);
        assert_eq!(summary.failed_operations, 0);
        assert!(summary.operations >= 15, "{summary:?}");
        assert!(summary.operations <= requests, "{summary:?}");
        assert!(
            summary.requests >= summary.operations && summary.requests <= summary.operations + 3
        );
        assert!(summary.elapsed_s < 600.0);
    }
}

#[test]
fn a_run_can_be_stopped_while_nothing_answers() {
    let server = Server::raw(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
    });
    let args = args("a-grpc -u 3 -d 10m --timeout 10m", server.address);
    let summary = run_until(&args, async {
        tokio::time::sleep(Duration::from_millis(30)).await;
    })
    .unwrap();
    assert_eq!((summary.operations, summary.failed_operations), (0, 0));
}

#[test]
fn a_sequence_leaves_the_times_of_every_operation_and_counts_them_all() {
    let server = Server::http(bookstore);
    let line = "b-rest -u 9 -e REPETITIONS=6 -e DROP=2 -e PAUSE=1ms";
    let summary = load(line, server.address);
    assert_eq!((summary.operations, summary.vus), (6, 1));
    assert_eq!(summary.requests, 24);
    let samples = summary.samples.unwrap();
    assert_eq!(samples.dropped, 2);
    assert_eq!((samples.full_ms.len(), samples.ttfb_ms.len()), (6, 6));
    assert!(samples.ttfb_ms.iter().all(|&time| time > 0.0));
    let kept = samples.full().unwrap();
    assert!((kept.median - summary.latency.p50_ms).abs() < 1e-3);
    assert_eq!(load("b-rest -i 3", server.address).samples, None);
}

#[test]
fn an_operation_with_connections_of_its_own_opens_and_ends_them() {
    for (line, connections) in [
        ("a-rest -u 1 -i 5", 1),
        ("a-rest -u 1 -i 5 -e CONNECTION=new", 5),
        ("b-rest -u 1 -i 5 -e CONNECTION=new", 15),
    ] {
        let server = Server::http(bookstore);
        let summary = load(line, server.address);
        assert_eq!(
            (summary.operations, summary.failed_operations),
            (5, 0),
            "{line}"
        );
        assert_eq!(summary.connections, Some(connections), "{line}");
        if cfg!(target_os = "linux") {
            assert_eq!(summary.kernel_received_bytes, Some(summary.received_bytes));
        }
    }
}
