//! Which JavaScript engine this is.

use std::ffi::CStr;

use rquickjs::qjs;

/// The version whose objects and strings begin as [`super::layout`] and [`super::text`] say. After an update,
/// hold both against `struct JSObject`, `JSProperty` and `JSString` of the engine's `quickjs.c`, and against
/// every place there that writes to a `JSShape`.
const KNOWN: &CStr = c"0.16.2";

/// Whether this is an engine of which it is known where objects and strings keep what.
pub(super) fn is_known() -> bool {
    let is_64_bit = size_of::<*const ()>() == 8 && size_of::<qjs::JSValue>() == 16;
    number() == KNOWN && is_64_bit
}

fn number() -> &'static CStr {
    // SAFETY: the engine returns a string constant, which ends with a zero and lives for ever.
    unsafe { CStr::from_ptr(qjs::JS_GetVersion()) }
}

/// Name and version of the JavaScript engine, for example `QuickJS-NG 0.11.0`.
#[must_use]
pub fn version() -> String {
    format!("QuickJS-NG {}", number().to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_a_number() {
        let version = version();
        assert!(
            version
                .strip_prefix("QuickJS-NG ")
                .is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit())),
            "{version}"
        );
    }
}
