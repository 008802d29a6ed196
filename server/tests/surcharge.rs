//! The planted cost, in CPU time. A test binary of its own: the clock counts the whole process.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{convert::Infallible, hint, time::Duration};

use axum::body::Body;
use bookstore_server::{BuildFacts, ServerConfig, SurchargeLayer};
use clap::Parser;
use http::Request;
use tower::{Layer, Service, ServiceExt, service_fn};

const REQUESTS: u32 = 2_000;
const WORK_PER_REQUEST: Duration = Duration::from_micros(100);

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    server: ServerConfig,
}

fn clock(id: libc::clockid_t) -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: `time` is a valid place for one timespec and lives over the call.
    assert_eq!(unsafe { libc::clock_gettime(id, &raw mut time) }, 0);
    Duration::new(
        time.tv_sec.try_into().unwrap(),
        time.tv_nsec.try_into().unwrap(),
    )
}

fn work() {
    let target = clock(libc::CLOCK_THREAD_CPUTIME_ID) + WORK_PER_REQUEST;
    while clock(libc::CLOCK_THREAD_CPUTIME_ID) < target {
        hint::spin_loop();
    }
}

/// One test, because two would run at the same time and burn into each other's clock.
#[tokio::test]
async fn burns_its_share_on_top_of_the_own_work() {
    for share in [0.15, 1.0] {
        let extra = extra_of_layer(share).await;
        // The work overshoots by a clock call or two, and that is surcharged as well.
        let expected = share * 0.95..share * 1.1 + 0.06;
        assert!(expected.contains(&extra), "{extra} of {share}");
    }
    let (plain, surcharged) = (cpu_of_app(&[]).await, cpu_of_app(&["--surcharge=10"]).await);
    assert!(surcharged > plain * 4, "{surcharged:?} against {plain:?}");
}

/// What the layer burnt, as a share of the wrapped work.
async fn extra_of_layer(share: f64) -> f64 {
    let own = service_fn(async |()| {
        work();
        Ok::<_, Infallible>(())
    });
    let mut service = SurchargeLayer::new(share).layer(own);
    let before = clock(libc::CLOCK_PROCESS_CPUTIME_ID);
    for _ in 0..REQUESTS {
        service.ready().await.unwrap().call(()).await.unwrap();
    }
    let used = clock(libc::CLOCK_PROCESS_CPUTIME_ID)
        .checked_sub(before)
        .unwrap();
    used.as_secs_f64() / (WORK_PER_REQUEST * REQUESTS).as_secs_f64() - 1.0
}

/// What the routes of a server with these flags need for many requests.
async fn cpu_of_app(flags: &[&str]) -> Duration {
    let command_line = [&["serve"], flags].concat();
    let config = Arguments::try_parse_from(command_line).unwrap().server;
    let build = BuildFacts {
        version: "0",
        git_revision: None,
        build_profile: "debug",
        allocator: "system",
    };
    let app = bookstore_server::app(&config, build);
    let before = clock(libc::CLOCK_PROCESS_CPUTIME_ID);
    for _ in 0..REQUESTS {
        let request = Request::get("/api/books/1").body(Body::empty()).unwrap();
        app.http1.clone().oneshot(request).await.unwrap();
    }
    clock(libc::CLOCK_PROCESS_CPUTIME_ID)
        .checked_sub(before)
        .unwrap()
}
