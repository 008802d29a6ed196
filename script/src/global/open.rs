//! `open()`: a file's content, in init code.

use rquickjs::{ArrayBuffer, Ctx, IntoJs, Result, Value, function::Opt};

use crate::engine::{Vu, module_path, throw};

/// A path is relative to the file whose code calls.
pub(super) fn open<'js>(ctx: Ctx<'js>, path: String, mode: Opt<Value<'js>>) -> Result<Value<'js>> {
    let vu = Vu::of(&ctx)?;
    vu.require_init(&ctx, "open()")?;
    if path.is_empty() {
        return Err(throw(&ctx, "open() needs the path of a file"));
    }
    let caller = match ctx.script_or_module_name(0) {
        Some(name) => module_path(&name.to_string()?),
        None => vu.test().script().to_owned(),
    };
    let path = match caller.parent() {
        Some(directory) => directory.join(module_path(&path)),
        None => module_path(&path),
    };
    let content = vu
        .test()
        .sources()
        .read(&path)
        .map_err(|error| throw(&ctx, format!("open(): {error}")))?;
    let binary = mode.0.as_ref().and_then(Value::as_string);
    if binary.is_some_and(|mode| mode.to_string().is_ok_and(|mode| mode == "b")) {
        return ArrayBuffer::new_copy(ctx.clone(), &*content)?.into_js(&ctx);
    }
    String::from_utf8_lossy(&content).into_js(&ctx)
}
