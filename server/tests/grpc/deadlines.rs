//! `grpc-timeout`, with the clock stopped: time passes only when there is nothing else to do.

use std::sync::{Arc, atomic::Ordering};

use bookstore_proto::v1::{BookDetail, Review};
use bookstore_server::rpc::{self, RpcConfig};
use bytes::Bytes;
use http::{HeaderValue, Request};
use http_body_util::Full;
use tokio::time::{Duration, Instant};
use tonic::Code;

use crate::{
    peer::{bookstore, call_in_process, request},
    requests::{DETAIL, RESERVE, REVIEWS, all_reviews, frame, order, screen},
    stores::{Blocking, Pace, endless},
    style::Style,
};

fn timed(style: Style, path: &str, frames: &[u8], timeout: &str) -> Request<Full<Bytes>> {
    let mut request = request(style, path, frames);
    let timeout = HeaderValue::from_str(timeout).unwrap();
    request.headers_mut().insert("grpc-timeout", timeout);
    request
}

#[tokio::test(start_paused = true)]
async fn a_call_that_never_answers_ends_at_its_deadline() {
    for style in Style::ALL {
        let (router, _, mut dropped) = endless(Pace::Stalls);
        let began = Instant::now();
        let request = timed(style, DETAIL, &frame(&screen()), "1500m");
        let answer = call_in_process(router, request).await;
        assert_eq!(answer.code(), Code::DeadlineExceeded, "{style:?}");
        assert_eq!(answer.content_type(), style.content_type());
        assert!(began.elapsed() >= Duration::from_millis(1_500));
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(dropped.try_recv(), Ok(()), "the work is dropped");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_stalls_ends_at_its_deadline_after_what_it_sent() {
    for style in Style::ALL {
        let (router, _, mut dropped) = endless(Pace::Stalls);
        let request = timed(style, REVIEWS, &frame(&all_reviews()), "2S");
        let answer = call_in_process(router, request).await;
        assert_eq!(answer.messages.len(), 1);
        assert_eq!(answer.code(), Code::DeadlineExceeded, "{style:?}");
        assert_eq!(dropped.try_recv(), Ok(()));
    }
}

/// Every review takes a millisecond here, so that about 1,000 of them fit.
#[tokio::test(start_paused = true)]
async fn a_stream_that_never_pauses_ends_at_its_deadline() {
    for style in Style::ALL {
        let (router, work, mut dropped) = endless(Pace::TakesTime);
        let request = timed(style, REVIEWS, &frame(&all_reviews()), "1S");
        let answer = call_in_process(router, request).await;
        assert_eq!(answer.code(), Code::DeadlineExceeded, "{style:?}");
        assert_eq!(dropped.try_recv(), Ok(()));
        let produced = work.produced.load(Ordering::SeqCst);
        assert_eq!(answer.messages.len(), produced);
        assert!((1_000..1_100).contains(&produced), "{produced}");
    }
}

/// In real time, because the store blocks the thread for longer than the deadline.
#[tokio::test]
async fn the_late_answer_of_a_blocking_store_is_not_sent() {
    let router = rpc::router(Arc::new(Blocking::default()), &RpcConfig::default());
    assert!(Blocking::TIME > Duration::from_millis(1));
    for style in Style::ALL {
        for (path, frames) in [
            (DETAIL, frame(&screen())),
            (RESERVE, frame(&order(2))),
            (REVIEWS, frame(&all_reviews())),
        ] {
            let request = timed(style, path, &frames, "1m");
            let answer = call_in_process(router.clone(), request).await;
            assert_eq!(answer.code(), Code::DeadlineExceeded, "{style:?} {path}");
            assert!(answer.body.is_empty(), "refused as a whole");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_in_time_is_answered_as_without_deadline() {
    for style in Style::ALL {
        for timeout in ["1H", "99999999H", "2M", "1S"] {
            let request = timed(style, DETAIL, &frame(&screen()), timeout);
            let answer = call_in_process(bookstore(), request).await;
            assert_eq!(answer.message::<BookDetail>().id, 1);
            let request = timed(style, REVIEWS, &frame(&all_reviews()), timeout);
            let answer = call_in_process(bookstore(), request).await;
            assert_eq!(answer.decode::<Review>().len(), 4);
        }
    }
}

#[tokio::test]
async fn a_timeout_that_cannot_be_read_is_an_error_that_quotes_it() {
    for style in Style::ALL {
        for timeout in ["", "5", "5s", "-5S", "123456789S"] {
            let request = timed(style, DETAIL, &frame(&screen()), timeout);
            let answer = call_in_process(bookstore(), request).await;
            assert_eq!(answer.code(), Code::Internal);
            let quoted = format!("grpc-timeout {timeout:?} is not");
            assert!(answer.status().message().starts_with(&quoted));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_of_zero_has_passed() {
    let request = timed(Style::Grpc, DETAIL, &frame(&screen()), "0S");
    let answer = call_in_process(bookstore(), request).await;
    assert_eq!(answer.code(), Code::DeadlineExceeded);
}
