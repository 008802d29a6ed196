//! Who can speak to which port. What a browser's own interfaces allow is a matter of its standards
//! (fetch shows no trailers and lets nobody choose HTTP/2 without TLS); here the protocol is tried.

use bookstore_proto::v1;
use http::Method;

use super::Seen;
use crate::verify::{Peer, Transport, VerifyError};

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let wrong_port = Peer {
        http1: peer.h2c,
        ..peer
    };
    let http1_is_refused = wrong_port.json(Method::GET, "/about", None).await.is_err();
    let request = v1::GetBookDetailRequest {
        book_id: 1,
        review_count: 2,
    };
    let web = peer
        .call::<v1::BookDetail>(Transport::Web, "CatalogService/GetBookDetail", &request)
        .await?;
    let refusal = if http1_is_refused {
        "the gRPC port does not answer HTTP/1.1"
    } else {
        "the gRPC port answers HTTP/1.1"
    };
    Ok(Seen {
        passed: http1_is_refused && web.status == 0,
        seen: format!(
            "{refusal}; gRPC-Web over HTTP/1.1 is answered with status {}",
            web.status
        ),
    })
}
