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
use measure::Closing;
use tokio::time::{sleep, timeout};

use super::{failure::status_of, http2::closing, socket::Socket};
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
    pub(super) async fn start(socket: Socket, closing: Closing) -> Result<Self, h2::Error> {
        let (sender, connection) = client::Builder::new()
            .enable_push(false)
            .handshake(socket)
            .await?;
        let driver = Rc::new(Driver {
            connection: RefCell::new(Some(connection)),
            ended: RefCell::default(),
            turns: RefCell::default(),
            responsible: Cell::default(),
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
    connection: RefCell<Option<client::Connection<Socket, Bytes>>>,
    ended: RefCell<Option<Status>>,
    /// The calls that wait; places are used again.
    turns: RefCell<Vec<Option<Waker>>>,
    /// The call that the socket wakes, or that was told to see to that.
    responsible: Cell<Option<usize>>,
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
        self.hand_over(None);
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

    /// Makes another call drive. It is responsible from now on, also if it finds that its own
    /// answer is there already and leaves without driving.
    fn hand_over(&self, leaving: Option<usize>) {
        let turns = self.turns.borrow();
        let mut others = (turns.iter().enumerate())
            .filter(|(place, _)| Some(*place) != leaving)
            .filter_map(|(place, waker)| Some((place, waker.as_ref()?)));
        let next = others.next();
        self.responsible.set(next.map(|(place, _)| place));
        if let Some((_, waker)) = next {
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
            driver.responsible.set(Some(self.place));
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
        if driver.responsible.get() == Some(self.place) {
            driver.hand_over(Some(self.place));
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

#[cfg(test)]
mod tests {
    use std::{
        future::pending,
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::SeqCst},
        },
        task::Wake,
    };

    use super::*;

    #[derive(Default)]
    struct Woken(AtomicUsize);

    impl Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, SeqCst);
        }
    }

    /// A turn that waits for something that does not come.
    fn waiting(driver: &Rc<Driver>) -> (Turn, Arc<Woken>) {
        let turn = driver.turn();
        let woken = Arc::new(Woken::default());
        let waker = Waker::from(Arc::clone(&woken));
        {
            let mut until = pin!(turn.until(pending::<()>()));
            let polled = until.as_mut().poll(&mut Context::from_waker(&waker));
            assert!(polled.is_pending());
        }
        (turn, woken)
    }

    #[test]
    fn somebody_is_always_responsible() {
        let driver = Rc::new(Driver {
            connection: RefCell::default(),
            ended: RefCell::default(),
            turns: RefCell::default(),
            responsible: Cell::default(),
            used: Cell::new(Instant::now()),
        });
        let (first, first_woken) = waiting(&driver);
        let (second, second_woken) = waiting(&driver);
        let (third, third_woken) = waiting(&driver);
        drop(third);
        assert_eq!(
            first_woken.0.load(SeqCst),
            1,
            "the last to drive hands over"
        );
        drop(first);
        assert_eq!(
            second_woken.0.load(SeqCst),
            1,
            "who leaves without driving hands over as well"
        );
        drop(second);
        assert_eq!(third_woken.0.load(SeqCst), 0);
        assert_eq!(driver.responsible.get(), None);
    }
}
