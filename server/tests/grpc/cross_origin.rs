//! Calls from a page of another origin, as a browser makes them.

use std::collections::HashSet;

use http::{HeaderValue, Method};
use tonic::Code;

use crate::{
    answer::Answer,
    peer::{Peer, request},
    requests::{DETAIL, frame, screen},
    style::Style,
};

const PAGE: HeaderValue = HeaderValue::from_static("https://shop.test");

fn names(answer: &Answer, header: &str) -> HashSet<String> {
    let list = answer.header(header).split(',');
    list.map(|name| name.trim().to_lowercase()).collect()
}

#[tokio::test]
async fn a_preflight_allows_the_call_and_may_be_remembered() {
    let peer = Peer::bookstore().await;
    for style in [Style::WebOverHttp1, Style::WebOverHttp2] {
        let mut request = request(style, DETAIL, b"");
        *request.method_mut() = Method::OPTIONS;
        let headers = request.headers_mut();
        headers.remove("content-type");
        headers.insert("origin", PAGE);
        headers.insert(
            "access-control-request-method",
            HeaderValue::from_static("POST"),
        );
        headers.insert(
            "access-control-request-headers",
            HeaderValue::from_static("content-type,grpc-timeout,x-grpc-web,x-shop,x-user-agent"),
        );
        let answer = peer.send(request).await;
        assert_eq!(answer.http_status, 200, "{style:?}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert_eq!(answer.header("access-control-allow-methods"), "POST");
        assert_eq!(answer.header("access-control-max-age"), "7200");
        let allowed = names(&answer, "access-control-allow-headers");
        for name in [
            "content-type",
            "x-grpc-web",
            "x-user-agent",
            "grpc-timeout",
            "x-shop",
        ] {
            assert!(allowed.contains(name), "{name}");
        }
        assert!(answer.body.is_empty());
    }
}

#[tokio::test]
async fn the_page_may_read_the_status_of_success_and_error() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        for (frames, code) in [
            (frame(&screen()), Code::Ok),
            (Vec::new(), Code::Unimplemented),
        ] {
            let mut request = request(style, DETAIL, &frames);
            request.headers_mut().insert("origin", PAGE);
            let answer = peer.send(request).await;
            assert_eq!(answer.code(), code);
            assert_eq!(answer.header("access-control-allow-origin"), "*");
            let exposed = names(&answer, "access-control-expose-headers");
            for name in ["grpc-status", "grpc-message", "grpc-status-details-bin"] {
                assert!(exposed.contains(name), "{name}");
            }
        }
    }
}

#[tokio::test]
async fn a_call_without_origin_gets_no_such_headers() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        let answer = peer.call(style, DETAIL, &frame(&screen())).await;
        let cors = answer
            .headers
            .keys()
            .find(|name| name.as_str().starts_with("access-control") || name.as_str() == "vary");
        assert_eq!(cors, None, "{style:?}");
    }
}
