//! A virtual user as native functions see it.

use std::{
    any::{Any, TypeId},
    cell::{Cell, OnceCell, Ref, RefCell},
    future::Future,
    rc::Rc,
    sync::Arc,
};

use measure::{Traffic, TrafficTotals};
use rquickjs::{Ctx, Error, Function, JsLifetime, Object, Persistent, Result, Value, qjs};

use super::{EventLoop, Interrupt, WaitError, exception::throw, fiber, property::Names};
use crate::{
    executor::ScenarioRun,
    metric::{Builtin, MetricId, Recorder, TagSet},
    options::Options,
    test::Test,
};

/// What a virtual user's JavaScript is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The top level of the script.
    Init,
    /// `setup`.
    Setup,
    /// An iteration of a scenario.
    Iteration,
    /// `teardown`.
    Teardown,
    /// `handleSummary`.
    Summary,
}

/// What a scenario tells its virtual users.
#[derive(Clone, Debug, Default)]
pub struct Activation {
    /// Name of the scenario; empty outside of one.
    pub scenario: String,
    /// How far it is; `None` outside of one.
    pub(crate) run: Option<Arc<ScenarioRun>>,
}

/// One virtual user. Native functions get theirs with [`Vu::of`].
///
/// Everything here belongs to one thread. Tags are those of k6: samples recorded through
/// [`Vu::record`] carry the run's and the scenario's tags, `scenario` and `group`.
pub struct Vu {
    id: u64,
    test: Arc<Test>,
    recorder: Rc<Recorder>,
    interrupt: Rc<Interrupt>,
    traffic: Arc<Traffic>,
    counted: Cell<TrafficTotals>,
    counts_bodies: OnceCell<bool>,
    phase: Cell<Phase>,
    iteration: Cell<u64>,
    in_scenario: Cell<u64>,
    in_test: Cell<u64>,
    activation: RefCell<Rc<Activation>>,
    tags: RefCell<TagSet>,
    events: EventLoop,
    names: Names,
    /// What modules keep: a handful, so that looking is cheaper than hashing.
    state: RefCell<Vec<(TypeId, Rc<dyn Any>)>>,
    pub(super) script: Script,
}

/// The JavaScript values of a virtual user's script.
#[derive(Default)]
pub(super) struct Script {
    pub(super) exports: RefCell<Option<Persistent<Object<'static>>>>,
    pub(super) entry: RefCell<Option<(String, Persistent<Function<'static>>)>>,
    pub(super) setup_data: RefCell<Option<Persistent<Value<'static>>>>,
}

#[derive(JsLifetime)]
pub(super) struct VuHandle(pub(super) Rc<Vu>);

impl Vu {
    pub(super) fn new(test: &Arc<Test>, recorder: &Rc<Recorder>, id: u64) -> Self {
        Self {
            id,
            test: Arc::clone(test),
            recorder: Rc::clone(recorder),
            interrupt: Rc::new(Interrupt::new(test.control().everyone())),
            traffic: Arc::default(),
            counted: Cell::default(),
            counts_bodies: OnceCell::new(),
            phase: Cell::new(Phase::Init),
            iteration: Cell::default(),
            in_scenario: Cell::default(),
            in_test: Cell::default(),
            activation: RefCell::default(),
            tags: RefCell::new(recorder.tags().empty()),
            events: EventLoop::new(),
            names: Names::default(),
            state: RefCell::default(),
            script: Script::default(),
        }
    }

    /// The virtual user that runs this JavaScript.
    ///
    /// # Errors
    /// Throws when there is none, which is a fault of the runner.
    pub fn of(ctx: &Ctx<'_>) -> Result<Rc<Self>> {
        match ctx.userdata::<VuHandle>() {
            Some(handle) => Ok(Rc::clone(&handle.0)),
            None => Err(throw(ctx, "there is no virtual user here")),
        }
    }

    /// Its number: from 1, and 0 for setup, teardown and the summary.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The test that it belongs to.
    #[must_use]
    pub fn test(&self) -> &Arc<Test> {
        &self.test
    }

    /// The options of the test.
    #[must_use]
    pub fn options(&self) -> &Options {
        self.test.options()
    }

    /// What is run now.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase.get()
    }

    /// Number of the iteration, from 0.
    #[must_use]
    pub fn iteration(&self) -> u64 {
        self.iteration.get()
    }

    /// Number of the iteration within the scenario, from 0.
    #[must_use]
    pub fn iteration_in_scenario(&self) -> u64 {
        self.in_scenario.get()
    }

    /// Number of the iteration among all of the scenario, from 0.
    #[must_use]
    pub fn iteration_in_test(&self) -> u64 {
        self.in_test.get()
    }

    /// The scenario that it works for.
    #[must_use]
    pub fn activation(&self) -> Rc<Activation> {
        Rc::clone(&self.activation.borrow())
    }

    /// Throws in init code, naming what was called.
    ///
    /// # Errors
    /// In init code.
    pub fn require_running(&self, ctx: &Ctx<'_>, what: &str) -> Result<()> {
        if self.phase() == Phase::Init {
            return Err(throw(
                ctx,
                format!(
                    "{what} cannot be used in the init code, outside of functions that k6 calls"
                ),
            ));
        }
        Ok(())
    }

    /// Throws outside of init code, naming what was called.
    ///
    /// # Errors
    /// Outside of init code.
    pub fn require_init(&self, ctx: &Ctx<'_>, what: &str) -> Result<()> {
        if self.phase() != Phase::Init {
            return Err(throw(
                ctx,
                format!("{what} can be used in the init code only, at the top level of a script"),
            ));
        }
        Ok(())
    }

    /// The tags that samples carry now.
    #[must_use]
    pub fn tags(&self) -> TagSet {
        self.tags.borrow().clone()
    }

    /// Replaces the tags that samples carry; gives the former ones.
    pub fn set_tags(&self, tags: TagSet) -> TagSet {
        self.tags.replace(tags)
    }

    /// The current tags and these.
    pub fn tags_with<'a>(&self, more: impl IntoIterator<Item = (&'a str, &'a str)>) -> TagSet {
        self.recorder.tags().with(&self.tags.borrow(), more)
    }

    /// Adds a sample with the current tags; ms for a trend of times.
    pub fn record(&self, metric: MetricId, value: f64) {
        self.recorder.record(metric, &self.tags.borrow(), value);
    }

    /// Where the samples of this worker go.
    #[must_use]
    pub fn recorder(&self) -> &Rc<Recorder> {
        &self.recorder
    }

    /// Counts the bytes of this user's sockets: connect with
    /// [`measure::CountingStream::connect`] and this. `data_sent` and `data_received` are taken
    /// from it after every iteration.
    #[must_use]
    pub fn traffic(&self) -> &Arc<Traffic> {
        &self.traffic
    }

    /// Timers, promises and streams.
    #[must_use]
    pub fn events(&self) -> &EventLoop {
        &self.events
    }

    /// What a module keeps for this virtual user, made at the first call. It may hold
    /// [`Persistent`] values: it is dropped before the engine.
    pub fn state<T: Default + 'static>(&self) -> Rc<T> {
        let wanted = TypeId::of::<T>();
        let mut state = self.state.borrow_mut();
        let known = state.iter().find(|(known, _)| *known == wanted);
        if let Some((_, entry)) = known {
            let entry = Rc::clone(entry);
            drop(state);
            return entry.downcast().unwrap_or_default();
        }
        let entry = Rc::<T>::default();
        state.push((wanted, Rc::clone(&entry) as Rc<dyn Any>));
        entry
    }

    /// Names of properties that were read lately.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn interrupt(&self) -> &Rc<Interrupt> {
        &self.interrupt
    }

    /// Takes up work for a scenario or a phase of the run.
    pub(crate) fn activate(&self, phase: Phase, activation: Rc<Activation>, tags: TagSet) {
        self.phase.set(phase);
        self.activation.replace(activation);
        self.in_scenario.set(0);
        self.set_tags(tags);
    }

    pub(crate) fn begin(&self, iteration: u64, in_scenario: u64, in_test: u64) {
        self.iteration.set(iteration);
        self.in_scenario.set(in_scenario);
        self.in_test.set(in_test);
    }

    /// Records the bytes that crossed the sockets since the last time.
    pub(crate) fn record_traffic(&self) {
        let totals = self.traffic.totals();
        let before = self.counted.replace(totals);
        let tags = self.tags.borrow();
        let record = |metric: Builtin, now: u64, before: u64| {
            let bytes = (now - before) as f64;
            self.recorder.record(metric.id(), &tags, bytes);
        };
        record(Builtin::DataSent, totals.sent_bytes, before.sent_bytes);
        record(
            Builtin::DataReceived,
            totals.received_bytes,
            before.received_bytes,
        );
        if *self
            .counts_bodies
            .get_or_init(|| self.options().names_bodies())
        {
            record(
                Builtin::DataSentBody,
                totals.sent_body_bytes,
                before.sent_body_bytes,
            );
            record(
                Builtin::DataReceivedBody,
                totals.received_body_bytes,
                before.received_body_bytes,
            );
        }
    }

    pub(crate) fn exports(&self) -> Ref<'_, Option<Persistent<Object<'static>>>> {
        self.script.exports.borrow()
    }

    /// Drops every JavaScript value, as the engine demands before its own end.
    pub(super) fn release(&self) {
        self.events.clear();
        self.script.exports.take();
        self.script.entry.take();
        self.script.setup_data.take();
        self.names.clear();
        let state = self.state.take();
        drop(state);
    }
}

/// Waits for a future in a native function; other virtual users run meanwhile. The future is free
/// to use tokio's timers and sockets, and must hold no JavaScript value.
///
/// # Errors
/// Throws when the virtual user is stopped; the script cannot catch that.
pub fn wait<F: Future>(ctx: &Ctx<'_>, future: F) -> Result<F::Output> {
    fiber::wait(future).map_err(|error| match error {
        WaitError::Interrupted => throw_uncatchable(ctx, &error.to_string()),
        WaitError::NoFiber => throw(ctx, error.to_string()),
    })
}

/// Throws what `try` and `catch` of the script do not see.
pub(crate) fn throw_uncatchable(ctx: &Ctx<'_>, message: &str) -> Error {
    let Error::Exception = throw(ctx, message) else {
        return Error::Exception;
    };
    let exception = ctx.catch();
    // SAFETY: the context is in use, and the value is alive during the call.
    unsafe { qjs::JS_SetUncatchableError(ctx.as_raw().as_ptr(), exception.as_raw()) };
    ctx.throw(exception)
}
