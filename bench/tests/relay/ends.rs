//! How connections begin and end.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    time::Duration,
};

use bookstore_bench::relay::{DEFAULT_BUFFER_BYTES, Relay, RelayError, RelayOptions};
use socket2::{Domain, SockRef, Socket, Type};

use super::pair::{Pair, bytes, link};

#[test]
fn an_end_follows_the_last_byte_and_leaves_the_other_direction_open() {
    let slow = link(20, Some(8e6));
    let mut pair = Pair::over(slow, slow, DEFAULT_BUFFER_BYTES);
    let question = bytes(40_000, 1);
    pair.client.write_all(&question).unwrap();
    pair.client.shutdown(Shutdown::Write).unwrap();
    let mut read = Vec::new();
    pair.server.read_to_end(&mut read).unwrap();
    assert!(read == question);

    let answer = bytes(50_000, 2);
    pair.server.write_all(&answer).unwrap();
    drop(pair.server);
    read.clear();
    pair.client.read_to_end(&mut read).unwrap();
    assert!(read == answer);
}

#[test]
fn a_reset_follows_the_last_byte() {
    let slow = link(20, None);
    let mut pair = Pair::over(slow, slow, DEFAULT_BUFFER_BYTES);
    pair.client.write_all(b"last words").unwrap();
    // The relay has read them when the other end has them.
    let mut words = [0; 10];
    pair.server.read_exact(&mut words).unwrap();
    assert_eq!(&words, b"last words");
    SockRef::from(&pair.client)
        .set_linger(Some(Duration::ZERO))
        .unwrap();
    drop(pair.client);
    let error = pair.server.read(&mut words).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[test]
fn a_server_that_resets_is_felt_by_the_client() {
    let mut pair = Pair::over(link(5, None), link(5, None), DEFAULT_BUFFER_BYTES);
    SockRef::from(&pair.server)
        .set_linger(Some(Duration::ZERO))
        .unwrap();
    drop(pair.server);
    let error = pair.client.read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
}

#[test]
fn a_server_that_is_not_there_is_a_reset() {
    // Bound and not listening, so that nobody else takes the port.
    let nobody = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    nobody
        .bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .unwrap();
    let to = nobody.local_addr().unwrap().as_socket().unwrap();
    let relay = Relay::start(&RelayOptions::new(to, link(1, None))).unwrap();
    let mut client = TcpStream::connect(relay.address()).unwrap();
    let error = client.read(&mut [0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    assert_eq!(relay.stop().unwrap().failed_connections, 1);
}

#[test]
fn a_stopped_relay_cuts_off_its_connections_and_frees_its_port() {
    let mut pair = Pair::over(link(0, None), link(0, None), DEFAULT_BUFFER_BYTES);
    let address = pair.relay.address();
    pair.relay.stop().unwrap();
    assert_eq!(pair.client.read(&mut [0]).unwrap_or(0), 0);
    assert_eq!(pair.server.read(&mut [0]).unwrap_or(0), 0);
    assert!(TcpStream::connect(address).is_err());
}

#[test]
fn a_taken_port_and_a_relay_to_itself_are_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let listen = taken.local_addr().unwrap();
    let mut options = RelayOptions {
        listen,
        ..RelayOptions::new(([127, 0, 0, 1], 1).into(), link(1, None))
    };
    let error = Relay::start(&options).unwrap_err();
    assert!(matches!(error, RelayError::Listen { .. }), "{error}");
    assert!(error.to_string().contains(&listen.to_string()), "{error}");
    options.to = listen;
    let error = Relay::start(&options).unwrap_err();
    assert!(matches!(error, RelayError::ToItself(_)), "{error}");
}
