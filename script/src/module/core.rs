//! The module `k6`.

use std::{
    cell::OnceCell,
    fmt::Display,
    time::{Duration, Instant},
};

use rquickjs::{
    Coerced, Ctx, Function, Object, Persistent, Result, Value,
    function::Opt,
    module::{Declarations, Exports, ModuleDef},
};

use super::check::Check;
use crate::{
    engine::{Vu, native_function, throw, wait},
    metric::Builtin,
};

/// `check`, `fail`, `group`, `randomSeed` and `sleep`.
pub(super) struct Core;

const NAMES: [&str; 5] = ["check", "fail", "group", "randomSeed", "sleep"];

impl ModuleDef for Core {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in NAMES {
            declarations.declare(name)?;
        }
        declarations.declare("default")?;
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let functions = [
            native_function::<Check>(ctx)?,
            Function::new(ctx.clone(), fail)?,
            Function::new(ctx.clone(), group)?,
            Function::new(ctx.clone(), random_seed)?,
            Function::new(ctx.clone(), sleep)?,
        ];
        let all = Object::new(ctx.clone())?;
        for (name, function) in NAMES.into_iter().zip(functions) {
            all.set(name, function.clone())?;
            exports.export(name, function)?;
        }
        exports.export("default", all)?;
        Ok(())
    }
}

fn sleep<'js>(ctx: Ctx<'js>, seconds: Opt<Value<'js>>) -> Result<()> {
    Vu::of(&ctx)?.require_running(&ctx, "sleep()")?;
    let given = seconds.0.as_ref();
    // A string as `sleep(__ENV.PAUSE)` gives it is a number, too.
    let text = given.and_then(Value::as_string);
    let seconds = match text {
        Some(text) => text.to_string()?.trim().parse().ok(),
        None => given.and_then(Value::as_number),
    };
    let Some(seconds) = seconds.filter(|seconds: &f64| !seconds.is_nan()) else {
        let given = given.map_or_else(|| "nothing".to_owned(), crate::global::inspect);
        let message = format!("sleep() takes a number of seconds, not {given}");
        return Err(throw(&ctx, message));
    };
    if seconds > 0.0 {
        let duration = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        wait(&ctx, async move {
            match Instant::now().checked_add(duration) {
                Some(end) => tokio::time::sleep_until(end.into()).await,
                None => std::future::pending().await,
            }
        })?;
    }
    Ok(())
}

fn fail(ctx: Ctx<'_>, message: Opt<Coerced<String>>) -> Result<()> {
    let message = message.0.map(|message| message.0).unwrap_or_default();
    Err(throw(&ctx, message))
}

fn random_seed(ctx: Ctx<'_>, seed: Opt<Coerced<f64>>) -> Result<()> {
    let seed = seed.0.map_or(f64::NAN, |seed| seed.0);
    // A generator that only has to be the same for the same seed: SplitMix64.
    let code = format!(
        "(() => {{ let state = BigInt.asUintN(64, BigInt({}n)); Math.random = () => {{ \
         state = BigInt.asUintN(64, state + 0x9E3779B97F4A7C15n); let z = state; \
         z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xBF58476D1CE4E5B9n); \
         z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94D049BB133111EBn); \
         return Number((z ^ (z >> 31n)) >> 11n) / 9007199254740992; }}; }})()",
        seed.trunc()
    );
    if !seed.is_finite() {
        return Err(throw(&ctx, "randomSeed() takes a whole number"));
    }
    ctx.eval(code)
}

fn group<'js>(
    ctx: Ctx<'js>,
    name: Opt<Coerced<String>>,
    function: Opt<Value<'js>>,
) -> Result<Value<'js>> {
    let vu = Vu::of(&ctx)?;
    vu.require_running(&ctx, "group()")?;
    let (Some(Coerced(name)), Some(function)) = (name.0, function.0) else {
        return Err(throw(&ctx, "group() takes a name and a function"));
    };
    let function = plain_function(&ctx, &vu, &function, "group()")?;
    if name.contains("::") {
        return Err(throw(
            &ctx,
            format!("group({name:?}): a name must not contain \"::\""),
        ));
    }
    let path = format!("{}::{name}", vu.tags().get("group").unwrap_or_default());
    let outer = vu.set_tags(vu.tags_with([("group", path.as_str())]));
    vu.recorder().see_group(&path);
    let began = Instant::now();
    let result = function.call(());
    vu.recorder()
        .record_ns(Builtin::GroupDuration.id(), &vu.tags(), ns(began.elapsed()));
    vu.set_tags(outer);
    result
}

/// The function, unless it is async: its body would run after the call has returned.
pub(super) fn plain_function<'js>(
    ctx: &Ctx<'js>,
    vu: &Vu,
    value: &Value<'js>,
    what: impl Display,
) -> Result<Function<'js>> {
    let Some(function) = value.as_function() else {
        return Err(throw(ctx, format!("{what} takes a function")));
    };
    if is_plain(ctx, vu, function)? {
        return Ok(function.clone());
    }
    let constructor: Option<Object> = function.get("constructor").ok();
    let kind: Option<String> = constructor.and_then(|constructor| constructor.get("name").ok());
    if kind.is_some_and(|kind| kind.starts_with("Async")) {
        return Err(throw(
            ctx,
            format!("{what} does not take async functions; await before it, or take a plain one"),
        ));
    }
    Ok(function.clone())
}

/// What plain functions inherit from.
#[derive(Default)]
struct PlainFunctions {
    prototype: OnceCell<Persistent<Object<'static>>>,
}

/// Whether a function is certainly no async one: it inherits from what plain functions do.
fn is_plain<'js>(ctx: &Ctx<'js>, vu: &Vu, function: &Function<'js>) -> Result<bool> {
    let Some(prototype) = function.get_prototype() else {
        return Ok(false);
    };
    let plain = vu.state::<PlainFunctions>();
    if let Some(known) = plain.prototype.get() {
        return Ok(known.clone().restore(ctx)? == prototype);
    }
    let known = Function::new(ctx.clone(), || ())?.get_prototype();
    let is_plain = known.as_ref() == Some(&prototype);
    if let Some(known) = known {
        plain.prototype.get_or_init(|| Persistent::save(ctx, known));
    }
    Ok(is_plain)
}

/// A duration in ns; centuries are cut.
pub(super) fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
