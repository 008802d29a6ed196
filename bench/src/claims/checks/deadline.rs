//! Callers that give up 200 ms of work two hops away. The work burns CPU for a tenth of its time and waits
//! for the rest.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bookstore_proto::v1::{WorkReply, WorkRequest};
use http::Method;
use tokio::time::{sleep, timeout};

use super::{Seen, metrics};
use crate::verify::{Peer, Transport, VerifyError};

const WORK_MS: i32 = 200;
/// After how long callers give up.
const PATIENCES_MS: [u64; 3] = [10, 50, 100];
/// How many callers for each of these.
const CALLERS: u32 = 5;
/// How long work may go on where the deadline is passed on.
const MOST_LATE_S: f64 = 0.05;
const DEADLINE_EXCEEDED: i32 = 4;
/// The longest wait for work to be over.
const OVER_WITHIN: Duration = Duration::from_secs(5);

/// How a caller gives up.
#[derive(Clone, Copy)]
enum Manner {
    /// gRPC with a deadline; the caller says nothing more.
    GrpcDeadline,
    /// REST; the connection stays open, as behind a gateway that reads on.
    RestSilent,
    /// REST; the connection is closed.
    RestClosed,
}

/// What became of the work of several callers.
struct Outcome {
    /// Time that the work of one caller went on, on average.
    late_ms: f64,
    /// CPU that it took in that time.
    late_cpu_ms: f64,
    /// The longest time of one since the server's start.
    longest_s: f64,
    /// Whether every caller gave up as it should.
    gave_up: bool,
}

/// The server's account of work after its callers gave up, in seconds.
struct Account {
    late: f64,
    late_cpu: f64,
    longest: f64,
}

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    // First, because the server keeps one longest time for all.
    let grpc = give_up(peer, Manner::GrpcDeadline).await?;
    let closed = give_up(peer, Manner::RestClosed).await?;
    let silent = give_up(peer, Manner::RestSilent).await?;
    Ok(Seen {
        passed: grpc.gave_up && grpc.longest_s <= MOST_LATE_S,
        seen: format!(
            "{CALLERS} callers each gave up {WORK_MS} ms of work two hops away after 10, 50 and 100 ms. With \
             gRPC, which passes on what is left of the deadline, the work went on for {:.1} ms per caller (at \
             most {:.1} ms) and took {:.2} ms of CPU then; with REST over a connection that stayed open, for \
             {:.1} ms ({:.2} ms of CPU), and over one that was closed, which this server notices and others \
             need not, for {:.1} ms ({:.2} ms of CPU)",
            grpc.late_ms,
            grpc.longest_s * 1e3,
            grpc.late_cpu_ms,
            silent.late_ms,
            silent.late_cpu_ms,
            closed.late_ms,
            closed.late_cpu_ms,
        ),
    })
}

async fn give_up(peer: Peer, manner: Manner) -> Result<Outcome, VerifyError> {
    let before = Account::read(peer).await?;
    let mut gave_up = true;
    for patience in PATIENCES_MS.map(Duration::from_millis) {
        for _ in 0..CALLERS {
            gave_up &= one(peer, manner, patience).await?;
        }
    }
    let after = Account::read(peer).await?;
    let callers = f64::from(CALLERS) * PATIENCES_MS.len() as f64;
    Ok(Outcome {
        late_ms: (after.late - before.late) * 1e3 / callers,
        late_cpu_ms: (after.late_cpu - before.late_cpu) * 1e3 / callers,
        longest_s: after.longest,
        gave_up,
    })
}

impl Account {
    /// Read when nothing is under way, or when that takes too long: work that does not end is late.
    async fn read(peer: Peer) -> Result<Self, VerifyError> {
        let read = async |name: &str| metrics::read(peer, "/metrics/work", name).await;
        let idle = async {
            while read("work_running").await? > 0.0 {
                sleep(Duration::from_millis(5)).await;
            }
            Ok(())
        };
        timeout(OVER_WITHIN, idle).await.unwrap_or(Ok(()))?;
        Ok(Self {
            late: read("work_after_caller_seconds_total").await?,
            late_cpu: read("work_cpu_after_caller_seconds_total").await?,
            longest: read("work_after_caller_seconds_max").await?,
        })
    }
}

/// Whether the caller gave up as it should.
async fn one(peer: Peer, manner: Manner, patience: Duration) -> Result<bool, VerifyError> {
    let gives_up_at = (SystemTime::now() + patience)
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_micros()
        .to_string();
    let moment = [("bench-gives-up-at-us", gives_up_at.as_str())];
    let path = format!("/api/work/relayed?ms={WORK_MS}");
    let asked = peer.exchange(Method::GET, &path, &moment, "");
    match manner {
        Manner::GrpcDeadline => {
            let left = format!("{}u", patience.as_micros());
            let headers = [moment[0], ("grpc-timeout", &left)];
            let message = WorkRequest {
                duration_ms: WORK_MS,
            };
            let method = "WorkService/RelayWork";
            let called = peer
                .call_with::<WorkReply>(Transport::Grpc, method, &message, &headers)
                .await?;
            Ok(called.status == DEADLINE_EXCEEDED)
        }
        Manner::RestSilent => asked.await.map(|_| true),
        Manner::RestClosed => Ok(timeout(patience, asked).await.is_err()),
    }
}
