//! `String.prototype.includes`, which suites call for every answer.
//!
//! The engine compares at one place after the other, which costs more than all else that a check does.
//! What it would find is found here by a faster search; everything but a string in a string, such as a
//! third argument, an object or a text that is not ASCII, still goes to the engine's own function.

use std::{ffi::c_char, slice, str};

use rquickjs::{Ctx, Error, Object, Result, Value, object::Property, qjs};

/// Puts the faster function in the place of the engine's.
pub(super) fn define(ctx: &Ctx<'_>) -> Result<()> {
    let string: Object = ctx.globals().get("String")?;
    let prototype: Object = string.get("prototype")?;
    let own: Value = prototype.get("includes")?;
    let mut data = own.as_raw();
    // SAFETY: the context is in use, and the function takes an owner's part in `own` of its own.
    let faster = unsafe {
        let faster = qjs::JS_NewCFunctionData2(
            ctx.as_raw().as_ptr(),
            Some(includes),
            c"includes".as_ptr(),
            1,
            0,
            1,
            &raw mut data,
        );
        Value::from_raw(ctx.clone(), faster)
    };
    if faster.is_exception() {
        return Err(Error::Exception);
    }
    let property = Property::from(faster).writable().configurable();
    prototype.prop("includes", property)
}

/// The function as the engine calls it; `data` is its own one.
unsafe extern "C" fn includes(
    context: *mut qjs::JSContext,
    this: qjs::JSValue,
    count: i32,
    arguments: *mut qjs::JSValue,
    _magic: i32,
    data: *mut qjs::JSValue,
) -> qjs::JSValue {
    // SAFETY: the engine hands over a living context, as many arguments as it says, and the data that
    // the function was made with.
    unsafe {
        if count == 1
            && let Some(found) = found(context, this, *arguments)
        {
            return qjs::JS_MKVAL(qjs::JS_TAG_BOOL, i32::from(found));
        }
        qjs::JS_Call(context, *data, this, count, arguments)
    }
}

/// Whether a string holds another; `None` when the engine has to say.
///
/// # Safety
/// Context and values are alive.
unsafe fn found(
    context: *mut qjs::JSContext,
    text: qjs::JSValue,
    part: qjs::JSValue,
) -> Option<bool> {
    // SAFETY: as the caller says.
    unsafe {
        if !qjs::JS_IsString(text) || !qjs::JS_IsString(part) {
            return None;
        }
        let part = Bytes::of(context, part)?;
        // In UTF-8 no byte of another character looks like ASCII.
        let part = str::from_utf8(part.get())
            .ok()
            .filter(|part| part.is_ascii())?;
        let text = Bytes::of(context, text)?;
        Some(str::from_utf8(text.get()).ok()?.contains(part))
    }
}

/// The UTF-8 of a string: of one in ASCII its own bytes, of others a copy.
struct Bytes {
    context: *mut qjs::JSContext,
    start: *const c_char,
    length: usize,
}

impl Bytes {
    /// # Safety
    /// Context and string live longer than the result.
    unsafe fn of(context: *mut qjs::JSContext, string: qjs::JSValue) -> Option<Self> {
        let mut length = 0;
        // SAFETY: as the caller says.
        let start = unsafe { qjs::JS_ToCStringLen2(context, &raw mut length, string, false) };
        if start.is_null() {
            // No memory: the engine will throw again.
            // SAFETY: the exception is pending, and is freed once.
            unsafe { qjs::JS_FreeValue(context, qjs::JS_GetException(context)) };
            return None;
        }
        Some(Self {
            context,
            start,
            length: usize::try_from(length).unwrap_or_default(),
        })
    }

    fn get(&self) -> &[u8] {
        // SAFETY: the engine gave the start of so many bytes, which stay until they are freed.
        unsafe { slice::from_raw_parts(self.start.cast(), self.length) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: it came from this context, and is freed once.
        unsafe { qjs::JS_FreeCString(self.context, self.start) };
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rquickjs::{Context, Runtime};

    use super::*;

    /// Calls, each of which must give or throw the same as the engine's own function.
    const CALLS: &str = r"[
        ['abc', 'b'], ['abc', ''], ['', ''], ['', 'a'], ['abc', 'abcd'], ['abc', 'c', 2], ['abc', 'c', 3],
        ['abc', 'a', undefined], ['abc', 'a', -1], ['aäb', 'b'], ['aäb', 'ä'], ['äaab', 'ab'],
        ['a€b', 'b'], ['a€b', '€'], ['a😀b', 'b'], ['a😀b', '\ud83d'], ['a\ud83db', 'b'], ['a\ud83db', '\ud83d'],
        ['a\0b', '\0b'], ['x'.repeat(9999) + 'yz', 'xyz'], ['x' + 'y'.repeat(5000), 'y'.repeat(5001)],
        ['null', null], ['undefined'], ['undefined', undefined], ['1,2', [1, 2]], ['12', 2], [12, '2'], [12, 2],
        [{ toString: () => 'abc' }, 'b'], ['abc', { toString: () => 'b' }], ['abc', /b/], [null, 'a'],
        ['abc', Symbol('b')], ['abc', 'b', Symbol('c')], [new String('abc'), new String('b')],
    ]";

    #[test]
    fn it_finds_what_the_engine_finds() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            let outcomes = || -> Vec<String> {
                ctx.eval(format!(
                    "{CALLS}.map(([text, ...rest]) => {{
                        try {{ return String(String.prototype.includes.call(text, ...rest)); }}
                        catch (error) {{ return String(error); }}
                    }})"
                ))
                .unwrap()
            };
            let engines_own = outcomes();
            define(&ctx).unwrap();
            assert_eq!(outcomes(), engines_own);
            assert!(engines_own.iter().any(|outcome| outcome.contains("TypeError")));
            let looks: String = ctx
                .eval(
                    "const { value, ...flags } = Object.getOwnPropertyDescriptor(String.prototype, 'includes');
                    [value.name, value.length, JSON.stringify(flags)].join()",
                )
                .unwrap();
            let flags = r#"{"writable":true,"enumerable":false,"configurable":true}"#;
            assert_eq!(looks, format!("includes,1,{flags}"));
        });
    }
}
