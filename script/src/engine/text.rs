//! Texts in ASCII where they are, without a call of the engine.
//!
//! Most strings of a script are kept as their bytes, one for each character, behind a short head. Where,
//! is known of one version of the engine, and tried out once; where that fails, the engine has to be asked.

use std::{ptr, slice, str, sync::OnceLock};

use rquickjs::{Ctx, Value, qjs};

use super::version;

/// How a string begins: `struct JSString` of the engine.
#[repr(C)]
struct Head {
    /// The highest bit is set where characters have two bytes.
    length: u32,
    /// The kind are the two bits above the hash; strings that are kept elsewhere have one.
    hash_and_kind: u32,
}

const WIDE: u32 = 1 << 31;
const KIND: u32 = 3 << 28;

/// The text of a string in ASCII. `None` when it is not, when it is put together or cut out of others, and
/// when the value is no string.
///
/// # Safety
/// The string is neither changed nor freed while the text is used: no script runs.
#[inline]
pub(crate) unsafe fn ascii<'v>(ctx: &Ctx<'_>, value: &'v Value<'_>) -> Option<&'v str> {
    let value = value.as_raw();
    // SAFETY: only the value's own tag is looked at.
    if unsafe { qjs::JS_VALUE_GET_TAG(value) } != qjs::JS_TAG_STRING {
        return None;
    }
    let offset = offset(ctx)?;
    // SAFETY: strings are pointers, and where they have their bytes was tried out.
    let bytes = unsafe {
        let start: *const u8 = head(value).cast();
        slice::from_raw_parts(start.add(offset), length(value)?)
    };
    // SAFETY: ASCII is UTF-8.
    bytes
        .is_ascii()
        .then(|| unsafe { str::from_utf8_unchecked(bytes) })
}

/// How many bytes a string has where it is; `None` when it has them elsewhere, or two for a character.
///
/// # Safety
/// The value is a string that begins as [`Head`] says.
#[inline]
unsafe fn length(string: qjs::JSValue) -> Option<usize> {
    // SAFETY: as the caller says.
    let head = unsafe { &*head(string) };
    let is_plain = head.length & WIDE == 0 && head.hash_and_kind & KIND == 0;
    is_plain.then_some(head.length as usize)
}

/// # Safety
/// The value is a string.
unsafe fn head(string: qjs::JSValue) -> *const Head {
    // SAFETY: strings are pointers.
    unsafe { qjs::JS_VALUE_GET_PTR(string).cast_const().cast() }
}

/// How far behind the start of a string its bytes are, which depends on how the engine was built. `None`
/// when that is not known.
fn offset(ctx: &Ctx<'_>) -> Option<usize> {
    static OFFSET: OnceLock<Option<usize>> = OnceLock::new();
    *OFFSET.get_or_init(|| version::is_known().then(|| tried_out(ctx)).flatten())
}

/// Tries it out with texts of different lengths and characters.
fn tried_out(ctx: &Ctx<'_>) -> Option<usize> {
    let offset = offset_of(ctx, "a text")?;
    let all_texts = ["", "a", "another, longer text"];
    let same = (all_texts.iter()).all(|text| offset_of(ctx, text) == Some(offset));
    let wide = offset_of(ctx, "\u{20ac}");
    (same && wide.is_none()).then_some(offset)
}

/// How far behind the start of a string with this text its bytes are; `None` when it has them elsewhere.
fn offset_of(ctx: &Ctx<'_>, text: &str) -> Option<usize> {
    let context = ctx.as_raw().as_ptr();
    // SAFETY: the context is in use, and the text is copied. What the engine gives is freed once, the string
    // last.
    unsafe {
        let string = qjs::JS_NewStringLen(context, text.as_ptr().cast(), text.len() as _);
        if qjs::JS_VALUE_GET_TAG(string) != qjs::JS_TAG_STRING {
            drop(ctx.catch());
            return None;
        }
        let mut offset = None;
        if length(string) == Some(text.len()) {
            // Of a text in ASCII the engine gives the bytes themselves.
            let bytes = qjs::JS_ToCStringLen2(context, ptr::null_mut(), string, false);
            offset = (bytes as usize).checked_sub(head(string) as usize);
            qjs::JS_FreeCString(context, bytes);
        }
        qjs::JS_FreeValue(context, string);
        // More would be another string.
        offset.filter(|offset| *offset <= 64)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rquickjs::{Context, Runtime};

    use super::*;

    /// Where this fails, texts are read as the engine gives them: see [`version::is_known`].
    #[test]
    fn this_engine_is_understood() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| assert!(offset(&ctx).is_some()));
    }

    #[test]
    fn texts_in_ascii_are_read_and_others_left() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            for (source, is_read) in [
                ("'ord-1'", true),
                ("''", true),
                ("`9780000${String(7).padStart(5, '0')}`", true),
                ("'a\\0b'", true),
                ("Object.keys({ name: 1 })[0]", true),
                ("JSON.parse('\"text\"')", true),
                ("'x'.repeat(5000)", true),
                // It shares the bytes of another string.
                ("'some longer text'.repeat(500).slice(3, 5000)", false),
                // It has not been put together yet.
                ("'x'.repeat(9000) + 'y'.repeat(9000)", false),
                ("'tölt'", false),
                ("'€'", false),
                ("'\\ud83d'", false),
                ("Symbol('s')", false),
                ("new String('text')", false),
                ("12", false),
            ] {
                let value: Value = ctx.eval(source).unwrap();
                // SAFETY: no script runs meanwhile.
                let text = unsafe { ascii(&ctx, &value) };
                let expected = value.as_string().map(rquickjs::String::to_string);
                match expected {
                    Some(Ok(expected)) if is_read => assert_eq!(text, Some(&*expected), "{source}"),
                    _ => assert_eq!(text, None, "{source}"),
                }
            }
        });
    }

    #[test]
    fn of_strings_that_have_their_characters_elsewhere_or_wide_no_bytes_are_taken() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            for source in [
                "'some longer text'.repeat(500).slice(3, 5000)",
                "'€'",
                "'a€'",
            ] {
                let value: Value = ctx.eval(source).unwrap();
                let raw = value.as_raw();
                // SAFETY: the tag is looked at first.
                unsafe {
                    assert_eq!(qjs::JS_VALUE_GET_TAG(raw), qjs::JS_TAG_STRING, "{source}");
                    assert_eq!(length(raw), None, "{source}");
                }
            }
        });
    }
}
