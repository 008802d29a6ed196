//! What comes out is what went in.

use std::{
    io::{self, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    thread,
    time::Duration,
};

use bookstore_bench::relay::{DEFAULT_BUFFER_BYTES, Relay, RelayOptions};
use socket2::SockRef;

use super::pair::{Pair, bytes, link};

const COUNT: usize = 3_000_000;

/// Writes in pieces of many sizes, then says that it is done.
fn write_all(mut stream: &TcpStream, data: &[u8]) {
    let mut left = data;
    for size in [1, 7, 1_459, 1_460, 1_461, 65_536, 100_001]
        .into_iter()
        .cycle()
    {
        let (piece, rest) = left.split_at(size.min(left.len()));
        stream.write_all(piece).unwrap();
        left = rest;
        if left.is_empty() {
            break;
        }
    }
    stream.shutdown(Shutdown::Write).unwrap();
}

fn read_all(mut stream: &TcpStream) -> Vec<u8> {
    let mut data = Vec::new();
    stream.read_to_end(&mut data).unwrap();
    data
}

#[test]
fn both_directions_at_once_keep_every_byte_in_order() {
    for (up, down) in [
        (link(0, None), link(0, None)),
        (link(3, None), link(1, Some(200e6))),
        (link(2, Some(100e6)), link(0, Some(300e6))),
    ] {
        let pair = Pair::over(up, down, DEFAULT_BUFFER_BYTES);
        let (sent_up, sent_down) = (bytes(COUNT, 1), bytes(COUNT, 2));
        thread::scope(|scope| {
            scope.spawn(|| write_all(&pair.client, &sent_up));
            scope.spawn(|| write_all(&pair.server, &sent_down));
            let at_client = scope.spawn(|| read_all(&pair.client));
            assert!(read_all(&pair.server) == sent_up, "{up:?}");
            assert!(at_client.join().unwrap() == sent_down, "{down:?}");
        });
        let report = pair.relay.stop().unwrap();
        assert_eq!((report.bytes_up, report.bytes_down), (3_000_000, 3_000_000));
        assert_eq!((report.connections, report.failed_connections), (1, 0));
    }
}

#[test]
fn connections_do_not_mix() {
    let echo = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = echo.local_addr().unwrap();
    thread::spawn(move || {
        for stream in echo.incoming() {
            let mut stream = stream.unwrap();
            thread::spawn(move || io::copy(&mut stream.try_clone().unwrap(), &mut stream));
        }
    });
    let options = RelayOptions::new(to, link(2, None));
    let relay = Relay::start(&options).unwrap();
    let address = relay.address();
    thread::scope(|scope| {
        for seed in 0..20 {
            scope.spawn(move || {
                let stream = TcpStream::connect(address).unwrap();
                let sent = bytes(20_000, seed);
                write_all(&stream, &sent);
                assert!(read_all(&stream) == sent, "{seed}");
            });
        }
    });
    assert_eq!(relay.stop().unwrap().connections, 20);
}

/// The receiver takes nothing, so all that the sender gets rid of lies in the sockets' buffers of the
/// system and in the relay: within its bound, however long the sender tries.
#[test]
fn a_receiver_that_does_not_read_holds_up_the_sender() {
    let buffer_bytes = 10_000;
    // 5,000 bytes are on the wire in 50 ms.
    let mut pair = Pair::over(link(50, Some(800e3)), link(0, None), buffer_bytes);
    SockRef::from(&pair.client)
        .set_send_buffer_size(16 << 10)
        .unwrap();
    pair.client
        .set_write_timeout(Some(Duration::from_millis(300)))
        .unwrap();
    let piece = bytes(64 << 10, 3);
    let mut sent = Vec::new();
    while let Ok(count) = pair.client.write(&piece) {
        sent.extend_from_slice(&piece[..count]);
        assert!(sent.len() < 64 << 20, "nothing holds the sender up");
    }
    pair.client.shutdown(Shutdown::Write).unwrap();
    // What the system's own buffers took would need long at this rate.
    let mut start = vec![0; 100_000.min(sent.len())];
    pair.server.read_exact(&mut start).unwrap();
    assert!(start == sent[..start.len()]);
    let report = pair.relay.stop().unwrap();
    assert!(report.most_held_bytes <= 5_000 + buffer_bytes, "{report:?}");
    assert!(report.most_held_bytes > buffer_bytes, "{report:?}");
}
