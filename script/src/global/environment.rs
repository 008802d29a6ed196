//! `__ENV` and `__ITER`.

use std::collections::BTreeMap;

use rquickjs::{Ctx, Object, Result};

use crate::engine::{Phase, Vu};

/// Defines `__ENV` anew.
pub(crate) fn set_environment(ctx: &Ctx<'_>, variables: &BTreeMap<String, String>) -> Result<()> {
    let environment = Object::new(ctx.clone())?;
    for (name, value) in variables {
        environment.set(name.as_str(), value.as_str())?;
    }
    ctx.globals().set("__ENV", environment)
}

/// Sets `__ITER`, which exists in iterations only.
pub(crate) fn set_iteration(ctx: &Ctx<'_>, vu: &Vu) -> Result<()> {
    if vu.phase() == Phase::Iteration {
        ctx.globals().set("__ITER", vu.iteration())?;
    }
    Ok(())
}
