//! Requests that are no calls, and unusual spellings of those that are.

use http::{HeaderValue, Method};
use tonic::Code;

use crate::{
    peer::{Peer, request},
    requests::{DETAIL, frame, screen},
    style::Style,
};

#[tokio::test]
async fn parameters_and_letter_case_do_not_matter() {
    let peer = Peer::bookstore().await;
    for (style, content_type, answer_type) in [
        (
            Style::Grpc,
            "application/grpc+proto; charset=utf-8",
            "application/grpc",
        ),
        (
            Style::WebOverHttp1,
            "application/grpc-web+proto; charset=utf-8",
            "application/grpc-web+proto",
        ),
        (
            Style::WebOverHttp2,
            "Application/gRPC-Web",
            "application/grpc-web+proto",
        ),
        (
            Style::TextOverHttp1,
            "application/grpc-web-text;charset=ascii",
            "application/grpc-web-text+proto",
        ),
    ] {
        let mut request = request(style, DETAIL, &frame(&screen()));
        let value = HeaderValue::from_static(content_type);
        request.headers_mut().insert("content-type", value);
        let answer = peer.send(request).await;
        assert_eq!(answer.code(), Code::Ok, "{content_type}");
        assert_eq!(answer.content_type(), answer_type);
    }
}

#[tokio::test]
async fn accept_decides_between_binary_and_text() {
    let peer = Peer::bookstore().await;
    for (style, accept, answer_type) in [
        (
            Style::WebOverHttp1,
            "application/grpc-web-text",
            "application/grpc-web-text+proto",
        ),
        (
            Style::TextOverHttp1,
            "application/grpc-web",
            "application/grpc-web+proto",
        ),
        (
            Style::TextOverHttp1,
            "*/*",
            "application/grpc-web-text+proto",
        ),
    ] {
        let mut request = request(style, DETAIL, &frame(&screen()));
        let value = HeaderValue::from_static(accept);
        request.headers_mut().insert("accept", value);
        let answer = peer.send(request).await;
        assert_eq!(answer.code(), Code::Ok);
        assert_eq!(answer.content_type(), answer_type, "{style:?} {accept}");
    }
}

#[tokio::test]
async fn other_content_types_are_415_with_the_value_and_the_remedy() {
    let peer = Peer::bookstore().await;
    for style in [Style::Grpc, Style::WebOverHttp1] {
        for content_type in [
            "image/jpeg",
            "application/grpc+json",
            "application/grpc-web+thrift",
            "",
        ] {
            let mut request = request(style, DETAIL, &frame(&screen()));
            let value = HeaderValue::from_static(content_type);
            request.headers_mut().insert("content-type", value);
            let answer = peer.send(request).await;
            assert_eq!(answer.http_status, 415, "{style:?} {content_type}");
            let text = String::from_utf8(answer.body.to_vec()).unwrap();
            assert!(text.contains(&format!("{content_type:?}")), "{text}");
            assert!(text.contains("application/grpc-web-text"), "{text}");
        }
        let mut request = request(style, DETAIL, &frame(&screen()));
        request.headers_mut().remove("content-type");
        assert_eq!(peer.send(request).await.http_status, 415);
    }
}

#[tokio::test]
async fn other_methods_are_405() {
    let peer = Peer::bookstore().await;
    for style in [Style::Grpc, Style::WebOverHttp1, Style::WebOverHttp2] {
        for method in [Method::GET, Method::PUT, Method::DELETE, Method::OPTIONS] {
            let mut request = request(style, DETAIL, &frame(&screen()));
            *request.method_mut() = method;
            let answer = peer.send(request).await;
            assert_eq!(answer.http_status, 405, "{style:?}");
            assert_eq!(answer.header("allow"), "POST, OPTIONS");
        }
    }
}

#[tokio::test]
async fn grpc_over_http1_is_505() {
    let peer = Peer::bookstore().await;
    let mut request = request(Style::WebOverHttp1, DETAIL, &frame(&screen()));
    let value = HeaderValue::from_static("application/grpc");
    request.headers_mut().insert("content-type", value);
    assert_eq!(peer.send(request).await.http_status, 505);
}

#[tokio::test]
async fn what_is_not_grpc_is_left_to_the_other_styles() {
    let peer = Peer::bookstore().await;
    let mut request = request(Style::WebOverHttp1, "/api/nothing", b"{}");
    let value = HeaderValue::from_static("application/json");
    request.headers_mut().insert("content-type", value);
    let answer = peer.send(request).await;
    assert_eq!(answer.http_status, 404);
    assert_eq!(answer.body, "not a gRPC call");
}
