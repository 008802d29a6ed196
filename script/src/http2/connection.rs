//! A connection that its exchanges drive.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    io,
    pin::{Pin, pin},
    rc::Rc,
    task::{Context, Poll, ready},
    time::Instant,
};

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

use super::{
    error::{Failure, Reason},
    exchange::Exchange,
    hpack::Field,
    state::{Room, State},
};

/// Bytes to read at once. A read that fills less tells the system that there is no more, so this
/// should hold a usual answer and a little more.
const READ_BYTES: usize = 8 << 10;
/// Memory for what is written that is kept.
const KEPT_BYTES: usize = 64 << 10;
/// Reads after which others on this thread get a turn.
const MOST_READS: usize = 32;

/// An HTTP/2 connection. It moves only while one of its exchanges waits: a task of its own would cost a
/// wake-up and a switch for every answer.
#[derive(Debug)]
pub(crate) struct Connection<S> {
    /// Absent when the connection has ended.
    socket: RefCell<Option<Socket<S>>>,
    state: RefCell<State>,
    ended: RefCell<Option<Failure>>,
    /// The stream whose waiter the socket wakes, or who was told to see to that; 0 for one that waits to
    /// open a stream.
    responsible: Cell<Option<u32>>,
    used: Cell<Instant>,
}

#[derive(Debug)]
struct Socket<S> {
    stream: S,
    incoming: BytesMut,
    /// How much of what is to be written was written.
    written: usize,
    needs_flush: bool,
    /// Why nothing more can be written. What can still be read may say it better.
    write_failure: Option<Failure>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// Begins the protocol on a connected stream; the first drive writes.
    pub(crate) fn new(stream: S) -> Rc<Self> {
        Rc::new(Self {
            socket: RefCell::new(Some(Socket {
                stream,
                incoming: BytesMut::new(),
                written: 0,
                needs_flush: false,
                write_failure: None,
            })),
            state: RefCell::default(),
            ended: RefCell::default(),
            responsible: Cell::default(),
            used: Cell::new(Instant::now()),
        })
    }

    /// Opens a stream with the head of a request. Waits when the server takes no more at once.
    ///
    /// # Errors
    /// When this connection takes no requests any more; nothing was sent then.
    pub(crate) async fn begin(
        self: &Rc<Self>,
        now: Instant,
        fields: &[Field<'_>],
    ) -> Result<Exchange<S>, Failure> {
        self.used.set(now);
        let waiting = WaitsForRoom(self);
        poll_fn(|cx| waiting.poll(cx)).await?;
        let id = self.state.borrow_mut().begin(fields);
        Ok(Exchange::new(Rc::clone(self), id))
    }

    /// Sends what is waiting to be sent, and takes what has come.
    pub(crate) async fn drive_once(&self) {
        poll_fn(|cx| {
            self.drive(cx);
            Poll::Ready(())
        })
        .await;
        self.hand_over();
    }

    /// Tells the server that nothing more comes, and gives the stream back when that is written.
    pub(crate) async fn close(&self) -> Option<S> {
        self.state.borrow_mut().go_away(Reason::NO_ERROR);
        let mut socket = self.end(Failure::Left)?;
        // What cannot be written any more is lost either way.
        poll_fn(|cx| socket.write(&mut self.state.borrow_mut(), cx)).await;
        Some(socket.stream)
    }

    /// What [`Exchange`]s wait for: `take` gives it when it is there.
    pub(super) fn poll<T>(
        &self,
        id: u32,
        cx: &mut Context<'_>,
        take: impl Fn(&mut State) -> Option<T>,
    ) -> Poll<T> {
        let mut state = self.state.borrow_mut();
        if let Some(taken) = take(&mut state) {
            return Poll::Ready(taken);
        }
        // Who looks need not be woken to look.
        let waker = state.stop_waiting(id);
        drop(state);
        self.responsible.set(Some(id));
        self.drive(cx);
        let mut state = self.state.borrow_mut();
        if let Some(taken) = take(&mut state) {
            return Poll::Ready(taken);
        }
        let waker = waker.filter(|waker| waker.will_wake(cx.waker()));
        state.wait_for(id, waker.unwrap_or_else(|| cx.waker().clone()));
        Poll::Pending
    }

    /// Moves what can be moved. Whoever waits for what comes is woken.
    fn drive(&self, cx: &mut Context<'_>) {
        let mut socket = self.socket.borrow_mut();
        let Some(open) = socket.as_mut() else {
            return;
        };
        let Err(failure) = open.drive(&mut self.state.borrow_mut(), cx) else {
            return;
        };
        if let Failure::Violation(reason, _) = failure {
            self.state.borrow_mut().go_away(reason);
            // One try; a server that breaks the rules need not listen.
            let _ = open.write(&mut self.state.borrow_mut(), cx);
        }
        drop(socket);
        drop(self.end(failure));
    }

    fn end(&self, failure: Failure) -> Option<Socket<S>> {
        self.state.borrow_mut().fail(&failure);
        self.ended.borrow_mut().get_or_insert(failure);
        self.socket.take()
    }
}

impl<S> Connection<S> {
    /// Why there are no more exchanges, when that is so.
    pub(crate) fn ended(&self) -> Option<Failure> {
        self.ended.borrow().clone()
    }

    /// Whether requests can be sent, be it later.
    pub(crate) fn takes_requests(&self) -> bool {
        self.ended.borrow().is_none() && self.state.borrow().room() != Room::Never
    }

    /// When the last request began.
    pub(crate) fn used(&self) -> Instant {
        self.used.get()
    }

    /// Whether nobody waits for anything.
    pub(crate) fn is_idle(&self) -> bool {
        self.state.borrow().is_idle()
    }

    pub(super) fn state(&self) -> &RefCell<State> {
        &self.state
    }

    /// Makes somebody else drive, if it was this one's turn. Who is told so is responsible from now on,
    /// also if it finds that its own answer is there already and leaves without driving.
    pub(super) fn leave(&self, id: u32) {
        if self.responsible.get() == Some(id) {
            self.hand_over();
        }
    }

    fn hand_over(&self) {
        let next = self.state.borrow_mut().wake_one();
        self.responsible.set(next);
    }
}

/// Waits until the server takes another stream.
struct WaitsForRoom<'a, S>(&'a Connection<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> WaitsForRoom<'_, S> {
    fn poll(&self, cx: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        if let Poll::Ready(ready) = self.look() {
            return Poll::Ready(ready);
        }
        self.0.responsible.set(Some(0));
        self.0.drive(cx);
        if let Poll::Ready(ready) = self.look() {
            return Poll::Ready(ready);
        }
        self.0.state.borrow_mut().wait_for_room(cx);
        Poll::Pending
    }

    fn look(&self) -> Poll<Result<(), Failure>> {
        if let Some(failure) = self.0.ended() {
            return Poll::Ready(Err(failure));
        }
        match self.0.state.borrow().room() {
            Room::Now => Poll::Ready(Ok(())),
            Room::Later => Poll::Pending,
            Room::Never => Poll::Ready(Err(Failure::GoneAway(Reason::NO_ERROR))),
        }
    }
}

impl<S> Drop for WaitsForRoom<'_, S> {
    fn drop(&mut self) {
        self.0.leave(0);
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Socket<S> {
    fn drive(&mut self, state: &mut State, cx: &mut Context<'_>) -> Result<(), Failure> {
        let wrote = self.write(state, cx);
        for _ in 0..MOST_READS {
            let Poll::Ready(read) = self.read(cx)? else {
                if wrote.is_ready() {
                    // What was read may have to be answered.
                    let _ = self.write(state, cx);
                }
                return Ok(());
            };
            if read == 0 {
                return Err(self.write_failure.take().unwrap_or(Failure::Closed));
            }
            state.receive(&mut self.incoming)?;
        }
        cx.waker().wake_by_ref();
        let _ = self.write(state, cx);
        Ok(())
    }

    fn read(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, Failure>> {
        self.incoming.reserve(READ_BYTES);
        let read = pin!(self.stream.read_buf(&mut self.incoming));
        read.poll(cx).map_err(failed)
    }

    /// Writes all that is to be written. After a failure it is done: a server that takes nothing more may
    /// have said why, or will have in a moment, so that it is for reading to end the connection.
    fn write(&mut self, state: &mut State, cx: &mut Context<'_>) -> Poll<()> {
        if self.write_failure.is_none()
            && let Err(error) = ready!(self.write_out(state, cx))
        {
            self.write_failure = Some(failed(error));
        }
        Poll::Ready(())
    }

    fn write_out(&mut self, state: &mut State, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.written < state.out.len() {
            let rest = &state.out[self.written..];
            match ready!(Pin::new(&mut self.stream).poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                written => self.written += written,
            }
            self.needs_flush = true;
        }
        if self.needs_flush {
            ready!(Pin::new(&mut self.stream).poll_flush(cx))?;
            self.needs_flush = false;
            self.written = 0;
            state.out.clear();
            state.out.shrink_to(KEPT_BYTES);
            state.written();
        }
        Poll::Ready(Ok(()))
    }
}

fn failed(error: io::Error) -> Failure {
    Failure::Io(Rc::new(error))
}
