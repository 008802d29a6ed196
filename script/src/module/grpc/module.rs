//! What scripts import.

use rquickjs::{
    Class, Ctx, Object, Result, Value,
    module::{Declarations, Exports, ModuleDef},
};

use super::{
    client::Client,
    samples::StreamMetrics,
    status::{CODES, HEALTH},
    stream::Stream,
};
use crate::engine::Vu;

/// `Client`, `Stream` and the constants.
pub(in crate::module) struct Grpc;

const CLASSES: [&str; 2] = ["Client", "Stream"];

fn constants() -> impl Iterator<Item = (&'static str, i32)> {
    CODES.into_iter().chain(HEALTH)
}

impl ModuleDef for Grpc {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        let constants = constants().map(|(name, _)| name);
        for name in constants.chain(CLASSES).chain(["default"]) {
            declarations.declare(name)?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        StreamMetrics::register(ctx, &*Vu::of(ctx)?)?;
        let all = Object::new(ctx.clone())?;
        Class::<Client>::define(&all)?;
        Class::<Stream>::define(&all)?;
        for name in CLASSES {
            exports.export(name, all.get::<_, Value>(name)?)?;
        }
        for (name, value) in constants() {
            all.set(name, value)?;
            exports.export(name, value)?;
        }
        exports.export("default", all)?;
        Ok(())
    }
}
