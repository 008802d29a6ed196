//! Both ports in TLS: who is trusted, what is agreed on, bad handshakes, and the end.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{io, net::SocketAddr, path::Path, sync::Arc};

use bookstore_server::{Addresses, BuildFacts, ServeError, Server, ServerConfig, TlsError};
use clap::Parser;
use http::{Request, Version};
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::{
    ClientConfig, ProtocolVersion, RootCertStore,
    crypto::ring,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
    task::JoinHandle,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

const BUILD: BuildFacts = BuildFacts {
    version: "0",
    git_revision: None,
    build_profile: "debug",
    allocator: "system",
};
const GET: &[u8] = b"GET /api/books/1/stock HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    server: ServerConfig,
}

fn config(arguments: &[&str]) -> ServerConfig {
    let free_ports = ["serve", "--http-port=0", "--h2c-port=0", "--workers=1"];
    Command::try_parse_from([&free_ports, arguments].concat())
        .unwrap()
        .server
}

/// A server that made its own certificate, and what clients need to trust it.
struct Running {
    addresses: Addresses,
    folder: TempDir,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

impl Running {
    async fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let trust = format!("--tls-trust={}", trusted(folder.path()).display());
        let arguments = [&["--tls=on", &trust], arguments].concat();
        let server = Server::bind(&config(&arguments), BUILD).await.unwrap();
        assert!(server.is_encrypted());
        let (stop, stopped) = oneshot::channel();
        Self {
            addresses: server.addresses(),
            folder,
            stop,
            server: tokio::spawn(server.run(async {
                stopped.await.unwrap();
            })),
        }
    }

    async fn connect(&self, address: SocketAddr, protocol: &str) -> io::Result<Tls> {
        connect(&trusted(self.folder.path()), address, protocol, "localhost").await
    }

    /// Fails unless a fresh connection is answered.
    async fn assert_serving(&self) {
        let mut stream = self
            .connect(self.addresses.http1, "http/1.1")
            .await
            .unwrap();
        stream.write_all(GET).await.unwrap();
        read_until(&mut stream, "}").await;
    }

    fn stop(self) -> JoinHandle<()> {
        self.stop.send(()).unwrap();
        self.server
    }
}

type Tls = TlsStream<TcpStream>;

fn trusted(folder: &Path) -> std::path::PathBuf {
    folder.join("trusted.pem")
}

/// Connects as a client that trusts one certificate alone.
async fn connect(
    trust: &Path,
    address: SocketAddr,
    protocol: &str,
    name: &'static str,
) -> io::Result<Tls> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(trust).unwrap())
        .unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.as_bytes().to_vec()];
    let stream = TcpStream::connect(address).await.unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(ServerName::try_from(name).unwrap(), stream)
        .await
}

/// Reads until what was read contains `end`.
async fn read_until(stream: &mut Tls, end: &str) -> String {
    let mut text = String::new();
    while !text.contains(end) {
        let mut piece = [0; 4_096];
        let length = stream.read(&mut piece).await.unwrap();
        assert!(length > 0, "closed after {text:?}");
        text.push_str(std::str::from_utf8(&piece[..length]).unwrap());
    }
    text
}

#[tokio::test]
async fn both_ports_answer_in_tls_what_they_answer_without() {
    let server = Running::start(&[]).await;
    let mut http1 = server
        .connect(server.addresses.http1, "http/1.1")
        .await
        .unwrap();
    let (_, session) = http1.get_ref();
    assert_eq!(session.protocol_version(), Some(ProtocolVersion::TLSv1_3));
    assert_eq!(session.alpn_protocol(), Some(&b"http/1.1"[..]));
    for _ in 0..3 {
        http1.write_all(GET).await.unwrap();
        let reply = read_until(&mut http1, "}").await;
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
    }

    let http2 = server.connect(server.addresses.h2c, "h2").await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(http2))
            .await
            .unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::post("https://localhost/no.such.Service/Method")
        .header("content-type", "application/grpc")
        .body(Empty::<bytes::Bytes>::new())
        .unwrap();
    let answer = sender.send_request(request).await.unwrap();
    assert_eq!(answer.version(), Version::HTTP_2);
    assert_eq!(answer.headers()["grpc-status"], "12");
    answer.into_body().collect().await.unwrap();
    drop(sender);
    connection.await.unwrap().unwrap();
    drop(http1);
    server.stop().await.unwrap();
}

#[tokio::test]
async fn every_start_has_a_certificate_of_its_own_for_this_machine_alone() {
    let (server, other) = (Running::start(&[]).await, Running::start(&[]).await);
    let address = server.addresses.http1;
    let trust = |running: &Running| trusted(running.folder.path());
    for name in ["localhost", "127.0.0.1", "::1"] {
        assert!(
            connect(&trust(&server), address, "http/1.1", name)
                .await
                .is_ok()
        );
    }
    let stranger = connect(&trust(&server), address, "http/1.1", "example.org").await;
    assert!(
        stranger
            .unwrap_err()
            .to_string()
            .contains("not valid for name")
    );
    let distrusted = connect(&trust(&other), address, "http/1.1", "localhost").await;
    assert!(
        distrusted
            .unwrap_err()
            .to_string()
            .contains("invalid peer certificate")
    );
    server.assert_serving().await;
    server.stop().await.unwrap();
    other.stop().await.unwrap();
}

#[tokio::test]
async fn a_port_agrees_to_its_own_protocol_alone() {
    let server = Running::start(&[]).await;
    for (address, protocol) in [
        (server.addresses.http1, "h2"),
        (server.addresses.h2c, "http/1.1"),
    ] {
        let refused = server.connect(address, protocol).await.unwrap_err();
        assert!(
            refused.to_string().contains("NoApplicationProtocol"),
            "{refused}"
        );
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn what_is_no_handshake_ends_its_connection_and_no_other() {
    let server = Running::start(&[]).await;
    for address in [server.addresses.http1, server.addresses.h2c] {
        for nonsense in [GET, &[0x16, 3, 1, 0xff, 0xff], &[0; 64]] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(nonsense).await.unwrap();
            stream.shutdown().await.unwrap();
            let mut reply = Vec::new();
            // Whether it ends orderly or by a reset.
            let _ = stream.read_to_end(&mut reply).await;
            assert!(!reply.starts_with(b"HTTP"), "{reply:?}");
        }
        drop(TcpStream::connect(address).await.unwrap());
    }
    server.assert_serving().await;
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_request_in_flight_is_finished_after_the_stop_and_a_handshake_is_not_waited_for() {
    let server = Running::start(&["--shutdown-grace=600"]).await;
    let body = r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":1}]}"#;
    let mut silent = Vec::new();
    for address in [server.addresses.http1, server.addresses.h2c] {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    let mut in_flight = server
        .connect(server.addresses.http1, "http/1.1")
        .await
        .unwrap();
    let idle = server.connect(server.addresses.h2c, "h2").await.unwrap();
    let head = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        body.len()
    );
    in_flight.write_all(head.as_bytes()).await.unwrap();
    // The handler runs: then the request is in flight for sure.
    read_until(&mut in_flight, "HTTP/1.1 100 Continue\r\n\r\n").await;
    let stopping = server.stop();
    for stream in &mut silent {
        assert_eq!(stream.read(&mut [0; 16]).await.unwrap(), 0);
    }
    assert!(!stopping.is_finished());
    in_flight.write_all(body.as_bytes()).await.unwrap();
    let mut reply = String::new();
    // Not an error: TLS says its farewell.
    in_flight.read_to_string(&mut reply).await.unwrap();
    assert!(reply.starts_with("HTTP/1.1 201 Created\r\n"), "{reply}");
    drop(idle);
    stopping.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_shake_hands_is_left() {
    let server = Running::start(&[]).await;
    for address in [server.addresses.http1, server.addresses.h2c] {
        let mut silent = TcpStream::connect(address).await.unwrap();
        // The first bytes of a handshake, and no more.
        silent.write_all(&[0x16, 3, 1]).await.unwrap();
        assert_eq!(silent.read(&mut [0; 16]).await.unwrap(), 0);
    }
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_certificate_that_is_given_is_the_one_that_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let made = rcgen::generate_simple_self_signed(vec!["books.example".to_owned()]).unwrap();
    std::fs::write(path("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(path("key.pem"), made.signing_key.serialize_pem()).unwrap();
    let flags = |cert: &str, key: &str| {
        [
            "--tls=on".to_owned(),
            format!("--tls-cert={}", path(cert).display()),
            format!("--tls-key={}", path(key).display()),
        ]
    };
    let bind = async |cert: &str, key: &str| {
        let flags = flags(cert, key);
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        Server::bind(&config(&flags), BUILD).await
    };
    let server = bind("cert.pem", "key.pem").await.unwrap();
    let address = server.addresses().http1;
    let running = tokio::spawn(server.run(std::future::pending()));
    let stream = connect(&path("cert.pem"), address, "http/1.1", "books.example").await;
    assert!(stream.is_ok(), "{stream:?}");
    running.abort();

    std::fs::write(
        path("other.pem"),
        rcgen::KeyPair::generate().unwrap().serialize_pem(),
    )
    .unwrap();
    std::fs::write(path("empty.pem"), "").unwrap();
    for (cert, key, named) in [
        ("cert.pem", "other.pem", "--tls-key"),
        ("cert.pem", "missing.pem", "missing.pem"),
        ("cert.pem", "cert.pem", "cert.pem"),
        ("empty.pem", "key.pem", "empty.pem"),
        ("missing.pem", "key.pem", "--tls-cert"),
    ] {
        let error = bind(cert, key).await.unwrap_err().to_string();
        assert!(error.contains(named), "{cert} {key}: {error}");
    }
}

#[tokio::test]
async fn flags_that_do_not_go_together_are_named() {
    for (flags, named) in [
        (&["--tls-trust=x.pem"][..], "--tls on"),
        (&["--tls-cert=x.pem", "--tls-key=x.pem"], "--tls on"),
        (&["--tls=on", "--grpc-web-hop=on"], "--grpc-web-hop"),
        (&["--tls=on", "--relayed-work=on"], "--relayed-work"),
        (
            &["--tls=on", "--graphql-upstream=own"],
            "--graphql-upstream",
        ),
        (
            &["--tls=on", "--tls-trust=/no/such/folder/x.pem"],
            "/no/such/folder/x.pem",
        ),
    ] {
        let error = Server::bind(&config(flags), BUILD).await.unwrap_err();
        assert!(error.to_string().contains(named), "{flags:?}: {error}");
        let is_usage = !matches!(error, ServeError::Tls(TlsError::Write { .. }));
        assert_eq!(error.is_usage(), is_usage, "{error}");
    }
    for flags in [
        &["serve", "--tls-cert=x.pem"][..],
        &["serve", "--tls-key=x.pem"],
        &[
            "serve",
            "--tls-cert=x.pem",
            "--tls-key=x.pem",
            "--tls-trust=y.pem",
        ],
        &["serve", "--tls=maybe"],
    ] {
        assert!(Command::try_parse_from(flags).is_err(), "{flags:?}");
    }
}
