//! Which JavaScript engine this is.

use std::ffi::CStr;

use rquickjs::qjs;

/// Name and version of the JavaScript engine, for example `QuickJS-NG 0.11.0`.
#[must_use]
pub fn version() -> String {
    // SAFETY: the engine returns a string constant, which ends with a zero and lives for ever.
    let version = unsafe { CStr::from_ptr(qjs::JS_GetVersion()) };
    format!("QuickJS-NG {}", version.to_string_lossy())
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
