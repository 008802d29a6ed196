//! What a [`CountingStream`] counts is what its peer got, and what the kernel counted.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::IoSlice,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use measure::{Closing, CountingStream, KernelBytes, Traffic, TrafficTotals};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

const LIMIT: Duration = Duration::from_secs(20);

async fn pair(traffic: &Arc<Traffic>) -> (CountingStream, Closing, TcpStream) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (ours, peer) = tokio::join!(
        CountingStream::connect(std::slice::from_ref(&address), traffic),
        listener.accept()
    );
    let (stream, closing) = ours.unwrap();
    (stream, closing, peer.unwrap().0)
}

fn assert_counts(totals: TrafficTotals, sent: u64, received: u64) {
    assert_eq!((totals.sent_bytes, totals.received_bytes), (sent, received));
    assert_eq!(
        totals.kernel,
        cfg!(target_os = "linux").then_some(KernelBytes { sent, received })
    );
    assert_eq!(totals.connections, 1);
}

#[tokio::test]
async fn partial_and_vectored_writes_count_what_the_peer_got() {
    let traffic = Arc::default();
    let (mut stream, closing, mut peer) = pair(&traffic).await;
    // Larger than any socket buffer, so that single writes are partial.
    let bulk = vec![b'x'; 8 << 20];
    let (head, tail) = bulk.split_at(3);
    let reader = tokio::spawn(async move {
        let mut got = Vec::new();
        peer.read_to_end(&mut got).await.unwrap();
        got.len() as u64
    });

    let vectored = stream
        .write_vectored(&[IoSlice::new(head), IoSlice::new(tail)])
        .await
        .unwrap();
    assert!(vectored < bulk.len(), "the write was to be partial");
    stream.write_all(&bulk[vectored..]).await.unwrap();
    stream.write_all(b"end").await.unwrap();
    drop(stream);
    closing.close(LIMIT).await;

    let got = reader.await.unwrap();
    assert_eq!(got, bulk.len() as u64 + 3);
    assert_counts(traffic.totals(), got, 0);
}

#[tokio::test]
async fn both_directions_agree_with_the_kernel_after_an_orderly_close() {
    let traffic = Arc::default();
    let (mut stream, closing, mut peer) = pair(&traffic).await;
    stream.write_all(b"question").await.unwrap();
    let mut question = [0; 8];
    peer.read_exact(&mut question).await.unwrap();
    peer.write_all(b"the answer").await.unwrap();
    let mut answer = [0; 10];
    stream.read_exact(&mut answer).await.unwrap();
    drop(stream);
    // What the peer sends last is counted though the protocol is gone.
    peer.write_all(b"goodbye").await.unwrap();
    let peer = tokio::spawn(async move {
        peer.read_to_end(&mut Vec::new()).await.unwrap();
    });
    closing.close(LIMIT).await;
    peer.await.unwrap();
    assert_counts(traffic.totals(), 8, 17);
}

#[tokio::test]
async fn the_peers_fin_is_no_byte_whoever_closes_first() {
    let traffic = Arc::default();
    let (mut stream, closing, mut peer) = pair(&traffic).await;
    peer.write_all(b"bye").await.unwrap();
    drop(peer);
    let mut got = Vec::new();
    stream.read_to_end(&mut got).await.unwrap();
    drop(stream);
    drop(closing);
    assert_counts(traffic.totals(), 0, 3);
}

#[tokio::test]
async fn a_reset_is_not_taken_for_a_fin() {
    let traffic = Arc::default();
    let (mut stream, closing, mut peer) = pair(&traffic).await;
    peer.write_all(b"abc").await.unwrap();
    let mut got = [0; 3];
    stream.read_exact(&mut got).await.unwrap();
    stream.write_all(b"never read").await.unwrap();
    peer.readable().await.unwrap();
    // Closing with unread bytes sends a reset.
    drop(peer);
    let error = stream.read(&mut got).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
    drop(stream);
    closing.close(LIMIT).await;
    assert_counts(traffic.totals(), 10, 3);
}

#[tokio::test]
async fn a_socket_dropped_with_unread_bytes_counts_them() {
    let traffic = Arc::default();
    let (stream, closing, mut peer) = pair(&traffic).await;
    peer.write_all(b"unasked").await.unwrap();
    // The FIN behind the bytes has arrived once the kernel has acknowledged it.
    peer.shutdown().await.unwrap();
    drop(stream);
    closing.close(LIMIT).await;
    assert_counts(traffic.totals(), 0, 7);
}

#[tokio::test]
async fn a_peer_that_never_closes_is_given_up() {
    let traffic = Arc::default();
    let (mut stream, closing, peer) = pair(&traffic).await;
    stream.write_all(b"hello").await.unwrap();
    drop(stream);
    closing.close(Duration::from_millis(20)).await;
    assert_counts(traffic.totals(), 5, 0);
    drop(peer);
}

#[tokio::test]
async fn a_connection_that_fails_is_not_counted() {
    let traffic = Arc::default();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address: SocketAddr = listener.local_addr().unwrap();
    drop(listener);
    assert!(CountingStream::connect(&[address], &traffic).await.is_err());
    assert_eq!(traffic.totals(), TrafficTotals::default());
}
