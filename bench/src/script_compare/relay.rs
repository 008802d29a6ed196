//! A TCP relay that keeps what clients send.

use std::{
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// Bytes of one run that are kept at most; more are relayed and counted only.
const MOST_KEPT_BYTES: usize = 256 << 20;
/// How long connections may stay open after their client has ended.
const PATIENCE: Duration = Duration::from_secs(10);

/// Listens on a port of its own and passes everything on to a server; ends when dropped.
#[derive(Debug)]
pub(super) struct Relay {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// What went through a relay in one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recording {
    /// Connections in the order in which they were opened.
    pub(super) connections: Vec<Connection>,
    /// Whether there was more than is kept.
    pub(super) is_cut: bool,
}

/// What went over one connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Connection {
    /// What the client sent.
    pub(super) sent: Vec<u8>,
    /// Bytes that the client sent.
    pub(super) sent_bytes: u64,
    /// Bytes that the server answered with while the client was there.
    pub(super) received_bytes: u64,
    /// The client's address.
    peer: Option<SocketAddr>,
    has_ended: bool,
}

#[derive(Debug)]
struct Shared {
    server: SocketAddr,
    closed: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    connections: Vec<Arc<Mutex<Connection>>>,
    kept_bytes: usize,
    is_cut: bool,
}

impl Relay {
    /// A relay to `server` on a port of the system's choice.
    ///
    /// # Errors
    /// The system gives no port or no thread.
    pub(super) fn open(server: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            server,
            closed: AtomicBool::new(false),
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let accepting = Arc::clone(&shared);
        in_background(move || accept(&listener, &accepting))?;
        Ok(Self { address, shared })
    }

    /// Where clients connect to.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// What went through since the last call. To be called when the client has ended: waits until
    /// its connections have ended too.
    ///
    /// # Errors
    /// The relay does not listen any more.
    pub(super) fn take(&self) -> io::Result<Recording> {
        // Connections are accepted in order: when this one is there, all of the client's are.
        let last = TcpStream::connect(self.address)?;
        let marker = last.local_addr()?;
        drop(last);
        let waits = |state: &mut State| {
            let mut all_accepted = false;
            let mut open = false;
            for connection in &state.connections {
                let connection = lock(connection);
                all_accepted |= connection.peer == Some(marker);
                open |= !connection.has_ended;
            }
            open || !all_accepted
        };
        let state = lock(&self.shared.state);
        let waited = (self.shared.changed).wait_timeout_while(state, PATIENCE, waits);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let taken = std::mem::take(&mut *state);
        let connections = taken.connections.iter();
        let connections = connections.map(|connection| std::mem::take(&mut *lock(connection)));
        Ok(Recording {
            connections: connections
                .filter(|connection| connection.sent_bytes > 0)
                .collect(),
            is_cut: taken.is_cut,
        })
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(self.address);
    }
}

impl Shared {
    fn add(&self, peer: SocketAddr) -> Arc<Mutex<Connection>> {
        let connection = Arc::new(Mutex::new(Connection {
            peer: Some(peer),
            ..Connection::default()
        }));
        lock(&self.state).connections.push(Arc::clone(&connection));
        connection
    }

    fn keep(&self, connection: &Mutex<Connection>, bytes: &[u8]) {
        let mut state = lock(&self.state);
        let fits = state.kept_bytes + bytes.len() <= MOST_KEPT_BYTES && !state.is_cut;
        let mut connection = lock(connection);
        connection.sent_bytes += bytes.len() as u64;
        if fits {
            state.kept_bytes += bytes.len();
            connection.sent.extend_from_slice(bytes);
        } else {
            state.is_cut = true;
        }
    }

    fn end(&self, connection: &Mutex<Connection>) {
        let _state = lock(&self.state);
        lock(connection).has_ended = true;
        self.changed.notify_all();
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for client in listener.incoming() {
        if shared.closed.load(Ordering::Relaxed) {
            return;
        }
        let Some((client, peer)) = client.ok().and_then(|client| {
            let peer = client.peer_addr().ok()?;
            Some((client, peer))
        }) else {
            // Out of file descriptors, or a client that has gone: the next may do better.
            thread::sleep(Duration::from_millis(1));
            continue;
        };
        let connection = shared.add(peer);
        let (serving, served) = (Arc::clone(shared), Arc::clone(&connection));
        let started = in_background(move || {
            // A broken connection ends here as it would without the relay.
            let _ = pass_on(&client, &serving, &served);
            serving.end(&served);
        });
        if started.is_err() {
            shared.end(&connection);
        }
    }
}

fn pass_on(
    client: &TcpStream,
    shared: &Shared,
    connection: &Arc<Mutex<Connection>>,
) -> io::Result<()> {
    let server = TcpStream::connect(shared.server)?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (answers, answered, counted) = (
        server.try_clone()?,
        client.try_clone()?,
        Arc::clone(connection),
    );
    in_background(move || {
        let _ = copy(&answers, &answered, |bytes| {
            let mut connection = lock(&counted);
            if !connection.has_ended {
                connection.received_bytes += bytes.len() as u64;
            }
        });
        let _ = answered.shutdown(Shutdown::Write);
    })?;
    let outcome = copy(client, &server, |bytes| shared.keep(connection, bytes));
    let _ = server.shutdown(Shutdown::Write);
    outcome
}

/// Passes bytes on to the end of the stream; `see` is told before the receiver gets them.
fn copy(mut from: &TcpStream, mut to: &TcpStream, mut see: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 16 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                see(&buffer[..count]);
                to.write_all(&buffer[..count])?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn in_background(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name("relay".to_owned())
        .spawn(work)
        .map(drop)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// A server that answers each connection with what it was sent, twice.
    fn doubling() -> SocketAddr {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for mut stream in listener.incoming().take(3).map(Result::unwrap) {
                let mut bytes = Vec::new();
                stream.read_to_end(&mut bytes).unwrap();
                stream.write_all(&bytes.repeat(2)).unwrap();
            }
        });
        address
    }

    fn ask(relay: &Relay, text: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(relay.address()).unwrap();
        stream.write_all(text).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }

    #[test]
    fn everything_is_passed_on_and_kept_run_by_run() {
        let relay = Relay::open(doubling()).unwrap();
        assert_eq!(ask(&relay, b"one"), b"oneone");
        assert_eq!(ask(&relay, b"two"), b"twotwo");
        let first = relay.take().unwrap();
        let sent: Vec<&[u8]> = first.connections.iter().map(|one| &one.sent[..]).collect();
        assert_eq!(sent, [b"one", b"two"]);
        assert_eq!(first.connections[0].sent_bytes, 3);
        assert!(!first.is_cut);
        assert_eq!(relay.take().unwrap().connections, []);
    }
}
