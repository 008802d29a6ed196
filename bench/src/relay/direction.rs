//! One direction of one connection: reads, waits, writes.

use std::{
    cell::{Cell, RefCell},
    io,
    net::Shutdown,
    time::{Duration, Instant},
};

use socket2::SockRef;
use tokio::{net::TcpStream, sync::Notify};

use super::{
    Link,
    alarm::Alarm,
    link::{LARGEST_PIECE_BYTES, Wire},
    queue::DelayQueue,
    report::Tally,
};

/// Which way the data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// From the client to the server.
    Up,
    /// From the server to the client.
    Down,
}

/// How a direction ended when nothing was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// The source said that it was done, and its receiver was told.
    Finished,
    /// The receiver takes no more.
    Refused,
}

/// The source broke; all that it sent before was delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reset;

/// How the source ended, and when its receiver is to hear of it.
#[derive(Clone, Copy, Debug)]
struct End {
    due: Instant,
    reset: bool,
}

/// One direction of one connection.
pub(super) struct Direction<'a> {
    way: Way,
    source: &'a TcpStream,
    sink: &'a TcpStream,
    piece_bytes: usize,
    wire: RefCell<Wire>,
    queue: RefCell<DelayQueue>,
    end: Cell<Option<End>>,
    /// The sink takes no more.
    refused: Cell<bool>,
    /// The sink was slower than the wire, so that lateness is not the relay's.
    behind: Cell<bool>,
    /// Something was queued, or the source ended.
    filled: Notify,
    /// Something was taken out of the queue.
    emptied: Notify,
    alarm: Alarm,
    tally: &'a RefCell<Tally>,
}

impl<'a> Direction<'a> {
    /// A direction that nothing enters before `opened`.
    ///
    /// # Errors
    /// The system gives no timer.
    pub(super) fn new(
        way: Way,
        (source, sink): (&'a TcpStream, &'a TcpStream),
        (link, buffer_bytes): (Link, usize),
        opened: Instant,
        tally: &'a RefCell<Tally>,
    ) -> io::Result<Self> {
        Ok(Self {
            way,
            source,
            sink,
            piece_bytes: link.piece_bytes(),
            wire: RefCell::new(Wire::new(link, opened)),
            queue: RefCell::new(DelayQueue::new(
                link.bytes_in_flight() + buffer_bytes.max(1),
            )),
            end: Cell::new(None),
            refused: Cell::new(false),
            behind: Cell::new(false),
            filled: Notify::new(),
            emptied: Notify::new(),
            alarm: Alarm::new()?,
            tally,
        })
    }

    /// Carries everything from source to sink, and the end behind it.
    ///
    /// # Errors
    /// [`Reset`], when the source broke off.
    pub(super) async fn run(&self) -> Result<Ended, Reset> {
        let ((), ended) = tokio::join!(self.read(), self.write());
        ended
    }

    async fn read(&self) {
        let mut buffer = vec![0; LARGEST_PIECE_BYTES];
        let reset = loop {
            let room = self.room().await;
            let wanted = room.min(buffer.len());
            if self.source.readable().await.is_err() {
                break true;
            }
            match self.source.try_read(&mut buffer[..wanted]) {
                Ok(0) => break false,
                Ok(count) => self.take(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => break true,
            }
        };
        let due = self.wire.borrow_mut().carry(0, Instant::now());
        self.end.set(Some(End { due, reset }));
        self.filled.notify_one();
    }

    /// Waits until something fits into the queue.
    async fn room(&self) -> usize {
        loop {
            let room = self.queue.borrow().room();
            if room > 0 {
                return room;
            }
            self.emptied.notified().await;
        }
    }

    fn take(&self, bytes: &[u8]) {
        if self.refused.get() {
            return;
        }
        let now = Instant::now();
        let mut queue = self.queue.borrow_mut();
        let mut wire = self.wire.borrow_mut();
        for piece in bytes.chunks(self.piece_bytes) {
            queue.push(piece, wire.carry(piece.len(), now));
        }
        let mut tally = self.tally.borrow_mut();
        tally.most_held_bytes = tally.most_held_bytes.max(queue.held());
        self.filled.notify_one();
    }

    async fn write(&self) -> Result<Ended, Reset> {
        loop {
            let next = self.queue.borrow().next_due();
            if let Some(due) = next {
                self.wait_until(due).await;
                if self.deliver(due).await.is_err() {
                    // What is queued and what still comes has no receiver.
                    self.refused.set(true);
                    self.queue.borrow_mut().clear();
                }
                self.emptied.notify_one();
                continue;
            }
            let Some(end) = self.end.get() else {
                self.filled.notified().await;
                continue;
            };
            self.wait_until(end.due).await;
            return match (end.reset, self.refused.get()) {
                (true, _) => Err(Reset),
                (false, true) => Ok(Ended::Refused),
                (false, false) => Ok(self.finish()),
            };
        }
    }

    /// Writes what is due, once the sink takes it.
    async fn deliver(&self, due: Instant) -> io::Result<()> {
        let now = Instant::now();
        let written = loop {
            match self.sink.try_write(self.queue.borrow().due(now)) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                outcome => break outcome?,
            }
            self.behind.set(true);
            self.sink.writable().await?;
        };
        self.queue.borrow_mut().pop(written);
        self.count(written, now.saturating_duration_since(due));
        Ok(())
    }

    fn count(&self, written: usize, late: Duration) {
        let mut tally = self.tally.borrow_mut();
        let bytes = match self.way {
            Way::Up => &mut tally.bytes_up,
            Way::Down => &mut tally.bytes_down,
        };
        *bytes += written as u64;
        if !self.behind.get() {
            tally.lateness.count(late);
        }
    }

    /// Tells the sink that nothing more comes.
    fn finish(&self) -> Ended {
        // A sink that is gone already has nothing to hear.
        match SockRef::from(self.sink).shutdown(Shutdown::Write) {
            Ok(()) => Ended::Finished,
            Err(_) => Ended::Refused,
        }
    }

    async fn wait_until(&self, due: Instant) {
        if Instant::now() >= due {
            return;
        }
        self.behind.set(false);
        if self.alarm.wait_until(due).await.is_err() {
            tokio::time::sleep_until(due.into()).await;
        }
    }
}
