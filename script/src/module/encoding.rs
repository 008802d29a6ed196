//! The module `k6/encoding`.

use base64::{
    Engine,
    engine::{GeneralPurpose, general_purpose},
};
use rquickjs::{
    ArrayBuffer, Ctx, Function, IntoJs, Object, Result, Value,
    function::Opt,
    module::{Declarations, Exports, ModuleDef},
};

use super::bytes_of;
use crate::engine::throw;

/// `b64encode` and `b64decode`.
pub(super) struct Encoding;

impl ModuleDef for Encoding {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        for name in ["b64encode", "b64decode", "default"] {
            declarations.declare(name)?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, exports: &Exports<'js>) -> Result<()> {
        let all = Object::new(ctx.clone())?;
        for (name, function) in [
            ("b64encode", Function::new(ctx.clone(), b64encode)?),
            ("b64decode", Function::new(ctx.clone(), b64decode)?),
        ] {
            all.set(name, function.clone())?;
            exports.export(name, function)?;
        }
        exports.export("default", all)?;
        Ok(())
    }
}

fn b64encode<'js>(ctx: Ctx<'js>, input: Value<'js>, encoding: Opt<String>) -> Result<String> {
    let bytes = match input.as_string() {
        Some(text) => text.to_string()?.into_bytes(),
        None => bytes_of(&input)
            .ok_or_else(|| throw(&ctx, "b64encode() takes a string or an ArrayBuffer"))?,
    };
    Ok(alphabet(&ctx, encoding.0.as_deref())?.encode(bytes))
}

fn b64decode(
    ctx: Ctx<'_>,
    input: String,
    encoding: Opt<String>,
    format: Opt<String>,
) -> Result<Value<'_>> {
    let bytes = alphabet(&ctx, encoding.0.as_deref())?
        .decode(&input)
        .map_err(|error| throw(&ctx, format!("b64decode({input:?}): {error}")))?;
    if format.0.as_deref() == Some("s") {
        return String::from_utf8_lossy(&bytes).into_owned().into_js(&ctx);
    }
    ArrayBuffer::new(ctx.clone(), bytes)?.into_js(&ctx)
}

fn alphabet(ctx: &Ctx<'_>, name: Option<&str>) -> Result<GeneralPurpose> {
    Ok(match name {
        None | Some("std") => general_purpose::STANDARD,
        Some("rawstd") => general_purpose::STANDARD_NO_PAD,
        Some("url") => general_purpose::URL_SAFE,
        Some("rawurl") => general_purpose::URL_SAFE_NO_PAD,
        Some(other) => {
            return Err(throw(
                ctx,
                format!("{other:?} is no base64 encoding; use std, rawstd, url or rawurl"),
            ));
        }
    })
}
