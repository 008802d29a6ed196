//! A TCP stream that counts what crosses it.

use std::{
    io::{self, ErrorKind, IoSlice, Read},
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    time::timeout,
};

use crate::{KernelBytes, Traffic};

/// Read calls that a dropped socket spends at most on what was never read.
const DRAIN_READS: usize = 64;

/// A TCP connection whose every byte really read or written is added to a [`Traffic`], with
/// `TCP_NODELAY` on.
///
/// Dropping it hands the socket to its [`Closing`]. When that is gone too, the socket is closed
/// and the kernel's counters are added to the traffic.
#[derive(Debug)]
pub struct CountingStream {
    /// Taken by `drop` alone.
    socket: Option<Socket>,
    slot: Slot,
}

/// Ends a [`CountingStream`] in order after the protocol on top of it has dropped it.
#[derive(Debug)]
pub struct Closing {
    slot: Slot,
}

type Slot = Arc<Mutex<Option<Socket>>>;

impl CountingStream {
    /// Connects to the first of the addresses that answers.
    ///
    /// # Errors
    /// When none answers or the socket cannot be set up.
    pub async fn connect(
        addresses: &[SocketAddr],
        traffic: &Arc<Traffic>,
    ) -> io::Result<(Self, Closing)> {
        Self::new(TcpStream::connect(addresses).await?, traffic)
    }

    /// Counts on a connected stream from now on. The kernel's counters cover its whole life, so
    /// hand over a fresh one.
    ///
    /// # Errors
    /// When `TCP_NODELAY` cannot be set.
    pub fn new(stream: TcpStream, traffic: &Arc<Traffic>) -> io::Result<(Self, Closing)> {
        stream.set_nodelay(true)?;
        traffic.opened();
        let slot = Slot::default();
        let counting = Self {
            socket: Some(Socket {
                stream,
                traffic: Arc::clone(traffic),
                end: None,
            }),
            slot: Arc::clone(&slot),
        };
        Ok((counting, Closing { slot }))
    }

    fn socket(self: Pin<&mut Self>) -> io::Result<&mut Socket> {
        self.get_mut()
            .socket
            .as_mut()
            .ok_or_else(|| ErrorKind::NotConnected.into())
    }
}

impl Drop for CountingStream {
    fn drop(&mut self) {
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = self.socket.take();
    }
}

impl AsyncRead for CountingStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let socket = self.socket()?;
        let (room, before) = (buffer.remaining(), buffer.filled().len());
        let result = ready!(Pin::new(&mut socket.stream).poll_read(cx, buffer));
        let read = result.map(|()| buffer.filled().len() - before);
        Poll::Ready(socket.count_read(read, room).map(drop))
    }
}

impl AsyncWrite for CountingStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let socket = self.socket()?;
        let written = ready!(Pin::new(&mut socket.stream).poll_write(cx, bytes));
        Poll::Ready(socket.count_written(written))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let socket = self.socket()?;
        let written = ready!(Pin::new(&mut socket.stream).poll_write_vectored(cx, slices));
        Poll::Ready(socket.count_written(written))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket()?.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket()?.stream).poll_shutdown(cx)
    }
}

impl Closing {
    /// Shuts our direction down and reads until the peer has closed its own, so that the counts
    /// have every byte from SYN to FIN. Gives up on a peer that does not close within `limit`.
    ///
    /// Drop the [`CountingStream`] first; while it lives, this does nothing.
    pub async fn close(self, limit: Duration) {
        let socket = self
            .slot
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(mut socket) = socket {
            // Too late or failed: the drop of the socket counts what there is.
            let _ = timeout(limit, socket.finish()).await;
        }
    }
}

/// How the peer's direction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Its FIN was read.
    Fin,
    /// An error came first; what reads as the end after it is none.
    Broken,
}

#[derive(Debug)]
struct Socket {
    stream: TcpStream,
    traffic: Arc<Traffic>,
    end: Option<End>,
}

impl Socket {
    #[inline]
    fn count_read(&mut self, result: io::Result<usize>, room: usize) -> io::Result<usize> {
        match result {
            Ok(0) if room > 0 => self.end = self.end.or(Some(End::Fin)),
            Ok(read) => self.traffic.received(read),
            Err(ref error) => self.note(error),
        }
        result
    }

    #[inline]
    fn count_written(&mut self, result: io::Result<usize>) -> io::Result<usize> {
        match result {
            Ok(written) => self.traffic.sent(written),
            Err(ref error) => self.note(error),
        }
        result
    }

    fn note(&mut self, error: &io::Error) {
        if !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) {
            self.end = self.end.or(Some(End::Broken));
        }
    }

    async fn finish(&mut self) -> io::Result<()> {
        self.stream.shutdown().await?;
        let mut buffer = [0; 4096];
        while self.end.is_none() {
            let result = self.stream.read(&mut buffer).await;
            self.count_read(result, buffer.len())?;
        }
        Ok(())
    }

    /// Reads what has arrived and nobody asked for: the kernel has counted it already.
    fn drain(&mut self) {
        let mut buffer = [0; 4096];
        for _ in 0..DRAIN_READS {
            let result = (&*SockRef::from(&self.stream)).read(&mut buffer);
            if !matches!(self.count_read(result, buffer.len()), Ok(1..)) {
                break;
            }
        }
    }

    #[cfg(target_os = "linux")]
    fn kernel_bytes(&self) -> Option<KernelBytes> {
        use std::os::fd::AsFd;
        crate::kernel::tcp_bytes(self.stream.as_fd(), self.end == Some(End::Fin))
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "the same call on every system")]
    fn kernel_bytes(&self) -> Option<KernelBytes> {
        None
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.drain();
        self.traffic.closed(self.kernel_bytes());
    }
}
