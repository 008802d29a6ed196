//! A relay on a thread of its own.

use std::{
    cell::RefCell,
    io,
    net::SocketAddr,
    rc::Rc,
    thread::{self, JoinHandle},
    time::Duration,
};

use socket2::{Domain, Protocol, Socket, Type};
use tokio::{
    net::TcpListener,
    runtime,
    sync::oneshot,
    task::{LocalSet, spawn_local},
};

use super::{Link, RelayError, RelayReport, connection, priority, report::Tally};

/// What a direction holds beyond what its wire carries, unless told otherwise: 256 KiB.
pub const DEFAULT_BUFFER_BYTES: usize = 256 << 10;
/// Connections that may wait to be accepted.
const BACKLOG: i32 = 1_024;
/// Until the next try after a failure to accept, such as too many open files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(10);

/// Where a relay stands, and the link that it plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelayOptions {
    /// The server.
    pub to: SocketAddr,
    /// Where clients connect; port 0 picks a free one.
    pub listen: SocketAddr,
    /// From clients to the server.
    pub up: Link,
    /// From the server to clients.
    pub down: Link,
    /// What a direction holds beyond what its wire carries in one delay, in bytes; at least 1.
    pub buffer_bytes: usize,
}

impl RelayOptions {
    /// A relay to `to` on a free port of 127.0.0.1 with the same link in both directions, so that a
    /// round trip takes two delays.
    #[must_use]
    pub fn new(to: SocketAddr, link: Link) -> Self {
        Self {
            to,
            listen: ([127, 0, 0, 1], 0).into(),
            up: link,
            down: link,
            buffer_bytes: DEFAULT_BUFFER_BYTES,
        }
    }
}

/// A relay that runs; dropped, it stops and cuts off its connections.
#[derive(Debug)]
pub struct Relay {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<RelayReport>>,
}

impl Relay {
    /// Listens, and relays from now on.
    ///
    /// # Errors
    /// [`RelayError::Listen`], [`RelayError::ToItself`], [`RelayError::Thread`].
    pub fn start(options: &RelayOptions) -> Result<Self, RelayError> {
        if options.to == options.listen {
            return Err(RelayError::ToItself(options.to));
        }
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(RelayError::Thread)?;
        let (listener, address) = {
            let _entered = runtime.enter();
            listen(options.listen).map_err(|source| RelayError::Listen {
                address: options.listen,
                source,
            })?
        };
        let (stop, stopped) = oneshot::channel();
        let options = *options;
        let thread = thread::Builder::new()
            .name("relay".to_owned())
            .spawn(move || {
                let tally = Rc::new(RefCell::new(Tally {
                    goes_first: priority::raise(),
                    ..Tally::default()
                }));
                let local = LocalSet::new();
                local.spawn_local(accept_each(listener, options, Rc::clone(&tally)));
                // The sender's end is a wish to stop as well.
                let _ = local.block_on(&runtime, stopped);
                tally.borrow().report()
            })
            .map_err(RelayError::Thread)?;
        Ok(Self {
            address,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Where clients connect.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops, cuts off what is still connected, and tells what was done.
    ///
    /// # Errors
    /// [`RelayError::Gone`].
    pub fn stop(mut self) -> Result<RelayReport, RelayError> {
        self.end().ok_or(RelayError::Gone)
    }

    fn end(&mut self) -> Option<RelayReport> {
        drop(self.stop.take());
        self.thread.take()?.join().ok()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.end();
    }
}

/// Never shares the port, as the server does not.
fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let domain = Domain::for_address(address);
    let socket = Socket::new(domain, Type::STREAM, Some(Protocol::TCP))?;
    // On Unix this only allows a port whose old connections linger.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.set_nonblocking(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    let listener = TcpListener::from_std(socket.into())?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

async fn accept_each(listener: TcpListener, options: RelayOptions, tally: Rc<RefCell<Tally>>) {
    loop {
        match listener.accept().await {
            Ok((client, _)) => {
                let tally = Rc::clone(&tally);
                spawn_local(async move { connection::relay(client, &options, &tally).await });
            }
            Err(_) => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}
