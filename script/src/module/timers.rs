//! The module `k6/timers`: the global functions, to import.

use rquickjs::{
    Ctx, Object, Result,
    module::{Declarations, Exports, ModuleDef},
};

use crate::global::timer;

/// `setTimeout` and its family.
pub(super) struct Timers;

impl ModuleDef for Timers {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in timer::NAMES {
            declarations.declare(name)?;
        }
        declarations.declare("default")?;
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let all = Object::new(ctx.clone())?;
        timer::define_in(ctx, |name, function| {
            all.set(name, function.clone())?;
            exports.export(name, function)?;
            Ok(())
        })?;
        exports.export("default", all)?;
        Ok(())
    }
}
