//! Never sooner than asked.

use std::{
    io::{Read as _, Write as _},
    time::{Duration, Instant},
};

use bookstore_bench::relay::DEFAULT_BUFFER_BYTES;

use super::pair::{Pair, link};

const MS: Duration = Duration::from_millis(1);

#[test]
fn the_first_answer_takes_two_round_trips_and_the_next_one() {
    let mut pair = Pair::over(link(15, None), link(5, None), DEFAULT_BUFFER_BYTES);
    let mut byte = [0];
    pair.client.write_all(&[7]).unwrap();
    pair.server.read_exact(&mut byte).unwrap();
    assert!(
        pair.started.elapsed() >= MS * 35,
        "there and back, and there"
    );
    pair.server.write_all(&byte).unwrap();
    pair.client.read_exact(&mut byte).unwrap();
    assert!(pair.started.elapsed() >= MS * 40);

    let start = Instant::now();
    pair.client.write_all(&[8]).unwrap();
    pair.server.read_exact(&mut byte).unwrap();
    assert!(start.elapsed() >= MS * 15);
    let start = Instant::now();
    pair.server.write_all(&byte).unwrap();
    pair.client.read_exact(&mut byte).unwrap();
    assert!(start.elapsed() >= MS * 5);
    assert_eq!(byte, [8]);
}

#[test]
fn a_server_that_speaks_first_is_heard_after_two_round_trips() {
    let mut pair = Pair::over(link(15, None), link(5, None), DEFAULT_BUFFER_BYTES);
    pair.server.write_all(b"!").unwrap();
    pair.client.read_exact(&mut [0]).unwrap();
    assert!(pair.started.elapsed() >= MS * 40);
}

#[test]
fn an_end_is_not_sooner_than_data() {
    let mut pair = Pair::over(link(15, None), link(0, None), DEFAULT_BUFFER_BYTES);
    pair.client.write_all(b"!").unwrap();
    pair.server.read_exact(&mut [0]).unwrap();
    let start = Instant::now();
    drop(pair.client);
    assert_eq!(pair.server.read(&mut [0]).unwrap(), 0);
    assert!(start.elapsed() >= MS * 15);
}

#[test]
fn a_transfer_takes_its_time_on_the_wire_and_the_delay() {
    // 50,000 bytes are 50 ms.
    let mut pair = Pair::over(link(0, None), link(10, Some(8e6)), DEFAULT_BUFFER_BYTES);
    let start = Instant::now();
    pair.server.write_all(&vec![1; 50_000]).unwrap();
    let mut received = vec![0; 50_000];
    pair.client.read_exact(&mut received).unwrap();
    assert!(start.elapsed() >= MS * 60);
    // The other direction is as fast as ever: nothing of it waits for this one.
    pair.client.write_all(&vec![1; 50_000]).unwrap();
    pair.server.read_exact(&mut received).unwrap();
}
