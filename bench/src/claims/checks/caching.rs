//! What an HTTP cache may keep, and what it can ask for again with an `ETag`.

use bookstore_proto::v1;
use http::{
    HeaderMap, Method, StatusCode,
    header::{CACHE_CONTROL, ETAG},
};
use serde_json::json;

use super::Seen;
use crate::verify::{Peer, Reply, Transport, VerifyError};

/// The screen's query by GET: its hash, by `sha256sum k6/lib/documents/book-detail.graphql`.
const BY_HASH: &str = "/graphql?extensions=%7B%22persistedQuery%22:%7B%22version%22:1,%22sha256Hash%22:\
     %22cba954bfeb2daa075a74637de994ada1701946ab7df2f308b7460b5747cef341%22%7D%7D&variables=%7B%22id%22:%221%22%7D";
/// A short query by GET, its text in the address.
const BY_TEXT: &str = "/graphql?query=%7Bbook(id:1)%7Btitle%7D%7D";
/// Matches every tag, so that whoever looks at tags answers 304.
const ANY_TAG: (&str, &str) = ("if-none-match", "*");

pub(super) async fn ask_graphql(peer: Peer) -> Result<Seen, VerifyError> {
    let by_hash = is_cacheable(peer, BY_HASH).await?;
    let by_text = is_cacheable(peer, BY_TEXT).await?;
    let document = include_str!("../../../../k6/lib/documents/book-detail.graphql");
    let body = json!({ "query": document, "variables": { "id": "1" } }).to_string();
    let headers = [("content-type", "application/json"), ANY_TAG];
    let posted = peer
        .exchange(Method::POST, "/graphql", &headers, body)
        .await?;
    let by_post = posted.status != StatusCode::OK || has_validators(&posted.headers);
    Ok(Seen {
        passed: by_hash && !by_post,
        seen: format!(
            "with caching on, a GET by hash {} its age and tag and is revalidated; a GET with the text of a \
             query in its address {} too, so the document need not be persisted where addresses may be that \
             long; a POST has {}",
            if by_hash { "has" } else { "lacks" },
            if by_text { "has them" } else { "lacks them" },
            if by_post { "them as well" } else { "neither" },
        ),
    })
}

pub(super) async fn ask_grpc(peer: Peer) -> Result<Seen, VerifyError> {
    let by_rest = is_cacheable(peer, "/api/books/1").await?;
    let request = v1::GetBookDetailRequest {
        book_id: 1,
        review_count: 2,
    };
    let mut hits = 0;
    for transport in Transport::ALL {
        let method = "CatalogService/GetBookDetail";
        let called = peer
            .call_with::<v1::BookDetail>(transport, method, &request, &[ANY_TAG])
            .await?;
        if called.message.is_none() || has_validators(&called.headers) {
            hits += 1;
        }
    }
    Ok(Seen {
        passed: by_rest && hits == 0,
        seen: format!(
            "with caching on, REST's answer {} an age and a tag; {hits} of {} answers of gRPC and gRPC-Web \
             do, and none could be asked for with a tag",
            if by_rest { "has" } else { "lacks" },
            Transport::ALL.len(),
        ),
    })
}

/// Whether a GET may be kept and can be asked for again without its body being sent.
async fn is_cacheable(peer: Peer, path: &str) -> Result<bool, VerifyError> {
    let first: Reply = peer.exchange(Method::GET, path, &[], "").await?;
    let Some(tag) = first.headers.get(ETAG).and_then(|tag| tag.to_str().ok()) else {
        return Ok(false);
    };
    let again = peer
        .exchange(Method::GET, path, &[("if-none-match", tag)], "")
        .await?;
    Ok(first.status == StatusCode::OK
        && has_validators(&first.headers)
        && again.status == StatusCode::NOT_MODIFIED
        && again.body.is_empty())
}

fn has_validators(headers: &HeaderMap) -> bool {
    headers.contains_key(ETAG) || headers.contains_key(CACHE_CONTROL)
}
