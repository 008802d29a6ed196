//! `console`.

use rquickjs::{
    Coerced, Ctx, FromJs, Object, Result, Value,
    function::{Func, Rest},
};

use super::inspect::inspect_top;
use crate::{engine::Vu, log::Level};

pub(super) fn define(ctx: &Ctx<'_>) -> Result<()> {
    let console = Object::new(ctx.clone())?;
    console.set("log", Func::from(info))?;
    console.set("info", Func::from(info))?;
    console.set("debug", Func::from(debug))?;
    console.set("warn", Func::from(warn))?;
    console.set("error", Func::from(error))?;
    ctx.globals().set("console", console)
}

fn info<'js>(ctx: Ctx<'js>, values: Rest<Value<'js>>) -> Result<()> {
    write(&ctx, Level::Info, &values)
}

fn debug<'js>(ctx: Ctx<'js>, values: Rest<Value<'js>>) -> Result<()> {
    write(&ctx, Level::Debug, &values)
}

fn warn<'js>(ctx: Ctx<'js>, values: Rest<Value<'js>>) -> Result<()> {
    write(&ctx, Level::Warning, &values)
}

fn error<'js>(ctx: Ctx<'js>, values: Rest<Value<'js>>) -> Result<()> {
    write(&ctx, Level::Error, &values)
}

fn write<'js>(ctx: &Ctx<'js>, level: Level, values: &[Value<'js>]) -> Result<()> {
    let texts: Vec<String> = values.iter().map(inspect_top).collect();
    let vu = Vu::of(ctx)?;
    vu.test()
        .log()
        .write(level, &texts.join(" "), &[("source", "console")]);
    Ok(())
}

/// The value as JavaScript's `String()` makes it; empty when that throws.
pub(super) fn coerced(value: &Value<'_>) -> String {
    if let Ok(Coerced(text)) = Coerced::<String>::from_js(value.ctx(), value.clone()) {
        text
    } else {
        value.ctx().catch();
        String::new()
    }
}
