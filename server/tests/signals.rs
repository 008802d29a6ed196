//! A server process and its signals: this executable starts itself again as the server.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
fn main() {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        unix::serve();
    }
    unix::a_signal_lets_requests_in_flight_finish(libc::SIGTERM);
    unix::a_signal_lets_requests_in_flight_finish(libc::SIGINT);
    unix::a_second_signal_ends_it_at_once();
    unix::a_taken_port_is_an_error();
    unix::running_out_of_descriptors_is_survived();
    unix::each_request_is_one_line_of_the_log();
    unix::requests_about_expenses_have_a_log_of_their_own();
    println!("signals: ok");
}

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod unix {
    use std::{
        env,
        io::{BufRead, BufReader, Read, Write},
        net::TcpStream,
        process::{Child, ChildStdout, Command, Output, Stdio, exit},
        time::{Duration, Instant},
    };

    use bookstore_server::{BuildFacts, ServerConfig};
    use clap::Parser;

    const BODY: &str = r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":1}]}"#;
    /// Far more than any step takes; only a hang is that long.
    const PATIENCE: Duration = Duration::from_mins(1);

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        server: ServerConfig,
    }

    #[expect(clippy::print_stderr, reason = "this is the server's own process")]
    pub fn serve() -> ! {
        let build = BuildFacts {
            version: "0",
            git_revision: None,
            build_profile: "debug",
            allocator: "system",
        };
        let arguments = Arguments::parse_from(env::args().skip(1));
        match bookstore_server::serve(&arguments.server, build) {
            Ok(()) => exit(0),
            Err(error) => {
                eprintln!("{error}");
                exit(1)
            }
        }
    }

    struct Server {
        process: Child,
        stdout: BufReader<ChildStdout>,
        http1: String,
    }

    /// The server, under a shell that first runs `prologue`.
    fn command(prologue: &str, http_port: &str) -> Command {
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(format!("{prologue} exec \"$0\" \"$@\""))
            .arg(env::current_exe().unwrap())
            .args(["serve", "--http-port", http_port, "--h2c-port=0"])
            .args(["--workers=1", "--shutdown-grace=600"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    impl Server {
        fn start() -> Self {
            Self::start_after("")
        }

        fn start_after(prologue: &str) -> Self {
            let mut process = command(prologue, "0").spawn().unwrap();
            let mut stdout = BufReader::new(process.stdout.take().unwrap());
            let mut lines = [String::new(), String::new()];
            for line in &mut lines {
                stdout.read_line(line).unwrap();
            }
            let [http1, h2c] = &lines;
            assert!(h2c.starts_with("listening on http://127.0.0.1:"), "{h2c}");
            assert!(h2c.ends_with(" (h2c: gRPC, gRPC-Web)\n"), "{h2c}");
            let http1 = http1
                .strip_prefix("listening on http://")
                .and_then(|rest| rest.strip_suffix(" (HTTP/1.1: REST, GraphQL, gRPC-Web)\n"))
                .unwrap()
                .to_owned();
            Self {
                process,
                stdout,
                http1,
            }
        }

        fn connect(&self) -> TcpStream {
            let stream = TcpStream::connect(&self.http1).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            stream
        }

        /// A request that is in flight for sure: its handler has asked for the body.
        fn half_a_request(&self) -> TcpStream {
            let mut stream = self.connect();
            write!(
                stream,
                "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                 Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
                BODY.len()
            )
            .unwrap();
            let mut permission = [0; "HTTP/1.1 100 Continue\r\n\r\n".len()];
            stream.read_exact(&mut permission).unwrap();
            stream
        }

        fn assert_serving(&self) {
            self.assert_answers("/api/books/1");
        }

        fn assert_answers(&self, target: &str) {
            let mut stream = self.connect();
            let head = format!("GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).unwrap();
            assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        }

        fn signal(&self, signal: libc::c_int) {
            let id = self.process.id().try_into().unwrap();
            // SAFETY: sends a signal to our own child, which was not waited for yet.
            assert_eq!(unsafe { libc::kill(id, signal) }, 0);
        }

        fn wait_until_nobody_is_let_in(&self) {
            let start = Instant::now();
            while TcpStream::connect(&self.http1).is_ok() {
                assert!(start.elapsed() < PATIENCE, "still accepting");
                std::thread::sleep(Duration::from_millis(5));
            }
        }

        fn end(mut self) -> Output {
            let mut rest = String::new();
            self.stdout.read_to_string(&mut rest).unwrap();
            assert_eq!(rest, "", "more than two lines on standard output");
            self.process.wait_with_output().unwrap()
        }
    }

    pub fn a_signal_lets_requests_in_flight_finish(signal: libc::c_int) {
        let server = Server::start();
        let mut in_flight = server.half_a_request();
        server.signal(signal);
        server.wait_until_nobody_is_let_in();
        in_flight.write_all(BODY.as_bytes()).unwrap();
        let mut reply = String::new();
        in_flight.read_to_string(&mut reply).unwrap();
        assert!(reply.starts_with("HTTP/1.1 201 Created\r\n"), "{reply}");
        let output = server.end();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(output.stderr, b"", "{output:?}");
    }

    pub fn a_second_signal_ends_it_at_once() {
        let server = Server::start();
        let in_flight = server.half_a_request();
        server.signal(libc::SIGTERM);
        server.wait_until_nobody_is_let_in();
        server.signal(libc::SIGINT);
        let output = server.end();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains("second signal"), "{message}");
        drop(in_flight);
    }

    pub fn a_taken_port_is_an_error() {
        let server = Server::start();
        let port = server.http1.rsplit(':').next().unwrap();
        let output = command("", port).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(output.stdout, b"", "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            message.contains(port) && message.contains("--http-port"),
            "{message}"
        );
        server.signal(libc::SIGTERM);
        assert_eq!(server.end().status.code(), Some(0));
    }
    pub fn running_out_of_descriptors_is_survived() {
        let mut server = Server::start_after("ulimit -n 30;");
        let mut log = BufReader::new(server.process.stderr.take().unwrap());
        // More connections than descriptors: the rest waits in the backlog.
        let crowd: Vec<TcpStream> = (0..60).map(|_| server.connect()).collect();
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        assert!(line.contains("cannot accept a connection"), "{line}");
        drop(crowd);
        server.assert_serving();
        server.signal(libc::SIGTERM);
        assert_eq!(server.end().status.code(), Some(0));
    }

    pub fn each_request_is_one_line_of_the_log() {
        let server = Server::start_after("export BOOKSTORE_LOG=info;");
        for _ in 0..3 {
            server.assert_serving();
        }
        server.signal(libc::SIGTERM);
        let log = String::from_utf8(server.end().stderr).unwrap();
        assert_eq!(log.lines().count(), 3, "{log}");
        assert!(
            log.lines().all(|line| line.contains("/api/books/1")),
            "{log}"
        );
    }
    pub fn requests_about_expenses_have_a_log_of_their_own() {
        const REST: &str = "GET /api/v1/expenses?limit=1 200 ";
        const GRAPHQL: &str = "GET /graphql?query=%7BgetUsers%7Bid%7D%7D 200 ";
        for (styles, logged) in [
            ("off", &[][..]),
            ("rest", &[REST]),
            ("all", &[REST, GRAPHQL]),
        ] {
            let server = Server::start_after(&format!(
                "export BOOKSTORE_EXPENSES=memory BOOKSTORE_EXPENSES_TOKENS=off \
                 BOOKSTORE_EXPENSES_REQUEST_LOG={styles};"
            ));
            server.assert_serving();
            server.assert_answers("/api/v1/expenses?limit=1");
            server.assert_answers("/graphql?query=%7BgetUsers%7Bid%7D%7D");
            server.signal(libc::SIGTERM);
            let log = String::from_utf8(server.end().stderr).unwrap();
            assert_eq!(log.lines().count(), logged.len(), "{styles}: {log}");
            for (line, start) in log.lines().zip(logged) {
                assert!(line.starts_with(start), "{styles}: {log}");
            }
        }
    }
}
