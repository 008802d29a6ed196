//! A connection that moves only while its virtual user waits.

use std::{
    future::{Future, poll_fn},
    pin::{Pin, pin},
    task::Poll,
};

/// Drives a protocol's connection future inside the virtual user's own task. A task for each
/// connection would cost a wake-up and a switch for every answer.
#[derive(Debug)]
pub(super) struct Driver<C> {
    connection: C,
    ended: bool,
}

/// The connection ended before the awaited future did.
#[derive(Debug)]
pub(super) struct Ended<E> {
    /// `None` when it was closed in order.
    pub error: Option<E>,
}

impl<C, E> Driver<C>
where
    C: Future<Output = Result<(), E>> + Unpin,
{
    pub(super) fn new(connection: C) -> Self {
        Self {
            connection,
            ended: false,
        }
    }

    /// Waits for a future that waits for this connection.
    pub(super) async fn until<F: Future>(&mut self, future: F) -> Result<F::Output, Ended<E>> {
        let mut future = pin!(future);
        poll_fn(|cx| {
            if let Poll::Ready(output) = future.as_mut().poll(cx) {
                return Poll::Ready(Ok(output));
            }
            let mut error = None;
            if !self.ended
                && let Poll::Ready(result) = Pin::new(&mut self.connection).poll(cx)
            {
                self.ended = true;
                error = result.err();
            }
            match future.as_mut().poll(cx) {
                Poll::Ready(output) => Poll::Ready(Ok(output)),
                Poll::Pending if self.ended => Poll::Ready(Err(Ended { error })),
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }

    /// Waits until the connection has ended.
    pub(super) async fn finish(mut self) {
        if !self.ended {
            // How it ended does not matter any more: every answer is in.
            let _ = Pin::new(&mut self.connection).await;
        }
    }
}
