//! gzip per message: for callers that use it, and not for those that merely could.

use std::io::{Read as _, Write as _};

use bookstore_proto::v1::BookDetail;
use bytes::Bytes;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use http::{HeaderValue, Request};
use http_body_util::Full;
use prost::Message as _;
use tonic::Code;

use crate::{
    peer::{Peer, request},
    requests::{DETAIL, frame, screen},
    style::Style,
};

const GZIP: HeaderValue = HeaderValue::from_static("gzip");

fn compressed(message: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(message).unwrap();
    let payload = encoder.finish().unwrap();
    let mut frame = vec![1];
    frame.extend(u32::try_from(payload.len()).unwrap().to_be_bytes());
    frame.extend(payload);
    frame
}

fn with_gzip(style: Style, frames: &[u8]) -> Request<Full<Bytes>> {
    let mut request = request(style, DETAIL, frames);
    request.headers_mut().insert("grpc-encoding", GZIP);
    request
}

#[tokio::test]
async fn a_compressed_request_gets_a_compressed_answer_if_it_takes_one() {
    let peer = Peer::bookstore().await;
    let frames = compressed(&screen().encode_to_vec());
    for style in Style::ALL {
        let mut request = with_gzip(style, &frames);
        request.headers_mut().insert("grpc-accept-encoding", GZIP);
        let answer = peer.send(request).await;
        assert_eq!(answer.header("grpc-encoding"), "gzip", "{style:?}");
        let [(1, payload)] = answer.messages.as_slice() else {
            panic!("one compressed message, not {:?}", answer.messages);
        };
        let mut message = Vec::new();
        GzDecoder::new(payload.as_slice())
            .read_to_end(&mut message)
            .unwrap();
        assert_eq!(BookDetail::decode(message.as_slice()).unwrap().id, 1);

        let answer = peer.send(with_gzip(style, &frames)).await;
        assert_eq!(answer.message::<BookDetail>().id, 1);
    }
}

#[tokio::test]
async fn an_offer_alone_does_not_make_the_answer_larger() {
    let peer = Peer::bookstore().await;
    let mut request = request(Style::Grpc, DETAIL, &frame(&screen()));
    request.headers_mut().insert("grpc-accept-encoding", GZIP);
    let answer = peer.send(request).await;
    assert_eq!(answer.header("grpc-encoding"), "");
    assert_eq!(answer.message::<BookDetail>().encoded_len(), 114);
}

#[tokio::test]
async fn a_message_that_inflates_beyond_the_limit_is_refused() {
    let peer = Peer::bookstore().await;
    let bomb = compressed(&vec![0; 5 * 1024 * 1024]);
    for style in Style::ALL {
        let answer = peer.send(with_gzip(style, &bomb)).await;
        assert_eq!(answer.code(), Code::ResourceExhausted, "{style:?}");
    }
}

#[tokio::test]
async fn damaged_and_unknown_compression_are_refused() {
    let peer = Peer::bookstore().await;
    for style in Style::ALL {
        let damaged = with_gzip(style, b"\x01\0\0\0\x03abc");
        assert_eq!(peer.send(damaged).await.code(), Code::Internal);
        let mut unknown = request(style, DETAIL, b"\x01\0\0\0\x03abc");
        let brotli = HeaderValue::from_static("br");
        unknown.headers_mut().insert("grpc-encoding", brotli);
        let answer = peer.send(unknown).await;
        assert_eq!(answer.code(), Code::Unimplemented);
        assert_eq!(answer.header("grpc-accept-encoding"), "gzip,identity");
    }
}
