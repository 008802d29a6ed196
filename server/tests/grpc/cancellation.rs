//! A caller that goes away takes the work with it.

use std::{sync::atomic::Ordering, time::Duration};

use http_body_util::BodyExt as _;
use tokio::sync::oneshot;

use crate::{
    peer::{Peer, request},
    requests::{DETAIL, REVIEWS, all_reviews, frame, screen},
    stores::{Pace, endless},
    style::Style,
};

/// The time is a bound for a test that fails; one that passes does not wait.
async fn assert_soon(dropped: oneshot::Receiver<()>, style: Style) {
    let bound = Duration::from_mins(1);
    let dropped = tokio::time::timeout(bound, dropped).await;
    assert_eq!(dropped, Ok(Ok(())), "{style:?}");
}

#[tokio::test]
async fn a_stream_stops_when_its_reader_goes_away() {
    for style in Style::ALL {
        let (router, work, dropped) = endless(Pace::Runs);
        let peer = Peer::start(router).await;
        let mut response = peer
            .open(request(style, REVIEWS, &frame(&all_reviews())))
            .await;
        response.frame().await.unwrap().unwrap();
        drop(response);
        assert_soon(dropped, style).await;
        assert!(work.produced.load(Ordering::SeqCst) > 0);
    }
}

#[tokio::test]
async fn a_call_stops_when_its_caller_goes_away() {
    for style in [Style::Grpc, Style::WebOverHttp1] {
        let (router, work, dropped) = endless(Pace::Stalls);
        let peer = Peer::start(router).await;
        let request = request(style, DETAIL, &frame(&screen()));
        tokio::select! {
            _ = peer.open(request) => panic!("nobody answers"),
            () = work.started.notified() => {}
        }
        assert_soon(dropped, style).await;
    }
}
