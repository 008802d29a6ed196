//! The module `k6/encoding`.

use base64::{
    Engine,
    engine::{GeneralPurpose, general_purpose},
};
use rquickjs::{
    ArrayBuffer, Coerced, Ctx, Function, IntoJs, Object, Result, Value,
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

fn b64encode<'js>(
    ctx: Ctx<'js>,
    input: Opt<Value<'js>>,
    encoding: Opt<Value<'js>>,
) -> Result<String> {
    let bytes = match input.0.as_ref().and_then(Value::as_string) {
        Some(text) => text.to_string()?.into_bytes(),
        None => (input.0.as_ref().and_then(bytes_of))
            .ok_or_else(|| throw(&ctx, "b64encode() takes a string or an ArrayBuffer"))?,
    };
    Ok(alphabet(&ctx, encoding.0.as_ref())?.encode(bytes))
}

fn b64decode<'js>(
    ctx: Ctx<'js>,
    input: Opt<Value<'js>>,
    encoding: Opt<Value<'js>>,
    format: Opt<Coerced<String>>,
) -> Result<Value<'js>> {
    let Some(input) = input.0.as_ref().and_then(Value::as_string) else {
        return Err(throw(&ctx, "b64decode() takes a string"));
    };
    let input = input.to_string()?;
    // Go passes over the ends of lines, which mail puts into base64.
    let line: String = input.split(['\r', '\n']).collect();
    let bytes = alphabet(&ctx, encoding.0.as_ref())?
        .decode(line)
        .map_err(|error| throw(&ctx, format!("b64decode({input:?}): {error}")))?;
    if format.0.is_some_and(|format| format.0 == "s") {
        return String::from_utf8_lossy(&bytes).into_owned().into_js(&ctx);
    }
    ArrayBuffer::new(ctx.clone(), bytes)?.into_js(&ctx)
}

fn alphabet<'js>(ctx: &Ctx<'js>, name: Option<&Value<'js>>) -> Result<GeneralPurpose> {
    let name = name.filter(|name| !name.is_undefined() && !name.is_null());
    let name = name.map(Value::get::<Coerced<String>>).transpose()?;
    Ok(match name.as_ref().map(|name| name.0.as_str()) {
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
