//! A virtual machine: the script, evaluated for one virtual user.

use std::{cell::RefCell, collections::BTreeMap, io, rc::Rc, sync::Arc, time::Instant};

use rquickjs::{
    Context, Ctx, Error, Function, IntoJs, Object, Persistent, Promise, Result, Runtime, Value,
    promise::PromiseState, qjs,
};

use super::{
    Panicked, ScriptException, Vu,
    fiber::{Fiber, SCRIPT_STACK_BYTES},
    loader::{ScriptLoader, ScriptResolver, declare_file, module_url},
    native::resume_panic,
    search,
    vu::VuHandle,
};
use crate::{global, metric::Recorder, test::Test};

/// Why a call into the script gave no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The script threw and did not catch.
    #[error("{0}")]
    Script(ScriptException),
    /// It was told to stop.
    #[error("the virtual user was stopped")]
    Interrupted,
    /// A fault of the runner.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// No memory.
    #[error("cannot start a virtual user: {0}")]
    Start(#[from] io::Error),
    /// No memory, or the engine cannot be set up.
    #[error("cannot start the JavaScript engine: {0}")]
    Engine(#[from] Error),
}

/// A JavaScript engine with the script of the test, and the virtual user who runs it.
pub(crate) struct Vm {
    vu: Rc<Vu>,
    context: Context,
    rejections: Rejections,
    // Dropped last: the context belongs to it.
    _runtime: Runtime,
}

/// Promises that were rejected and have no handler, by their address.
type Rejections = Rc<RefCell<Vec<(usize, ScriptException)>>>;

impl Vm {
    /// An engine in which nothing has been evaluated.
    pub(crate) fn new(
        test: &Arc<Test>,
        recorder: &Rc<Recorder>,
        id: u64,
    ) -> std::result::Result<Self, CallError> {
        let runtime = Runtime::new()?;
        runtime.set_max_stack_size(SCRIPT_STACK_BYTES);
        let sources = Arc::clone(test.sources());
        let resolver = ScriptResolver {
            sources: Arc::clone(&sources),
        };
        runtime.set_loader(resolver, ScriptLoader { sources });
        let vu = Rc::new(Vu::new(test, recorder, id));
        let interrupt = Rc::clone(vu.interrupt());
        runtime.set_interrupt_handler(Some(Box::new(move || interrupt.stops_computation())));
        let rejections = Rejections::default();
        let tracked = Rc::clone(&rejections);
        runtime.set_host_promise_rejection_tracker(Some(Box::new(
            move |_, promise, reason, handled| {
                let address = promise
                    .as_object()
                    .map(|object| address_of(object.as_value()))
                    .unwrap_or_default();
                let mut rejections = tracked.borrow_mut();
                rejections.retain(|(known, _)| *known != address);
                if !handled {
                    rejections.push((address, ScriptException::of_value(&reason)));
                }
            },
        )));
        let context = Context::full(&runtime)?;
        Ok(Self {
            vu,
            context,
            rejections,
            _runtime: runtime,
        })
    }

    /// The virtual user.
    pub(crate) fn vu(&self) -> &Rc<Vu> {
        &self.vu
    }

    /// Evaluates the script.
    pub(crate) async fn init(&self) -> std::result::Result<(), CallError> {
        let vu = Rc::clone(&self.vu);
        self.run(None, move |ctx, rejections| {
            if ctx.store_userdata(VuHandle(Rc::clone(&vu))).is_err() {
                return Err(Error::Unknown);
            }
            search::define(ctx)?;
            global::define(ctx, &vu)?;
            let test = vu.test();
            let module = declare_file(ctx, test.sources(), &module_url(test.script()))?;
            let (module, evaluated) = module.eval()?;
            settle(ctx, &vu, rejections, evaluated.into_value())?;
            let exports = Persistent::save(ctx, module.namespace()?);
            vu.script.exports.replace(Some(exports));
            Ok(())
        })
        .await
    }

    /// Reads something from what the script exports.
    pub(crate) async fn with_exports<R: 'static>(
        &self,
        read: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> Result<R> + 'static,
    ) -> std::result::Result<R, CallError> {
        let vu = Rc::clone(&self.vu);
        self.run(None, move |ctx, _| {
            let exports = exports(ctx, &vu)?;
            read(ctx, &exports)
        })
        .await
    }

    /// Gives the virtual user what setup returned, as JSON; `None` for undefined.
    pub(crate) async fn set_setup_data(
        &self,
        json: Option<Arc<str>>,
    ) -> std::result::Result<(), CallError> {
        let vu = Rc::clone(&self.vu);
        self.run(None, move |ctx, _| {
            let data = match json {
                Some(json) => ctx.json_parse(&*json)?,
                None => Value::new_undefined(ctx.clone()),
            };
            let data = Persistent::save(ctx, data);
            vu.script.setup_data.replace(Some(data));
            Ok(())
        })
        .await
    }

    /// Adds a scenario's variables to `__ENV`.
    pub(crate) async fn set_scenario_environment(
        &self,
        added: &BTreeMap<String, String>,
    ) -> std::result::Result<(), CallError> {
        if added.is_empty() {
            return Ok(());
        }
        let mut variables = self.vu.test().environment().clone();
        variables.extend(added.clone());
        self.run(None, move |ctx, _| global::set_environment(ctx, &variables))
            .await
    }

    /// Calls an exported function with what setup returned, and drains the event loop. JavaScript
    /// is stopped at the deadline; who waits must be stopped through the interrupt.
    pub(crate) async fn call(
        &self,
        function: &Rc<str>,
        deadline: Option<Instant>,
    ) -> std::result::Result<(), CallError> {
        self.call_with(function, deadline, setup_data, |_, _| Ok(()))
            .await
    }

    /// Calls an exported function with an argument and makes something of its result.
    pub(crate) async fn call_with<R: 'static>(
        &self,
        function: &Rc<str>,
        deadline: Option<Instant>,
        argument: impl for<'js> FnOnce(&Ctx<'js>, &Vu) -> Result<Value<'js>> + 'static,
        finish: impl for<'js> FnOnce(&Ctx<'js>, Value<'js>) -> Result<R> + 'static,
    ) -> std::result::Result<R, CallError> {
        let vu = Rc::clone(&self.vu);
        let name = Rc::clone(function);
        self.run(deadline, move |ctx, rejections| {
            global::set_iteration(ctx, &vu)?;
            let function = entry(ctx, &vu, &name)?;
            let argument = argument(ctx, &vu)?;
            let result = function.call((argument,))?;
            let result = settle(ctx, &vu, rejections, result)?;
            finish(ctx, result)
        })
        .await
    }

    /// Runs a function in a fiber, with the context.
    async fn run<R: 'static>(
        &self,
        deadline: Option<Instant>,
        function: impl for<'js> FnOnce(&Ctx<'js>, &Rejections) -> Result<R> + 'static,
    ) -> std::result::Result<R, CallError> {
        let interrupt = self.vu.interrupt();
        interrupt.arm(deadline);
        let context = self.context.clone();
        let rejections = Rc::clone(&self.rejections);
        let result = Fiber::new(interrupt, move || {
            context.with(|ctx| {
                stand_on_this_stack(&ctx);
                let result = function(&ctx, &rejections);
                resume_panic();
                result.map_err(|error| ScriptException::take(&ctx, error))
            })
        })?
        .await;
        if !matches!(result, Ok(Ok(_))) {
            self.vu.events().clear();
            self.rejections.borrow_mut().clear();
        }
        match result? {
            Ok(value) => Ok(value),
            Err(_) if interrupt.is_triggered() => Err(CallError::Interrupted),
            Err(exception) => Err(CallError::Script(exception)),
        }
    }
}

impl Drop for Vm {
    fn drop(&mut self) {
        self.vu.release();
    }
}

/// Tells the engine, which guards against deep recursion, that its stack begins here.
fn stand_on_this_stack(ctx: &Ctx<'_>) {
    // SAFETY: the context is in use, so it and its runtime are alive.
    unsafe { qjs::JS_UpdateStackTop(qjs::JS_GetRuntime(ctx.as_raw().as_ptr())) };
}

/// What setup returned.
pub(crate) fn setup_data<'js>(ctx: &Ctx<'js>, vu: &Vu) -> Result<Value<'js>> {
    match &*vu.script.setup_data.borrow() {
        Some(data) => data.clone().restore(ctx),
        None => Ok(Value::new_undefined(ctx.clone())),
    }
}

fn exports<'js>(ctx: &Ctx<'js>, vu: &Vu) -> Result<Object<'js>> {
    match &*vu.exports() {
        Some(exports) => exports.clone().restore(ctx),
        None => Err(super::throw(ctx, "the script was not evaluated")),
    }
}

/// The exported function of that name; the last one is remembered.
fn entry<'js>(ctx: &Ctx<'js>, vu: &Vu, name: &str) -> Result<Function<'js>> {
    if let Some((known, function)) = &*vu.script.entry.borrow()
        && known == name
    {
        return function.clone().restore(ctx);
    }
    let function: Function = exports(ctx, vu)?.get(name)?;
    let entry = (name.to_owned(), Persistent::save(ctx, function.clone()));
    vu.script.entry.replace(Some(entry));
    Ok(function)
}

/// Runs the event loop until nothing is left to do, and unpacks a promise.
fn settle<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    rejections: &Rejections,
    value: Value<'js>,
) -> Result<Value<'js>> {
    vu.events().run(ctx, vu.interrupt())?;
    let promise = value.as_promise().cloned();
    let result = match promise {
        Some(promise) => match promise.state() {
            PromiseState::Resolved | PromiseState::Rejected => {
                forget(rejections, &promise);
                promise
                    .result()
                    .unwrap_or_else(|| Value::new_undefined(ctx.clone()).into_js(ctx))
            }
            PromiseState::Pending => Ok(Value::new_undefined(ctx.clone())),
        },
        None => Ok(value),
    };
    let unhandled = rejections.take().into_iter().next();
    match (result, unhandled) {
        (Ok(_), Some((_, exception))) => Err(super::throw(
            ctx,
            format!("Uncaught (in promise) {exception}"),
        )),
        (result, _) => result,
    }
}

fn forget(rejections: &Rejections, promise: &Promise<'_>) {
    let address = address_of(promise.as_value());
    rejections
        .borrow_mut()
        .retain(|(known, _)| *known != address);
}

/// Tells objects of one engine apart while they live.
fn address_of(value: &Value<'_>) -> usize {
    // SAFETY: promises are objects, whose value is a pointer; it is compared and never followed.
    unsafe { qjs::JS_VALUE_GET_PTR(value.as_raw()) as usize }
}
