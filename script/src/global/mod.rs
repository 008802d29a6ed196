//! Global names of a script.

mod console;
mod environment;
mod inspect;
mod open;
mod text;
pub(crate) mod timer;

use rquickjs::{Ctx, Result, function::Func};

pub(crate) use environment::{set_environment, set_iteration};
pub(crate) use inspect::inspect;

use crate::engine::{Vu, throw};

/// Defines all globals in a fresh context.
pub(crate) fn define(ctx: &Ctx<'_>, vu: &Vu) -> Result<()> {
    let globals = ctx.globals();
    globals.set("global", globals.clone())?;
    globals.set("__VU", vu.id())?;
    set_environment(ctx, vu.test().environment())?;
    globals.set("open", Func::from(open::open))?;
    globals.set("require", Func::from(require))?;
    console::define(ctx)?;
    timer::define(ctx)?;
    text::define(ctx)
}

fn require(ctx: Ctx<'_>, name: String) -> Result<()> {
    Err(throw(
        &ctx,
        format!(
            "require({name:?}): CommonJS modules are not built into this runner; write an import, \
             or run the script with k6"
        ),
    ))
}
