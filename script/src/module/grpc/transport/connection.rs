//! An HTTP/2 connection that its calls drive.

use std::{
    cell::{Cell, RefCell},
    future::{Future, poll_fn},
    pin::{Pin, pin},
    rc::{Rc, Weak},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use bytes::Bytes;
use h2::client::{self, SendRequest};
use measure::{Closing, CountingStream};
use tokio::time::{sleep, timeout};

use super::{failure::status_of, http2::closing};
use crate::module::grpc::status::Status;

/// How often a connection without calls is looked at, to answer pings and see that it was closed.
const IDLE_LOOK: Duration = Duration::from_secs(5);
/// A connection without calls for so long is looked at before the next.
const STALE: Duration = Duration::from_millis(50);
/// Longest wait for the peer at the end.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// An open connection.
pub(super) struct Connection {
    sender: SendRequest<Bytes>,
    driver: Rc<Driver>,
    closing: Closing,
}

impl Connection {
    /// Begins the protocol on a connected socket.
    pub(super) async fn start(stream: CountingStream, closing: Closing) -> Result<Self, h2::Error> {
        let (sender, connection) = client::Builder::new()
            .enable_push(false)
            .handshake(stream)
            .await?;
        let driver = Rc::new(Driver {
            connection: RefCell::new(Some(connection)),
            ended: RefCell::default(),
            turns: RefCell::default(),
            polled_by: Cell::default(),
            used: Cell::new(Instant::now()),
        });
        tokio::task::spawn_local(look_when_idle(Rc::downgrade(&driver)));
        Ok(Self {
            sender,
            driver,
            closing,
        })
    }

    pub(super) fn driver(&self) -> &Rc<Driver> {
        &self.driver
    }

    pub(super) fn sender(&self) -> SendRequest<Bytes> {
        self.sender.clone()
    }

    /// Ends in order, GOAWAY included.
    pub(super) async fn close(self) {
        self.driver.end(closing());
        let connection = self.driver.connection.take();
        drop(self.sender);
        if let Some(connection) = connection {
            // A server that takes nothing more is left alone.
            let _ = timeout(CLOSE_LIMIT, connection).await;
        }
        self.closing.close(CLOSE_LIMIT).await;
    }
}

/// The connection moves only while one of its calls waits. A task of its own would cost a wake-up
/// and a switch for every answer.
pub(super) struct Driver {
    connection: RefCell<Option<client::Connection<CountingStream, Bytes>>>,
    ended: RefCell<Option<Status>>,
    /// The calls that wait; places are used again.
    turns: RefCell<Vec<Option<Waker>>>,
    /// Whom the socket wakes: the call that drove the connection last.
    polled_by: Cell<Option<usize>>,
    used: Cell<Instant>,
}

impl Driver {
    /// Why no more calls can be made, when that is so. A connection that was not used for a while
    /// is looked at first.
    pub(super) async fn ended(&self) -> Option<Status> {
        if self.used.get().elapsed() > STALE {
            self.drive_once().await;
        }
        self.ended.borrow().clone()
    }

    /// Sends what is waiting to be sent.
    pub(super) async fn drive_once(&self) {
        poll_fn(|cx| {
            self.drive(cx);
            Poll::Ready(())
        })
        .await;
        self.wake_another(None);
    }

    fn drive(&self, cx: &mut Context<'_>) {
        let mut connection = self.connection.borrow_mut();
        let Some(driven) = connection.as_mut() else {
            return;
        };
        if let Poll::Ready(result) = Pin::new(driven).poll(cx) {
            *connection = None;
            drop(connection);
            self.end(match result {
                Ok(()) => Status::unavailable("the server closed the connection"),
                Err(error) => status_of(&error),
            });
        }
    }

    fn end(&self, status: Status) {
        self.ended.borrow_mut().get_or_insert(status);
        let turns: Vec<_> = self.turns.borrow().iter().flatten().cloned().collect();
        turns.iter().for_each(Waker::wake_by_ref);
    }

    /// A place among the calls that drive the connection.
    pub(super) fn turn(self: &Rc<Self>) -> Turn {
        let mut turns = self.turns.borrow_mut();
        let place = turns.iter().position(Option::is_none).unwrap_or_else(|| {
            turns.push(None);
            turns.len() - 1
        });
        turns[place] = Some(Waker::noop().clone());
        drop(turns);
        Turn {
            driver: Rc::clone(self),
            place,
        }
    }

    /// Who drives next when `place` does not any more.
    fn wake_another(&self, place: Option<usize>) {
        let turns = self.turns.borrow();
        let mut others = turns
            .iter()
            .enumerate()
            .filter(|(other, _)| Some(*other) != place);
        if let Some((_, Some(waker))) = others.find(|(_, waker)| waker.is_some()) {
            waker.wake_by_ref();
        }
    }
}

/// One call's part in driving the connection.
pub(super) struct Turn {
    driver: Rc<Driver>,
    place: usize,
}

impl Turn {
    /// Waits for a future that waits for this connection.
    pub(super) async fn until<F: Future>(&self, future: F) -> Result<F::Output, Status> {
        let driver = &self.driver;
        let mut future = pin!(future);
        poll_fn(|cx| {
            if let Poll::Ready(output) = future.as_mut().poll(cx) {
                return Poll::Ready(Ok(output));
            }
            self.remember(cx.waker());
            driver.polled_by.set(Some(self.place));
            driver.drive(cx);
            match future.as_mut().poll(cx) {
                Poll::Ready(output) => Poll::Ready(Ok(output)),
                Poll::Pending => match &*driver.ended.borrow() {
                    Some(status) => Poll::Ready(Err(status.clone())),
                    None => Poll::Pending,
                },
            }
        })
        .await
    }

    fn remember(&self, waker: &Waker) {
        if let Some(Some(known)) = self.driver.turns.borrow_mut().get_mut(self.place) {
            known.clone_from(waker);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let driver = &self.driver;
        if let Some(turn) = driver.turns.borrow_mut().get_mut(self.place) {
            *turn = None;
        }
        driver.used.set(Instant::now());
        if driver.polled_by.get() == Some(self.place) {
            driver.wake_another(Some(self.place));
        }
    }
}

async fn look_when_idle(driver: Weak<Driver>) {
    loop {
        sleep(IDLE_LOOK).await;
        let Some(driver) = driver.upgrade() else {
            return;
        };
        if driver.ended.borrow().is_some() {
            return;
        }
        if driver.turns.borrow().iter().all(Option::is_none) {
            driver.drive_once().await;
        }
    }
}
