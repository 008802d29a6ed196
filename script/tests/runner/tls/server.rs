//! HTTPS in the test's own process.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::Incoming,
    server::conn::{http1, http2},
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustls::ServerConfig;
use serde_json::json;
use tokio::{
    io::AsyncReadExt,
    net::{TcpListener, TcpStream},
    runtime,
    sync::oneshot,
    task::{self, LocalSet},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::odd;
use crate::{
    answers::by_path,
    grpc,
    server::{Answer, Question, reply},
};

/// What a server does with a connection.
#[derive(Clone)]
pub enum Manner {
    /// Speaks TLS, and in it what was agreed on.
    Serves(Arc<ServerConfig>),
    /// Speaks HTTP/2, and ends streams and connections as the path says.
    Odd(Arc<ServerConfig>),
    /// Echoes in gRPC.
    Grpc(Arc<ServerConfig>),
    /// Says nothing at all.
    Hangs,
    /// Reads the first bytes and goes.
    Breaks,
    /// Goes without reading, which is a reset.
    Resets,
    /// Answers in HTTP without TLS, whatever comes.
    Plain,
}

/// Ends with the value.
pub struct Server {
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    pub fn start(manner: Manner) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (started, address) = mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            LocalSet::new().block_on(&runtime, async move {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                started.send(listener.local_addr().unwrap()).unwrap();
                tokio::select! {
                    _ = stopped => {}
                    () = accept(listener, manner) => {}
                }
            });
        });
        Self {
            address: address.recv().unwrap(),
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Its URL by a name of this machine.
    pub fn url(&self, host: &str) -> String {
        format!("https://{host}:{}", self.address.port())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}

async fn accept(listener: TcpListener, manner: Manner) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        task::spawn_local(treat(stream, manner.clone()));
    }
}

async fn treat(mut stream: TcpStream, manner: Manner) {
    match manner {
        Manner::Serves(config) => {
            // A client that refuses the certificate is part of some tests.
            if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                serve(stream).await;
            }
        }
        Manner::Odd(config) => {
            if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                odd::serve(stream).await;
            }
        }
        Manner::Grpc(config) => {
            if let Ok(stream) = TlsAcceptor::from(config).accept(stream).await {
                grpc::odd::serve(stream).await;
            }
        }
        Manner::Hangs => {
            let mut rest = Vec::new();
            let _ = stream.read_to_end(&mut rest).await;
        }
        Manner::Breaks => {
            let _ = stream.read(&mut [0; 4096]).await;
        }
        Manner::Resets => {
            // Not `readable()`, which may be told before there is anything to be left unread.
            let _ = stream.peek(&mut [0]).await;
        }
        Manner::Plain => {
            let _ = stream.read(&mut [0; 4096]).await;
            let _ = stream.try_write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
            let _ = stream.read(&mut [0; 4096]).await;
        }
    }
}

/// What a connection tells about itself.
#[derive(Clone)]
struct Connection {
    number: usize,
    has_certificate: bool,
    streams: Arc<AtomicUsize>,
}

async fn serve(stream: TlsStream<TcpStream>) {
    static CONNECTIONS: AtomicUsize = AtomicUsize::new(0);
    let (_, session) = stream.get_ref();
    let is_http2 = session.alpn_protocol() == Some(b"h2");
    let connection = Connection {
        number: CONNECTIONS.fetch_add(1, SeqCst),
        has_certificate: session.peer_certificates().is_some(),
        streams: Arc::default(),
    };
    let service = service_fn(move |request: Request<Incoming>| {
        let connection = connection.clone();
        async move {
            let (parts, body) = request.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            let is_head = parts.method == Method::HEAD;
            let mut answer = answer(Request::from_parts(parts, body), &connection).await;
            if is_head {
                // Over HTTP/2, nobody else leaves it out.
                *answer.body_mut() = Full::default();
            }
            Ok::<_, Infallible>(answer)
        }
    });
    let stream = TokioIo::new(stream);
    // A client that ends in the middle is part of some tests.
    if is_http2 {
        let _ = http2::Builder::new(Local)
            .timer(TokioTimer::new())
            .serve_connection(stream, service)
            .await;
    } else {
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .serve_connection(stream, service)
            .await;
    }
}

async fn answer(question: Question, connection: &Connection) -> Answer {
    let stream = connection.streams.fetch_add(1, SeqCst) + 1;
    match question.uri().path() {
        "/connection" => {
            let told = json!({
                "number": connection.number,
                "request": stream,
                "certificate": connection.has_certificate,
                "version": format!("{:?}", question.version()),
            });
            reply(200, "application/json", told.to_string())
        }
        "/length" => reply(200, "text/plain", question.body().len().to_string()),
        "/late" => {
            tokio::time::sleep(Duration::from_mins(10)).await;
            reply(200, "text/plain", "late")
        }
        _ => by_path(question).await,
    }
}

/// Runs futures beside each other on this thread.
#[derive(Clone, Copy)]
struct Local;

impl<F: Future<Output = ()> + 'static> hyper::rt::Executor<F> for Local {
    fn execute(&self, future: F) {
        task::spawn_local(future);
    }
}
