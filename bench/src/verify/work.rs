//! Work that is relayed to another server, and work that is refused.

use bookstore_proto::v1::{WorkReply, WorkRequest};
use http::{Method, StatusCode};

use super::{
    Answer,
    peer::{Peer, Transport, VerifyError, unreadable},
};

/// Milliseconds of work that are asked for: some, none, and more than is taken.
pub(super) const DURATIONS_MS: [i32; 3] = [2, 0, 1_001];

/// What became of it. How much CPU it took is different every time.
#[derive(Debug, PartialEq)]
pub(super) enum Outcome {
    Done,
    Refused,
}

/// Asks for work of so many milliseconds in every style.
pub(super) async fn ask(peer: Peer, duration_ms: i32) -> Result<Vec<Answer<Outcome>>, VerifyError> {
    Ok(vec![
        Answer {
            style: "REST",
            content: rest(peer, duration_ms).await?,
        },
        Answer {
            style: "gRPC",
            content: rpc(peer, duration_ms).await?,
        },
    ])
}

async fn rest(peer: Peer, duration_ms: i32) -> Result<Outcome, VerifyError> {
    let path = format!("/api/work/relayed?ms={duration_ms}");
    let (status, answer) = peer.json(Method::GET, &path, None).await?;
    match status {
        StatusCode::OK if answer["cpuUs"].is_u64() => Ok(Outcome::Done),
        status if status.is_client_error() => Ok(Outcome::Refused),
        _ => Err(unreadable(&path, &format!("{status} {answer}"))),
    }
}

async fn rpc(peer: Peer, duration_ms: i32) -> Result<Outcome, VerifyError> {
    const INVALID_ARGUMENT: i32 = 3;
    let method = "WorkService/RelayWork";
    let request = WorkRequest { duration_ms };
    let called = peer
        .call::<WorkReply>(Transport::Grpc, method, &request)
        .await?;
    match called.status {
        0 => Ok(Outcome::Done),
        INVALID_ARGUMENT => Ok(Outcome::Refused),
        status => Err(unreadable(method, &format!("status {status}"))),
    }
}
