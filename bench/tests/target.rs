//! The server under test, played by a shell script: good and bad starts, deaths, and the end.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::unix::process::ExitStatusExt,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use bookstore_bench::target::{Target, TargetError, TargetOptions};

const FAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fake/server.sh");
/// Long enough for any machine; a test that waits for it in full has failed.
const LONG: Duration = Duration::from_mins(1);
const SHORT: Duration = Duration::from_millis(300);

const ABOUT: &str = r#"{"version":"0.1.0","git_revision":null,"build_profile":"release",
    "debug_assertions":false,"allocator":"mimalloc","log_level":"warn","worker_threads":2,
    "graphql_document_cache":true}"#;

/// Answers every connection with these bytes, once the request's head has come; the thread ends
/// with the test's process.
fn answering(answer: String) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = BufReader::new(stream.try_clone().unwrap()).lines();
            let request_line = head.next().unwrap().unwrap();
            assert!(
                request_line.starts_with("GET /about HTTP/1."),
                "{request_line}"
            );
            while !head.next().unwrap().unwrap().is_empty() {}
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

fn bookstore() -> SocketAddr {
    answering(format!(
        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{ABOUT}",
        ABOUT.len()
    ))
}

fn options(mode: &str, about: SocketAddr) -> TargetOptions {
    let about = about.port().to_string();
    TargetOptions {
        extra_arguments: ["--fake", mode, "--about", &about].map(Into::into).into(),
        ready_timeout: LONG,
        stop_grace: LONG,
        ..TargetOptions::with_workers(2)
    }
}

fn spawn(options: &TargetOptions) -> Result<Target, TargetError> {
    Target::spawn(Path::new(FAKE), options)
}

fn failure(options: &TargetOptions) -> String {
    spawn(options).unwrap_err().to_string()
}

/// Whether a process is gone, or ended and merely not waited for.
fn has_ended(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.map_or(true, |text| {
        text.rsplit_once(") ").unwrap().1.starts_with('Z')
    })
}

#[test]
fn a_good_server_gives_addresses_facts_and_an_orderly_end() {
    let about = bookstore();
    let target = spawn(&options("lives", about)).unwrap();
    assert_eq!(target.http_address(), about);
    assert_eq!(target.h2c_address().port(), 9);
    assert_eq!(target.facts().worker_threads, 2);
    assert_eq!(target.facts().allocator, "mimalloc");
    assert!(target.is_alive());
    let pid = target.pid().unwrap();
    assert!(!has_ended(pid));

    let exit = target.stop().unwrap().unwrap();
    assert_eq!(exit.status.signal(), Some(libc::SIGTERM));
    assert!(exit.cpu_ns.unwrap() > 0);
    assert!(has_ended(pid));
}

#[test]
fn a_dropped_server_is_gone() {
    let target = spawn(&options("lives", bookstore())).unwrap();
    let pid = target.pid().unwrap();
    drop(target);
    assert!(has_ended(pid));
}

#[test]
fn a_server_that_dies_at_once_is_quoted() {
    let message = failure(&options("dies-at-once", bookstore()));
    assert!(message.contains("died, exit status: 3"), "{message}");
    assert!(
        message.contains("\n  first message\n  cannot read the books\n"),
        "{message}"
    );
}

#[test]
fn a_silent_server_is_given_up() {
    let silent = TargetOptions {
        ready_timeout: SHORT,
        ..options("is-silent", bookstore())
    };
    let message = failure(&silent);
    assert!(
        message.contains("did not say within 0.3 s where it listens"),
        "{message}"
    );
    assert!(message.contains("server.sh serve` by hand"), "{message}");
}

#[test]
fn a_server_that_closes_its_output_is_given_up() {
    let closed = TargetOptions {
        ready_timeout: SHORT,
        ..options("closes-its-output", bookstore())
    };
    assert!(failure(&closed).contains("did not say within 0.3 s"));
}

#[test]
fn garbage_is_quoted() {
    let message = failure(&options("prints-garbage", bookstore()));
    assert!(
        message.contains("printed \"Welcome to another program\""),
        "{message}"
    );
    assert!(message.contains("(HTTP/1.1…` was expected"), "{message}");
}

#[test]
fn a_server_that_ignores_sigterm_is_killed() {
    let stubborn = TargetOptions {
        stop_grace: SHORT,
        ..options("ignores-sigterm", bookstore())
    };
    let exit = spawn(&stubborn).unwrap().stop().unwrap().unwrap();
    assert_eq!(exit.status.signal(), Some(libc::SIGKILL));
}

#[test]
fn a_server_that_dies_later_is_reported_with_signal_and_last_messages() {
    let target = spawn(&options("dies-later", bookstore())).unwrap();
    let pid = target.pid().unwrap();
    assert!(target.check_alive().is_ok());
    assert!(
        Command::new("kill")
            .args(["-KILL", &pid.to_string()])
            .status()
            .unwrap()
            .success()
    );

    let deadline = Instant::now() + LONG;
    while target.is_alive() {
        assert!(Instant::now() < deadline, "the death was not noticed");
        thread::sleep(Duration::from_millis(5));
    }
    let message = target.check_alive().unwrap_err().to_string();
    assert!(
        message.contains(&format!("process {pid}) died, signal: 9 (SIGKILL)")),
        "{message}"
    );
    assert!(message.contains("\n  about to die\n"), "{message}");
    assert!(matches!(target.stop(), Err(TargetError::Died { .. })));
}

#[test]
fn a_missing_executable_is_named() {
    let path = Path::new("/nowhere/bookstore-bench");
    let message = Target::spawn(path, &TargetOptions::with_workers(1))
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("no executable /nowhere/bookstore-bench"),
        "{message}"
    );
}

#[test]
fn a_file_that_is_no_program_is_named() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let message = Target::spawn(&path, &TargetOptions::with_workers(1))
        .unwrap_err()
        .to_string();
    assert!(message.contains("cannot start"), "{message}");
    assert!(message.contains("Permission denied"), "{message}");
}

#[test]
fn a_taken_port_is_named_before_anything_starts() {
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    let fixed = TargetOptions {
        h2c_port: port,
        ..options("lives", bookstore())
    };
    let message = failure(&fixed);
    assert!(
        message.contains(&format!("port {port} is in use")),
        "{message}"
    );
}

#[test]
fn another_program_at_the_address_is_told_from_a_bookstore() {
    let other = answering("HTTP/1.1 404 Not Found\r\n\r\nno such page".to_owned());
    let message = failure(&options("lives", other));
    assert!(
        message.contains("does not describe a Bookstore server (status 404)"),
        "{message}"
    );
}

#[test]
fn a_server_that_listens_and_does_not_answer_is_given_up() {
    // The system accepts the connection into the queue; nobody ever answers.
    let mute = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mute_address = mute.local_addr().unwrap();
    let message = Target::attach(mute_address, mute_address, None, SHORT)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("no complete answer within 0.3 s"),
        "{message}"
    );
}

#[test]
fn a_foreign_server_is_taken_as_it_is_and_left_running() {
    let about = bookstore();
    let target = Target::attach(about, about, Some(4711), LONG).unwrap();
    assert_eq!(target.pid(), Some(4711));
    assert_eq!(target.facts().version, "0.1.0");
    assert!(target.is_alive());
    assert_eq!(target.stop().unwrap(), None);
}

/// Plays two roles: the test, and, started again by it, a wrapper that is killed in mid-run.
#[cfg(target_os = "linux")]
#[test]
fn a_killed_wrapper_takes_its_server_along() {
    const ROLE: &str = "BOOKSTORE_BENCH_TEST_WRAPPER";
    if std::env::var_os(ROLE).is_some() {
        // A thread that ends at once starts the server, and must not take it along.
        let target = thread::spawn(|| spawn(&options("lives", bookstore())).unwrap())
            .join()
            .unwrap();
        thread::sleep(SHORT);
        assert!(target.is_alive());
        println!("\nserver {}", target.pid().unwrap());
        thread::sleep(LONG * 10);
        return;
    }
    let mut wrapper = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "a_killed_wrapper_takes_its_server_along",
            "--nocapture",
        ])
        .env(ROLE, "1")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(wrapper.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let server = lines.find_map(|line| line.strip_prefix("server ").map(str::to_owned));
    wrapper.kill().unwrap();
    wrapper.wait().unwrap();

    let server: u32 = server.unwrap().parse().unwrap();
    let deadline = Instant::now() + LONG;
    while !has_ended(server) {
        assert!(
            Instant::now() < deadline,
            "server {server} outlived its wrapper"
        );
        thread::sleep(Duration::from_millis(5));
    }
}
