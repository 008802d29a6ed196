//! A proxy in front of the server that keeps every byte that passes.

use std::{
    io::{Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::Duration,
};

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
    running: Arc<Mutex<Vec<Running>>>,
}

/// A connection whose bytes are being copied.
struct Running {
    sent: JoinHandle<Vec<u8>>,
    received: JoinHandle<Vec<u8>>,
}

impl Recorder {
    /// Listens and hands everything on to `server`.
    pub fn before(server: SocketAddr) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let running = Arc::<Mutex<Vec<Running>>>::default();
        let accepted = Arc::clone(&running);
        thread::spawn(move || {
            for client in listener.incoming() {
                let connection = Running::between(client.unwrap(), server);
                accepted.lock().unwrap().push(connection);
            }
        });
        Self { address, running }
    }

    /// The conversations since the last call; whoever had them has closed its connections.
    pub fn take(&self) -> Vec<Conversation> {
        let ended = std::mem::take(&mut *self.running.lock().unwrap());
        ended
            .into_iter()
            .map(|connection| Conversation {
                sent: connection.sent.join().unwrap(),
                received: connection.received.join().unwrap(),
            })
            .collect()
    }
}

impl Running {
    fn between(client: TcpStream, server: SocketAddr) -> Self {
        let server = TcpStream::connect(server).unwrap();
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
        }
        let (to_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        Self {
            sent: thread::spawn(move || copy(client, to_server)),
            received: thread::spawn(move || copy(server, to_client)),
        }
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
