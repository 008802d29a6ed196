//! `__ENV` and `__ITER`.

use std::{cell::OnceCell, collections::BTreeMap};

use rquickjs::{Ctx, IntoJs, Object, Result};

use crate::engine::{KnownName, Phase, Vu};

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
    if vu.phase() != Phase::Iteration {
        return Ok(());
    }
    let state = vu.state::<Iteration>();
    let name = match state.name.get() {
        Some(name) => name,
        None => {
            let name = KnownName::new(ctx, "__ITER")?;
            state.name.get_or_init(|| name)
        }
    };
    name.assign(&ctx.globals(), &vu.iteration().into_js(ctx)?)
}

/// The name of the variable, which is set for every iteration.
#[derive(Default)]
struct Iteration {
    name: OnceCell<KnownName>,
}
