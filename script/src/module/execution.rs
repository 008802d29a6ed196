//! The module `k6/execution`.

use std::{
    cell::OnceCell,
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering::Relaxed},
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use rquickjs::{
    Coerced, Ctx, Function, Object, Persistent, Result, Value,
    function::Opt,
    module::{Declarations, Exports, ModuleDef},
    object::Accessor,
};

use crate::{
    control::Stop,
    engine::{Vu, throw, throw_uncatchable},
    executor::ScenarioRun,
};

/// `instance`, `scenario`, `test` and `vu`.
pub(super) struct Execution;

const NAMES: [&str; 4] = ["instance", "scenario", "test", "vu"];

impl ModuleDef for Execution {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in NAMES {
            declarations.declare(name)?;
        }
        declarations.declare("default")?;
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let all = Object::new(ctx.clone())?;
        let parts = [instance(ctx)?, scenario(ctx)?, test(ctx)?, vu(ctx)?];
        for (name, part) in NAMES.into_iter().zip(parts) {
            all.set(name, part.clone())?;
            exports.export(name, part)?;
        }
        exports.export("default", all)?;
        Ok(())
    }
}

/// Defines a property that is worked out when it is read.
macro_rules! getter {
    ($object:expr, $name:literal, $function:expr) => {
        $object.prop($name, Accessor::new_get($function).enumerable())?
    };
}

fn instance<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    getter!(object, "currentTestRunDuration", |ctx: Ctx<'_>| {
        let began = Vu::of(&ctx)?.test().control().began();
        let elapsed = began.map(|began| began.elapsed()).unwrap_or_default();
        Result::Ok(elapsed.as_secs_f64() * 1e3)
    });
    getter!(object, "iterationsCompleted", |ctx: Ctx<'_>| {
        Result::Ok(Vu::of(&ctx)?.test().control().iterations.load(Relaxed))
    });
    getter!(object, "iterationsInterrupted", |ctx: Ctx<'_>| {
        Result::Ok(Vu::of(&ctx)?.test().control().interrupted.load(Relaxed))
    });
    getter!(object, "vusActive", |ctx: Ctx<'_>| {
        Result::Ok(Vu::of(&ctx)?.test().control().active.load(Relaxed))
    });
    getter!(object, "vusInitialized", |ctx: Ctx<'_>| {
        Result::Ok(Vu::of(&ctx)?.test().control().initialised.load(Relaxed))
    });
    Ok(object)
}

/// The scenario that the user works for, and when the run began.
fn running(ctx: &Ctx<'_>) -> Result<(Arc<ScenarioRun>, Instant)> {
    let vu = Vu::of(ctx)?;
    let run = vu.activation().run.clone();
    run.zip(vu.test().control().began()).ok_or_else(|| {
        throw(
            ctx,
            "exec.scenario is there in the iterations of a scenario only",
        )
    })
}

fn scenario<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    getter!(object, "name", |ctx: Ctx<'_>| {
        Result::Ok(running(&ctx)?.0.scenario.name.clone())
    });
    getter!(object, "executor", |ctx: Ctx<'_>| {
        Result::Ok(running(&ctx)?.0.scenario.executor.name())
    });
    getter!(object, "startTime", |ctx: Ctx<'_>| {
        let (run, began) = running(&ctx)?;
        let ago = Instant::now().saturating_duration_since(run.start(began));
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let start = now.unwrap_or_default().saturating_sub(ago);
        Result::Ok((start.as_secs_f64() * 1e3).floor())
    });
    getter!(object, "progress", |ctx: Ctx<'_>| {
        let (run, began) = running(&ctx)?;
        Result::Ok(run.progress(began))
    });
    let iteration = |ctx: Ctx<'_>| {
        running(&ctx)?;
        Result::Ok(Vu::of(&ctx)?.iteration_in_test())
    };
    getter!(object, "iterationInInstance", iteration);
    getter!(object, "iterationInTest", iteration);
    Ok(object)
}

fn test<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("abort", Function::new(ctx.clone(), abort)?)?;
    object.set("fail", Function::new(ctx.clone(), fail)?)?;
    getter!(object, "options", |ctx: Ctx<'js>| {
        let vu = Vu::of(&ctx)?;
        vu.require_running(&ctx, "exec.test.options")?;
        ctx.json_parse(vu.options().consolidated().to_string())
    });
    Ok(object)
}

/// Ends the whole run.
fn abort(ctx: Ctx<'_>, message: Opt<Coerced<String>>) -> Result<()> {
    let message = message.0.map(|message| message.0).unwrap_or_default();
    let vu = Vu::of(&ctx)?;
    vu.test().control().stop(Stop::Aborted(message.clone()));
    Err(throw_uncatchable(&ctx, &format!("test aborted: {message}")))
}

/// Marks the run as failed and goes on.
fn fail(ctx: Ctx<'_>, message: Opt<Coerced<String>>) -> Result<()> {
    let message = message.0.map(|message| message.0).unwrap_or_default();
    let vu = Vu::of(&ctx)?;
    vu.test().log().error(format!("test failed: {message}"));
    vu.test().control().fail(message);
    Ok(())
}

fn vu<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    let id = |ctx: Ctx<'_>| Result::Ok(Vu::of(&ctx)?.id());
    getter!(object, "idInInstance", id);
    getter!(object, "idInTest", id);
    getter!(object, "iterationInInstance", |ctx: Ctx<'_>| {
        Result::Ok(Vu::of(&ctx)?.iteration())
    });
    getter!(object, "iterationInScenario", |ctx: Ctx<'_>| {
        Result::Ok(Vu::of(&ctx)?.iteration_in_scenario())
    });
    getter!(object, "tags", |ctx: Ctx<'js>| tags(&ctx));
    let metrics = Object::new(ctx.clone())?;
    getter!(metrics, "tags", |ctx: Ctx<'js>| tags(&ctx));
    metrics.set("metadata", Object::new(ctx.clone())?)?;
    object.set("metrics", metrics)?;
    Ok(object)
}

/// The object of the tags, once a script has asked for it. It takes more memory than all else here.
#[derive(Default)]
struct Tags {
    object: OnceCell<Persistent<Value<'static>>>,
}

fn tags<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    let state = Vu::of(ctx)?.state::<Tags>();
    if let Some(object) = state.object.get() {
        return object.clone().restore(ctx);
    }
    let object = make_tags(ctx)?;
    let saved = Persistent::save(ctx, object.clone());
    state.object.get_or_init(|| saved);
    Ok(object)
}

/// An object whose properties are the tags of the user.
fn make_tags<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    const PROXY: &str = "(get, set, remove, all) => new Proxy({}, {
        get: (_, name) => (typeof name === 'string' ? get(name) : undefined),
        set: (_, name, value) => (set(String(name), value), true),
        has: (_, name) => get(String(name)) !== undefined,
        deleteProperty: (_, name) => (remove(String(name)), true),
        ownKeys: () => Object.keys(all()),
        getOwnPropertyDescriptor: (_, name) => {
            const value = get(String(name));
            const flags = { writable: true, enumerable: true, configurable: true };
            return value === undefined ? undefined : { value, ...flags };
        },
    })";
    let make: Function = ctx.eval(PROXY)?;
    make.call((
        Function::new(ctx.clone(), |ctx: Ctx<'_>, name: String| {
            let tags = Vu::of(&ctx)?.tags();
            Result::Ok(tags.get(&name).map(str::to_owned))
        })?,
        Function::new(ctx.clone(), set_tag)?,
        Function::new(ctx.clone(), |ctx: Ctx<'_>, name: String| {
            let vu = Vu::of(&ctx)?;
            let tags = vu.recorder().tags().without(&vu.tags(), &name);
            vu.set_tags(tags);
            Result::Ok(())
        })?,
        Function::new(ctx.clone(), |ctx: Ctx<'_>| {
            let tags = Vu::of(&ctx)?.tags();
            let all = tags
                .iter()
                .map(|(key, value)| (key.to_owned(), value.to_owned()));
            Result::Ok(all.collect::<BTreeMap<_, _>>())
        })?,
    ))
}

fn set_tag<'js>(ctx: Ctx<'js>, name: String, value: Value<'js>) -> Result<()> {
    let vu = Vu::of(&ctx)?;
    if value.is_object() || value.is_null() || value.is_undefined() {
        let message = format!(
            "the tag {name} cannot be {}; give a string, a number or a boolean",
            crate::global::inspect(&value)
        );
        if vu.options().throw() {
            return Err(throw(&ctx, message));
        }
        vu.test().log().warn(message);
        return Ok(());
    }
    let Coerced(value) = value.get::<Coerced<String>>()?;
    vu.set_tags(vu.tags_with([(name.as_str(), value.as_str())]));
    Ok(())
}
