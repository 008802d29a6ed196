//! Who can speak to which port. What a browser's own interfaces allow is a matter of its standards
//! (fetch shows no trailers and lets nobody choose HTTP/2 without TLS); here the protocol is tried, and
//! `scripts/suites/browser` shows it in a real browser.

use bookstore_proto::v1;
use http::Method;

use super::Seen;
use crate::verify::{Peer, Transport, VerifyError};

const METHOD: &str = "CatalogService/GetBookDetail";

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let request = v1::GetBookDetailRequest {
        book_id: 1,
        review_count: 2,
    };
    let wrong_port = Peer {
        http1: peer.h2c,
        ..peer
    };
    let path = format!("/bookstore.bench.v1.{METHOD}");
    // GetBookDetail of book 1 with two reviews, behind gRPC's prefix.
    let call = &[0, 0, 0, 0, 4, 0x08, 1, 0x10, 2][..];
    let headers = [("content-type", "application/grpc"), ("te", "trailers")];
    let http1_is_refused = wrong_port
        .exchange(Method::POST, &path, &headers, call)
        .await
        .is_err();
    let grpc = peer
        .call::<v1::BookDetail>(Transport::Grpc, METHOD, &request)
        .await?;
    let web = peer
        .call::<v1::BookDetail>(Transport::Web, METHOD, &request)
        .await?;
    let refusal = if http1_is_refused {
        "not answered"
    } else {
        "answered"
    };
    Ok(Seen {
        passed: http1_is_refused
            && grpc.status == 0
            && web.status == 0
            && grpc.message == web.message,
        seen: format!(
            "a gRPC call by HTTP/1.1 POST is {refusal} on the gRPC port, which answers the same over HTTP/2 \
             with status {}; gRPC-Web over HTTP/1.1 is answered with status {}; scripts/suites/browser tries \
             it in a real browser",
            grpc.status, web.status
        ),
    })
}
