//! A coroutine with a stack of its own, driven as a future.
//!
//! JavaScript calls native functions and expects their result at once. Such a function [`wait`]s
//! for a future: the whole call stack, JavaScript included, is put aside, and the thread goes on
//! with other virtual users. The future is polled on the thread's own stack, so the stack of a
//! fiber carries nothing but JavaScript and thin native functions.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    future::Future,
    io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::{Pin, pin},
    ptr,
    rc::Rc,
    task::{Context, Poll},
};

use corosensei::{Coroutine, CoroutineResult, Yielder, stack::DefaultStack};

use super::Interrupt;

/// Bytes of a fiber's stack: address space, of which only touched pages cost memory.
const STACK_BYTES: usize = 1 << 20;
/// What JavaScript may use of it; the rest is for native functions that JavaScript calls.
pub(super) const SCRIPT_STACK_BYTES: usize = 768 << 10;

/// What a suspended fiber waits for; it lives on the fiber's stack.
type Awaited = Pin<&'static mut dyn Future<Output = ()>>;

thread_local! {
    /// The fiber that runs on this thread now; null outside of one.
    static RUNNING: Cell<*const Yielder<(), Awaited>> = const { Cell::new(ptr::null()) };

    /// Stacks that no fiber of this thread stands on now. All virtual users share them, so that those who
    /// wait for their next iteration, or for the run to begin, need none.
    static IDLE_STACKS: RefCell<Vec<DefaultStack>> = const { RefCell::new(Vec::new()) };
}

/// Why a wait ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitError {
    /// The virtual user was told to stop.
    #[error("the virtual user was stopped")]
    Interrupted,
    /// Only a function that runs in a fiber can wait.
    #[error("nothing can be waited for here")]
    NoFiber,
}

/// The fiber panicked; the message says with what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("panic: {0}")]
pub struct Panicked(pub String);

/// Puts the running fiber aside until the future is ready.
///
/// # Errors
/// When the virtual user is stopped meanwhile, or when no fiber is running.
pub fn wait<F: Future>(future: F) -> Result<F::Output, WaitError> {
    let running = RUNNING.get();
    if running.is_null() {
        return Err(WaitError::NoFiber);
    }
    let mut output = None;
    {
        // Pinned first: futures are large, and one that is moved is copied.
        let future = pin!(future);
        let awaited = pin!(async { output = Some(future.await) });
        let awaited: Pin<&mut (dyn Future<Output = ()> + '_)> = awaited;
        // SAFETY: only the lifetime changes. The future stays where it is until `suspend` returns,
        // and `Fiber` neither uses it after that nor forgets a suspended fiber.
        let awaited =
            unsafe { mem::transmute::<Pin<&mut dyn Future<Output = ()>>, Awaited>(awaited) };
        // SAFETY: a non-null pointer is set only while its fiber runs, on that fiber's stack.
        unsafe { &*running }.suspend(awaited);
    }
    RUNNING.set(running);
    output.ok_or(WaitError::Interrupted)
}

/// A stack that was used before, or a new one.
fn take_stack() -> io::Result<DefaultStack> {
    let idle = IDLE_STACKS.with_borrow_mut(Vec::pop);
    idle.map_or_else(|| DefaultStack::new(STACK_BYTES), Ok)
}

/// A function that runs on a stack of its own.
pub(super) struct Fiber<R> {
    /// Taken when it has returned.
    coroutine: Option<Coroutine<(), Awaited, Result<R, Panicked>, DefaultStack>>,
    awaited: Option<Awaited>,
    panicked: Option<Panicked>,
    interrupt: Rc<Interrupt>,
}

impl<R: 'static> Fiber<R> {
    /// A fiber that has not begun.
    ///
    /// # Errors
    /// When the system gives no memory for a stack.
    pub(super) fn new(
        interrupt: &Rc<Interrupt>,
        function: impl FnOnce() -> R + 'static,
    ) -> io::Result<Self> {
        let coroutine = Coroutine::with_stack(take_stack()?, |yielder, ()| {
            RUNNING.set(ptr::from_ref(yielder));
            catch_unwind(AssertUnwindSafe(function)).map_err(|payload| panicked(&*payload))
        });
        Ok(Self {
            coroutine: Some(coroutine),
            awaited: None,
            panicked: None,
            interrupt: Rc::clone(interrupt),
        })
    }

    /// Runs until the next wait; the result when the function has returned.
    fn resume(&mut self) -> Option<Result<R, Panicked>> {
        let coroutine = self.coroutine.as_mut()?;
        let outer = RUNNING.get();
        let result = coroutine.resume(());
        RUNNING.set(outer);
        match result {
            CoroutineResult::Yield(awaited) => {
                self.awaited = Some(awaited);
                None
            }
            CoroutineResult::Return(result) => {
                if let Some(coroutine) = self.coroutine.take() {
                    IDLE_STACKS.with_borrow_mut(|idle| idle.push(coroutine.into_stack()));
                }
                Some(match self.panicked.take() {
                    Some(panicked) => Err(panicked),
                    None => result,
                })
            }
        }
    }
}

impl<R: 'static> Future for Fiber<R> {
    type Output = Result<R, Panicked>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let fiber = self.get_mut();
        loop {
            if let Some(awaited) = &mut fiber.awaited {
                fiber.interrupt.wake_with(cx.waker());
                if !fiber.interrupt.is_triggered() {
                    let polled = catch_unwind(AssertUnwindSafe(|| awaited.as_mut().poll(cx)));
                    match polled {
                        Ok(Poll::Pending) => {
                            fiber.interrupt.note_wait();
                            return Poll::Pending;
                        }
                        Ok(Poll::Ready(())) => {}
                        Err(payload) => {
                            fiber.panicked = Some(panicked(&*payload));
                            fiber.interrupt.trigger();
                        }
                    }
                }
                fiber.awaited = None;
            }
            if let Some(result) = fiber.resume() {
                return Poll::Ready(result);
            }
        }
    }
}

impl<R> Drop for Fiber<R> {
    /// A suspended fiber has frames of the JavaScript engine on its stack, which must return in
    /// order; so it is told to stop and runs to its end.
    fn drop(&mut self) {
        let Some(coroutine) = &mut self.coroutine else {
            return;
        };
        if !coroutine.started() {
            return;
        }
        self.interrupt.trigger();
        self.awaited = None;
        let outer = RUNNING.get();
        while let CoroutineResult::Yield(_) = coroutine.resume(()) {}
        RUNNING.set(outer);
    }
}

fn panicked(payload: &(dyn Any + Send)) -> Panicked {
    let text = payload
        .downcast_ref::<&str>()
        .map(ToString::to_string)
        .or_else(|| payload.downcast_ref::<String>().cloned());
    Panicked(text.unwrap_or_else(|| "without a message".to_owned()))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::{future, time::Duration};

    use super::*;

    fn fiber<R: 'static>(function: impl FnOnce() -> R + 'static) -> (Fiber<R>, Rc<Interrupt>) {
        let interrupt = Rc::new(Interrupt::default());
        let fiber = Fiber::new(&interrupt, function).unwrap();
        (fiber, interrupt)
    }

    #[tokio::test]
    async fn two_fibers_wait_side_by_side() {
        let order = Rc::new(RefCell::new(Vec::new()));
        let start = |name: &'static str, turns: usize| {
            let order = Rc::clone(&order);
            fiber(move || {
                for _ in 0..turns {
                    wait(tokio::task::yield_now()).unwrap();
                    order.borrow_mut().push(name);
                }
                name
            })
            .0
        };
        let (one, two) = futures_util::future::join(start("one", 2), start("two", 2)).await;
        assert_eq!((one.unwrap(), two.unwrap()), ("one", "two"));
        assert_eq!(*order.borrow(), ["one", "two", "one", "two"]);
    }

    #[tokio::test]
    async fn an_interrupt_ends_a_wait_that_never_would() {
        let (fiber, interrupt) = fiber(|| wait(future::pending::<()>()));
        let (result, ()) = tokio::join!(fiber, async {
            tokio::task::yield_now().await;
            interrupt.trigger();
        });
        assert_eq!(result.unwrap(), Err(WaitError::Interrupted));
    }

    #[tokio::test]
    async fn a_dropped_fiber_returns_in_order() {
        let ended = Rc::new(Cell::new(false));
        let seen = Rc::clone(&ended);
        let (fiber, _) = fiber(move || {
            let _ = wait(future::pending::<()>());
            seen.set(true);
        });
        let waited = tokio::time::timeout(Duration::from_millis(1), fiber).await;
        assert!(waited.is_err());
        assert!(ended.get(), "the function did not run to its end");
    }

    #[tokio::test]
    async fn panics_in_the_function_and_in_the_future_are_told() {
        let (in_function, _) = fiber(|| panic!("in the function"));
        let Panicked(text) = in_function.await.unwrap_err();
        assert_eq!(text, "in the function");
        let (in_future, _) = fiber(|| wait(async { panic!("in the future") }));
        let Panicked(text) = in_future.await.unwrap_err();
        assert_eq!(text, "in the future");
    }

    #[test]
    fn outside_a_fiber_nothing_can_be_waited_for() {
        assert_eq!(wait(async {}), Err(WaitError::NoFiber));
    }
}
