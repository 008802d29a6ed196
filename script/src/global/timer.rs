//! `setTimeout` and its family; `k6/timers` exports the same.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    rc::Rc,
    time::Duration,
};

use rquickjs::{
    Ctx, Function, Object, Persistent, Result, Value,
    function::{Opt, Rest},
};
use tokio::{sync::oneshot, time};

use crate::engine::{Vu, throw};

/// The timers that are set.
#[derive(Default)]
struct Timers {
    set: RefCell<HashMap<u32, Timer>>,
    last: Cell<u32>,
    /// Of the event loop, when a timer was last set.
    epoch: Cell<u64>,
}

struct Timer {
    function: Persistent<Function<'static>>,
    arguments: Vec<Persistent<Value<'static>>>,
    /// Dropped to stop it.
    _alive: oneshot::Sender<()>,
}

/// Names of the family.
pub(crate) const NAMES: [&str; 4] = ["setTimeout", "setInterval", "clearTimeout", "clearInterval"];

/// Defines the functions of the family.
pub(crate) fn define_in<'js>(
    ctx: &Ctx<'js>,
    mut define: impl FnMut(&'static str, Function<'js>) -> Result<()>,
) -> Result<()> {
    define("setTimeout", Function::new(ctx.clone(), set_timeout)?)?;
    define("setInterval", Function::new(ctx.clone(), set_interval)?)?;
    define("clearTimeout", Function::new(ctx.clone(), clear)?)?;
    define("clearInterval", Function::new(ctx.clone(), clear)?)
}

pub(super) fn define(ctx: &Ctx<'_>) -> Result<()> {
    let globals: Object = ctx.globals();
    define_in(ctx, |name, function| globals.set(name, function))
}

fn set_timeout<'js>(
    ctx: Ctx<'js>,
    function: Value<'js>,
    delay: Opt<Value<'js>>,
    arguments: Rest<Value<'js>>,
) -> Result<u32> {
    set(&ctx, "setTimeout", &function, &delay, &arguments, false)
}

fn set_interval<'js>(
    ctx: Ctx<'js>,
    function: Value<'js>,
    delay: Opt<Value<'js>>,
    arguments: Rest<Value<'js>>,
) -> Result<u32> {
    set(&ctx, "setInterval", &function, &delay, &arguments, true)
}

fn set<'js>(
    ctx: &Ctx<'js>,
    name: &str,
    function: &Value<'js>,
    delay: &Opt<Value<'js>>,
    arguments: &[Value<'js>],
    repeat: bool,
) -> Result<u32> {
    let Some(function) = function.as_function() else {
        return Err(throw(ctx, format!("{name}() takes a function first")));
    };
    let delay_ms = delay
        .0
        .as_ref()
        .and_then(Value::as_number)
        .filter(|delay| delay.is_finite())
        .unwrap_or_default();
    let delay = Duration::from_secs_f64(delay_ms.clamp(0.0, 1e12) / 1e3);
    let vu = Vu::of(ctx)?;
    let timers = vu.state::<Timers>();
    if timers.epoch.replace(vu.events().epoch()) != vu.events().epoch() {
        timers.set.borrow_mut().clear();
    }
    let id = timers.last.get() + 1;
    timers.last.set(id);
    let (alive, cleared) = oneshot::channel::<()>();
    let timer = Timer {
        function: Persistent::save(ctx, function.clone()),
        arguments: arguments
            .iter()
            .map(|argument| Persistent::save(ctx, argument.clone()))
            .collect(),
        _alive: alive,
    };
    timers.set.borrow_mut().insert(id, timer);
    let keeper = vu.events().keep();
    vu.events().spawn(async move {
        let mut cleared = cleared;
        // An interval of nothing would leave no turn to others.
        let pause = delay.max(Duration::from_millis(u64::from(repeat)));
        loop {
            tokio::select! {
                biased;
                _ = &mut cleared => return,
                () = time::sleep(pause) => {}
            }
            keeper.queue(Box::new(move |ctx| fire(ctx, id, repeat)));
            if !repeat {
                return;
            }
        }
    });
    Ok(id)
}

fn fire(ctx: &Ctx<'_>, id: u32, repeat: bool) -> Result<()> {
    let timers = Vu::of(ctx)?.state::<Timers>();
    let call = {
        let set = timers.set.borrow();
        set.get(&id)
            .map(|timer| (timer.function.clone(), timer.arguments.clone()))
    };
    // It may have been cleared after it was due.
    let Some((function, arguments)) = call else {
        return Ok(());
    };
    if !repeat {
        timers.set.borrow_mut().remove(&id);
    }
    let arguments: Vec<Value> = arguments
        .into_iter()
        .map(|argument| argument.restore(ctx))
        .collect::<Result<_>>()?;
    function.restore(ctx)?.call((Rest(arguments),))
}

fn clear<'js>(ctx: Ctx<'js>, id: Opt<Value<'js>>) -> Result<()> {
    let id = id.0.as_ref().and_then(Value::as_number);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "what is no id of a timer clears nothing"
    )]
    if let Some(id) = id {
        let timers: Rc<Timers> = Vu::of(&ctx)?.state();
        timers.set.borrow_mut().remove(&(id as u32));
    }
    Ok(())
}
