//! What the heads of gRPC calls take on the wire, by the number of the call on its connection.

use std::{
    collections::BTreeMap,
    io,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use h2::client::SendRequest;
use http::{Request, Version};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};

use super::Seen;
use crate::verify::{Peer, VerifyError};

const WHAT: &str = "gRPC /bookstore.bench.v1.CatalogService/GetBookDetail";
/// `GetBookDetail` of book 1 with two reviews, behind gRPC's prefix.
const CALL: &[u8] = &[0, 0, 0, 0, 4, 0x08, 1, 0x10, 2];
/// Calls on the connection that is kept.
const CALLS: usize = 100;

/// Bytes of a call's HEADERS frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Heads {
    sent: usize,
    received: usize,
}

pub(super) async fn ask(peer: Peer) -> Result<Seen, VerifyError> {
    let kept = heads(peer, CALLS).await?;
    let anew = heads(peer, 1).await?;
    let of_call = |number: usize| kept.get(number - 1).copied().unwrap_or_default();
    let (first, second, last) = (of_call(1), of_call(2), of_call(CALLS));
    let new = anew.first().copied().unwrap_or_default();
    let is_short = |head: Heads| head.sent > 0 && head.sent * 2 < first.sent;
    Ok(Seen {
        passed: is_short(second) && is_short(last) && new.sent == first.sent,
        seen: format!(
            "HEADERS frames of a gRPC call, sent and received: {} and {} B in the first call of a connection, \
             {} and {} B in the second, {} and {} B in call {CALLS}; {} and {} B in the first of another \
             connection",
            first.sent,
            first.received,
            second.sent,
            second.received,
            last.sent,
            last.received,
            new.sent,
            new.received,
        ),
    })
}

/// The heads of so many calls, one after the other on one connection.
async fn heads(peer: Peer, calls: usize) -> Result<Vec<Heads>, VerifyError> {
    let connect = |source| VerifyError::Connect {
        address: peer.h2c,
        source,
    };
    let stream = TcpStream::connect(peer.h2c).await.map_err(connect)?;
    let log = Arc::new(Mutex::new(Log::default()));
    let recorded = Recorded {
        stream,
        log: Arc::clone(&log),
    };
    let exchange = async {
        let (mut sender, connection) = h2::client::handshake(recorded).await?;
        let driver = tokio::spawn(connection);
        for _ in 0..calls {
            sender = call(sender, &format!("http://{}", peer.h2c)).await?;
        }
        driver.abort();
        Ok::<(), h2::Error>(())
    };
    exchange.await.map_err(|error| VerifyError::Exchange {
        what: WHAT.to_owned(),
        source: error.into(),
    })?;
    let log = locked(&log);
    let sent = by_stream(log.sent.get(PREFACE.len()..).unwrap_or_default());
    let received = by_stream(&log.received);
    let heads = sent.into_iter().map(|(stream, sent)| Heads {
        sent,
        received: received.get(&stream).copied().unwrap_or_default(),
    });
    Ok(heads.collect())
}

async fn call(sender: SendRequest<Bytes>, origin: &str) -> Result<SendRequest<Bytes>, h2::Error> {
    let mut sender = sender.ready().await?;
    let uri = format!("{origin}/bookstore.bench.v1.CatalogService/GetBookDetail");
    let request = Request::post(uri)
        .version(Version::HTTP_2)
        .header("content-type", "application/grpc")
        .header("user-agent", crate::load::AGENT)
        .header("te", "trailers")
        .body(())
        .expect("the address and these headers make a request");
    let (answer, mut body) = sender.send_request(request, false)?;
    body.send_data(Bytes::from_static(CALL), true)?;
    let mut incoming = answer.await?.into_body();
    while let Some(piece) = incoming.data().await {
        let length = piece?.len();
        incoming.flow_control().release_capacity(length)?;
    }
    incoming.trailers().await?;
    Ok(sender)
}

/// What a client sends before its first frame (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const FRAME_HEAD_BYTES: usize = 9;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;

/// Bytes of HEADERS and CONTINUATION frames by their stream, frame heads included.
fn by_stream(mut bytes: &[u8]) -> BTreeMap<u32, usize> {
    let mut sizes = BTreeMap::new();
    while let Some((head, rest)) = bytes.split_at_checked(FRAME_HEAD_BYTES) {
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]) as usize;
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        if [HEADERS, CONTINUATION].contains(&head[3]) {
            *sizes.entry(stream).or_default() += FRAME_HEAD_BYTES + length;
        }
        bytes = rest.get(length..).unwrap_or_default();
    }
    sizes
}

/// What passed a socket.
#[derive(Debug, Default)]
struct Log {
    sent: Vec<u8>,
    received: Vec<u8>,
}

/// A socket that keeps a copy of what passes it.
struct Recorded {
    stream: TcpStream,
    log: Arc<Mutex<Log>>,
}

fn locked(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AsyncRead for Recorded {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let new = &buffer.filled()[before..];
        locked(&self.log).received.extend_from_slice(new);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Recorded {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(context, bytes))?;
        locked(&self.log).sent.extend_from_slice(&bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_told_from_other_frames() {
        let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
        let head = [0, 0, 2, HEADERS, 4, 0, 0, 0, 1, 0x82, 0x86];
        let data = [0, 0, 1, 0, 1, 0, 0, 0, 1, 7];
        let trailers = [0, 0, 1, HEADERS, 5, 0, 0, 0, 1, 0x88];
        let next = [0, 0, 1, HEADERS, 4, 0, 0, 0, 3, 0x82];
        let cut = [0, 0, 9];
        let bytes = [&settings[..], &head, &data, &trailers, &next, &cut].concat();
        assert_eq!(by_stream(&bytes), BTreeMap::from([(1, 21), (3, 10)]));
    }
}
