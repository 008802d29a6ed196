//! What a virtual user does besides its main function: timers, promises, streams.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    future::{Future, poll_fn},
    rc::Rc,
};

use rquickjs::{Ctx, Function, Persistent, Promise, Result, Value};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    task::JoinSet,
};

use super::{
    Interrupt, WaitError,
    vu::{throw_uncatchable, wait},
};

/// Something to do in JavaScript later. It must hold no JavaScript value: what is dropped after
/// the engine may not. Keep values in [`Vu::state`](super::Vu::state).
pub type Event = Box<dyn for<'js> FnOnce(&Ctx<'js>) -> Result<()>>;

/// The events of one virtual user.
pub struct EventLoop {
    sender: UnboundedSender<Event>,
    receiver: RefCell<UnboundedReceiver<Event>>,
    keepers: Rc<Cell<usize>>,
    promises: RefCell<HashMap<u64, Settlers>>,
    next_promise: Cell<u64>,
    tasks: RefCell<JoinSet<()>>,
    /// How often everything was given up.
    given_up: Cell<u64>,
}

struct Settlers {
    resolve: Persistent<Function<'static>>,
    reject: Persistent<Function<'static>>,
}

/// While it lives, the iteration goes on and events can be queued.
pub struct Keeper {
    sender: UnboundedSender<Event>,
    keepers: Rc<Cell<usize>>,
}

impl Keeper {
    /// Runs the event after those queued before, once JavaScript is idle.
    pub fn queue(&self, event: Event) {
        // Nobody receives after the virtual user has ended, and nobody has to.
        let _ = self.sender.send(event);
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.keepers.set(self.keepers.get().saturating_sub(1));
        // A waiting loop has to look whether it is kept still.
        self.queue(Box::new(|_| Ok(())));
    }
}

impl EventLoop {
    pub(super) fn new() -> Self {
        let (sender, receiver) = unbounded_channel();
        Self {
            sender,
            receiver: RefCell::new(receiver),
            keepers: Rc::default(),
            promises: RefCell::default(),
            next_promise: Cell::new(0),
            tasks: RefCell::default(),
            given_up: Cell::new(0),
        }
    }

    /// Changes when everything under way has been given up: then what a module keeps for events
    /// that were to come can go, too.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.given_up.get()
    }

    /// Keeps the iteration going until the returned value is dropped.
    #[must_use]
    pub fn keep(&self) -> Keeper {
        self.keepers.set(self.keepers.get() + 1);
        Keeper {
            sender: self.sender.clone(),
            keepers: Rc::clone(&self.keepers),
        }
    }

    /// Drives a future beside JavaScript until it is ready or the iteration is over.
    pub fn spawn(&self, future: impl Future<Output = ()> + 'static) {
        let mut tasks = self.tasks.borrow_mut();
        while tasks.try_join_next().is_some() {}
        tasks.spawn_local(future);
    }

    /// A promise for the output of a future. When it is ready, `settle` makes a value of it, or
    /// throws what the promise is rejected with.
    ///
    /// # Errors
    /// When the engine cannot make a promise.
    pub fn promise<'js, T: 'static>(
        &self,
        ctx: &Ctx<'js>,
        future: impl Future<Output = T> + 'static,
        settle: impl for<'a> FnOnce(&Ctx<'a>, T) -> Result<Value<'a>> + 'static,
    ) -> Result<Promise<'js>> {
        let (promise, resolve, reject) = ctx.promise()?;
        let id = self.next_promise.get();
        self.next_promise.set(id + 1);
        let settlers = Settlers {
            resolve: Persistent::save(ctx, resolve),
            reject: Persistent::save(ctx, reject),
        };
        self.promises.borrow_mut().insert(id, settlers);
        let keeper = self.keep();
        self.spawn(async move {
            let output = future.await;
            keeper.queue(Box::new(move |ctx| {
                let vu = super::Vu::of(ctx)?;
                let settlers = vu.events().promises.borrow_mut().remove(&id);
                let Some(settlers) = settlers else {
                    return Ok(());
                };
                match settle(ctx, output) {
                    Ok(value) => settlers.resolve.restore(ctx)?.call((value,)),
                    Err(rquickjs::Error::Exception) => {
                        settlers.reject.restore(ctx)?.call((ctx.catch(),))
                    }
                    Err(error) => Err(error),
                }
            }));
        });
        Ok(promise)
    }

    /// Runs jobs and events until there are none and nothing keeps the loop.
    pub(super) fn run(&self, ctx: &Ctx<'_>, interrupt: &Interrupt) -> Result<()> {
        loop {
            // Jobs that make new jobs without end must be stoppable too. The clock is read only when
            // there was one.
            while !interrupt.is_triggered()
                && ctx.execute_pending_job()
                && !interrupt.stops_computation()
            {}
            if interrupt.is_triggered() {
                return Err(throw_uncatchable(ctx, &WaitError::Interrupted.to_string()));
            }
            let ready = self.receiver.borrow_mut().try_recv();
            let event = match ready {
                Ok(event) => event,
                Err(_) if self.keepers.get() == 0 => return Ok(()),
                Err(_) => {
                    let received =
                        wait(ctx, poll_fn(|cx| self.receiver.borrow_mut().poll_recv(cx)))?;
                    match received {
                        Some(event) => event,
                        None => return Ok(()),
                    }
                }
            };
            event(ctx)?;
        }
    }

    /// Gives up everything that is under way.
    pub(super) fn clear(&self) {
        // Tasks are dropped here, and their keepers with them.
        *self.tasks.borrow_mut() = JoinSet::new();
        self.promises.borrow_mut().clear();
        self.given_up.set(self.given_up.get() + 1);
        let mut receiver = self.receiver.borrow_mut();
        while receiver.try_recv().is_ok() {}
    }
}
