//! Clients that connect again and again leave nothing open.

use std::{
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use super::server::{Reply, Server};
use crate::outcome::run;

fn server() -> Server {
    let trailer: &[u8] = b"grpc-status:0";
    Server::start(move |_| Reply {
        status: 200,
        headers: vec![(
            "content-type".to_owned(),
            "application/grpc-web+proto".to_owned(),
        )],
        pieces: vec![
            vec![0, 0, 0, 0, 0],
            [&[0x80, 0, 0, 0, 13], trailer].concat(),
        ],
    })
}

/// Runs the script so that it connects a thousand times.
fn connect_often(server: &Server, mode: &str) {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/grpcweb/sockets.js");
    let arguments = [
        script.to_str().unwrap().to_owned(),
        format!("-eHTTP1={}", server.http1),
        format!("-eH2C={}", server.h2c),
        format!("-eMODE={mode}"),
    ];
    let outcome = run(&arguments, &[]);
    assert_eq!((outcome.exit_code, outcome.stderr.as_str()), (0, ""));
}

/// The open connections once those that end have ended.
fn left_open(server: &Server) -> usize {
    let began = Instant::now();
    loop {
        let (open, ..) = server.connections();
        if open == 0 || began.elapsed() > Duration::from_secs(10) {
            return open;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_thousand_times_connect_invoke_and_close_leave_no_socket_open() {
    let server = server();
    connect_often(&server, "close");
    let (_, most, accepted) = server.connections();
    assert_eq!(accepted, 1000);
    assert!(most <= 2, "{most} at once");
    assert_eq!(left_open(&server), 0);
}

#[test]
fn connecting_again_gives_up_the_former_connection() {
    let server = server();
    connect_often(&server, "again");
    let (_, most, accepted) = server.connections();
    assert_eq!(accepted, 1000);
    assert!(most <= 3, "{most} at once");
    assert_eq!(left_open(&server), 0);
}

#[test]
fn calls_that_follow_each_other_use_one_connection() {
    let server = server();
    connect_often(&server, "once");
    let (_, _, accepted) = server.connections();
    assert_eq!(accepted, 2, "one for each version of HTTP");
    assert_eq!(server.seen().len(), 1000);
    assert_eq!(left_open(&server), 0);
}
