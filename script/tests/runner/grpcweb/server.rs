//! A server that answers bytes as it is told, over HTTP/1.1 and over HTTP/2, and keeps what it saw.

use std::{
    fmt::Write,
    net::SocketAddr,
    rc::Rc,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    thread,
};

use bytes::Bytes;
use h2::{
    RecvStream,
    server::{self, SendResponse},
};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    runtime,
    sync::oneshot,
    task::LocalSet,
};

/// A request.
#[derive(Clone, Debug)]
pub struct Seen {
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Seen {
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().unwrap())
    }
}

/// An answer, its body in pieces that are sent one by one.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub pieces: Vec<Vec<u8>>,
}

/// Ends with the value.
pub struct Server {
    pub http1: SocketAddr,
    pub h2c: SocketAddr,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Vec<Seen>>,
    open: AtomicUsize,
    most_open: AtomicUsize,
    accepted: AtomicUsize,
}

type Answers = Rc<dyn Fn(&Seen) -> Reply>;

impl Server {
    pub fn start(answers: impl Fn(&Seen) -> Reply + Send + 'static) -> Self {
        let shared = Arc::<Shared>::default();
        let (stop, stopped) = oneshot::channel();
        let (started, addresses) = mpsc::channel();
        let counted = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            let runtime = runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let answers: Answers = Rc::new(answers);
            LocalSet::new().block_on(&runtime, async move {
                let http1 = TcpListener::bind("127.0.0.1:0").await.unwrap();
                let h2c = TcpListener::bind("127.0.0.1:0").await.unwrap();
                let addresses = (http1.local_addr().unwrap(), h2c.local_addr().unwrap());
                started.send(addresses).unwrap();
                tokio::select! {
                    _ = stopped => {}
                    () = accept(http1, false, &answers, &counted) => {}
                    () = accept(h2c, true, &answers, &counted) => {}
                }
            });
        });
        let (http1, h2c) = addresses.recv().unwrap();
        Self {
            http1,
            h2c,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// What came, in its order.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// Connections that are open now, that were at once, and that there ever were.
    pub fn connections(&self) -> (usize, usize, usize) {
        let shared = &self.shared;
        let read = |counter: &AtomicUsize| counter.load(SeqCst);
        (
            read(&shared.open),
            read(&shared.most_open),
            read(&shared.accepted),
        )
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().unwrap().join();
    }
}

async fn accept(listener: TcpListener, is_http2: bool, answers: &Answers, shared: &Arc<Shared>) {
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (answers, shared) = (Rc::clone(answers), Arc::clone(shared));
        tokio::task::spawn_local(async move {
            shared.accepted.fetch_add(1, SeqCst);
            let open = shared.open.fetch_add(1, SeqCst) + 1;
            shared.most_open.fetch_max(open, SeqCst);
            let mut stream = stream;
            // A client that ends in the middle is part of some tests.
            if is_http2 {
                let _ = serve_http2(&mut stream, &answers, &shared).await;
            } else {
                let _ = serve_http1(&mut stream, &answers, &shared).await;
            }
            // Before the socket closes, so that a client that waits for that finds it counted.
            shared.open.fetch_sub(1, SeqCst);
        });
    }
}

async fn serve_http1(
    stream: &mut TcpStream,
    answers: &Answers,
    shared: &Shared,
) -> std::io::Result<()> {
    let mut buffer = Vec::new();
    while let Some(seen) = read_request(stream, &mut buffer).await? {
        let reply = answers(&seen);
        shared.seen.lock().unwrap().push(seen);
        let mut head = format!("HTTP/1.1 {} As Told\r\n", reply.status);
        for (name, value) in &reply.headers {
            write!(head, "{name}: {value}\r\n").unwrap();
        }
        head.push_str("transfer-encoding: chunked\r\n\r\n");
        stream.write_all(head.as_bytes()).await?;
        for piece in reply.pieces.iter().filter(|piece| !piece.is_empty()) {
            let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
            stream.write_all(&chunk).await?;
        }
        stream.write_all(b"0\r\n\r\n").await?;
    }
    Ok(())
}

/// The next request of a connection; none when the client has ended it.
async fn read_request(
    stream: &mut TcpStream,
    buffer: &mut Vec<u8>,
) -> std::io::Result<Option<Seen>> {
    loop {
        let end = buffer.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = end {
            let text = String::from_utf8(buffer[..end].to_vec()).unwrap();
            let (_, lines) = text.split_once("\r\n").unwrap();
            let headers: HeaderMap = (lines.split("\r\n"))
                .map(|line| line.split_once(": ").unwrap())
                .map(|(name, value)| {
                    let name = HeaderName::try_from(name).unwrap();
                    (name, HeaderValue::try_from(value).unwrap())
                })
                .collect();
            let length = headers["content-length"].to_str().unwrap();
            let all = end + 4 + length.parse::<usize>().unwrap();
            if buffer.len() >= all {
                let body = buffer[end + 4..all].to_vec();
                buffer.drain(..all);
                return Ok(Some(Seen { headers, body }));
            }
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

async fn serve_http2(
    stream: &mut TcpStream,
    answers: &Answers,
    shared: &Arc<Shared>,
) -> Result<(), h2::Error> {
    let mut connection = server::handshake(stream).await?;
    while let Some(request) = connection.accept().await {
        let (request, respond) = request?;
        let (answers, shared) = (Rc::clone(answers), Arc::clone(shared));
        tokio::task::spawn_local(async move {
            let _ = answer_http2(request, respond, &answers, &shared).await;
        });
    }
    Ok(())
}

async fn answer_http2(
    request: Request<RecvStream>,
    mut respond: SendResponse<Bytes>,
    answers: &Answers,
    shared: &Shared,
) -> Result<(), h2::Error> {
    let (head, mut incoming) = request.into_parts();
    let mut body = Vec::new();
    while let Some(piece) = incoming.data().await {
        let piece = piece?;
        incoming.flow_control().release_capacity(piece.len())?;
        body.extend_from_slice(&piece);
    }
    let seen = Seen {
        headers: head.headers,
        body,
    };
    let reply = answers(&seen);
    shared.seen.lock().unwrap().push(seen);
    let mut response = Response::builder().status(reply.status);
    for (name, value) in &reply.headers {
        response = response.header(name, value);
    }
    let mut stream = respond.send_response(response.body(()).unwrap(), false)?;
    for piece in reply.pieces {
        stream.send_data(piece.into(), false)?;
    }
    stream.send_data(Bytes::new(), true)
}
