//! A proxy in front of the server that keeps every byte that passes.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::seal::{self, Seal};

/// Longer than any answer takes; a test that waits for it in full has failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// What passed over one connection.
pub struct Conversation {
    pub sent: Vec<u8>,
    pub received: Vec<u8>,
}

/// A listening proxy; its threads end with the test's process.
pub struct Recorder {
    pub address: SocketAddr,
    running: Arc<Mutex<Vec<JoinHandle<Conversation>>>>,
}

impl Recorder {
    /// Listens and hands everything on to `server`.
    pub fn before(server: SocketAddr) -> Self {
        Self::listening(move |client| between(client, server))
    }

    /// Listens with TLS, and hands on to `server` what is in it.
    pub fn sealed_before(server: SocketAddr, seal: Seal) -> Self {
        Self::listening(move |client| seal::between(client, server, &seal))
    }

    fn listening(record: impl Fn(TcpStream) -> Conversation + Clone + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let running = Arc::<Mutex<Vec<_>>>::default();
        let accepted = Arc::clone(&running);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, record) = (client.unwrap(), record.clone());
                let connection = thread::spawn(move || record(client));
                accepted.lock().unwrap().push(connection);
            }
        });
        Self { address, running }
    }

    /// The conversations since the last call; whoever had them has closed its connections.
    pub fn take(&self) -> Vec<Conversation> {
        let ended = std::mem::take(&mut *self.running.lock().unwrap());
        let ended = ended.into_iter();
        ended.map(|connection| connection.join().unwrap()).collect()
    }
}

fn between(client: TcpStream, server: SocketAddr) -> Conversation {
    let server = TcpStream::connect(server).unwrap();
    for stream in [&client, &server] {
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
    }
    let (to_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    let sent = thread::spawn(move || copy(client, to_server));
    let received = copy(server, to_client);
    Conversation {
        sent: sent.join().unwrap(),
        received,
    }
}

/// Copies until one side has had enough, and gives what was read.
fn copy(mut from: TcpStream, mut to: TcpStream) -> Vec<u8> {
    let mut seen = Vec::new();
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer) {
        seen.extend_from_slice(&buffer[..count]);
        if to.write_all(&buffer[..count]).is_err() {
            break;
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown(Shutdown::Write);
    seen
}
