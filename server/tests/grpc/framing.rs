//! Bodies that are no proper run of frames: an error in the protocol's own terms, and the next
//! call is served.

use std::sync::Arc;

use bookstore_server::{
    domain::InMemoryBookstore,
    rpc::{self, RpcConfig},
};
use bytes::Bytes;
use http_body_util::Full;
use prost::Message as _;
use tonic::Code;

use crate::{
    answer::Answer,
    peer::{Peer, request},
    requests::{DETAIL, RESERVE, REVIEWS, frame, order, screen},
    style::Style,
};

async fn assert_goes_on(peer: &Peer, style: Style) {
    let answer = peer.call(style, DETAIL, &frame(&screen())).await;
    assert_eq!(answer.code(), Code::Ok, "{style:?}");
}

fn assert_refused(answer: &Answer, code: Code, words: &str, case: &str) {
    let status = answer.status();
    assert_eq!(answer.http_status, 200);
    assert_eq!(status.code(), code, "{case}: {status:?}");
    assert!(status.message().contains(words), "{case}: {status:?}");
}

#[tokio::test]
async fn broken_bodies_are_refused() {
    let good = frame(&screen());
    let two = [good.clone(), good.clone()].concat();
    let mut compressed = good.clone();
    compressed[0] = 1;
    let mut flagged = good.clone();
    flagged[0] = 2;
    let cases: [(&str, &[u8], Code, &str); 8] = [
        ("no message", b"", Code::Unimplemented, "no message"),
        ("two messages", &two, Code::Unimplemented, "more than one"),
        (
            "half a prefix",
            &good[..3],
            Code::Internal,
            "after 3 of the 5 bytes",
        ),
        (
            "half a message",
            &good[..7],
            Code::Internal,
            "4 bytes, 2 of which are missing",
        ),
        (
            "compressed without encoding",
            &compressed,
            Code::Internal,
            "grpc-encoding",
        ),
        ("unknown flag", &flagged, Code::Internal, "flag"),
        (
            "not protobuf",
            b"\0\0\0\0\x02\xff\xff",
            Code::Internal,
            "decode",
        ),
        (
            "4 GiB announced",
            b"\0\xff\xff\xff\xff",
            Code::ResourceExhausted,
            "4294967295 bytes; at most 4194304",
        ),
    ];
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        for path in [DETAIL, REVIEWS] {
            for (name, frames, code, words) in cases {
                let answer = peer.call(style, path, frames).await;
                assert_refused(&answer, code, words, name);
            }
        }
        assert_goes_on(&peer, style).await;
    }
}

#[tokio::test]
async fn a_message_may_be_as_large_as_the_limit_and_no_larger() {
    let largest = order(50);
    let config = RpcConfig {
        max_message_bytes: largest.encoded_len(),
    };
    let store = Arc::new(InMemoryBookstore::default());
    let peer = Peer::start(rpc::router(store, &config)).await;
    let mut larger = largest.clone();
    larger.order_id.push('2');
    for style in Style::ALL {
        let answer = peer.call(style, RESERVE, &frame(&largest)).await;
        assert_eq!(answer.code(), Code::Ok);
        let answer = peer.call(style, RESERVE, &frame(&larger)).await;
        let words = "958 bytes; at most 957";
        assert_refused(&answer, Code::ResourceExhausted, words, "too large");
        assert_goes_on(&peer, style).await;
    }
}

#[tokio::test]
async fn bad_base64_is_refused() {
    let peer = Peer::bookstore().await;
    for style in [Style::TextOverHttp1, Style::TextOverHttp2] {
        for text in ["AAAA!AAA", "AAAAA", "AAAAAAQIARA"] {
            let mut request = request(style, DETAIL, b"");
            *request.body_mut() = Full::from(Bytes::from_static(text.as_bytes()));
            let answer = peer.send(request).await;
            assert_refused(&answer, Code::Internal, "tonic-web", text);
            assert_eq!(answer.content_type(), style.content_type());
        }
        assert_goes_on(&peer, style).await;
    }
}

/// Fields that the contract does not have are skipped, as protobuf defines.
#[tokio::test]
async fn unknown_fields_are_ignored() {
    let peer = Peer::bookstore().await;
    let mut payload = screen().encode_to_vec();
    payload.extend(b"\xfa\x01\x05extra");
    let mut frames = vec![0, 0, 0, 0, u8::try_from(payload.len()).unwrap()];
    frames.extend(payload);
    let answer = peer.call(Style::Grpc, DETAIL, &frames).await;
    assert_eq!(answer.code(), Code::Ok);
}
