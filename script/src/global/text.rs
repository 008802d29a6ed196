//! `TextEncoder` and `TextDecoder`.

use rquickjs::{
    ArrayBuffer, Class, Coerced, Ctx, JsLifetime, Result, TypedArray, Value, class::Trace,
    function::Opt,
};

use crate::{engine::throw, module::bytes_of};

pub(super) fn define(ctx: &Ctx<'_>) -> Result<()> {
    let globals = ctx.globals();
    Class::<TextEncoder>::define(&globals)?;
    Class::<TextDecoder>::define(&globals)
}

/// Encodes to UTF-8.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
struct TextEncoder {}

#[rquickjs::methods(rename_all = "camelCase")]
#[expect(clippy::unused_self, reason = "a method of JavaScript")]
impl TextEncoder {
    #[qjs(constructor)]
    fn new() -> Self {
        Self {}
    }

    #[qjs(get)]
    fn encoding(&self) -> &'static str {
        "utf-8"
    }

    fn encode<'js>(
        &self,
        ctx: Ctx<'js>,
        text: Opt<Coerced<String>>,
    ) -> Result<TypedArray<'js, u8>> {
        let text = text.0.map(|Coerced(text)| text).unwrap_or_default();
        TypedArray::from_arraybuffer(ArrayBuffer::new_copy(ctx, text.as_bytes())?)
    }
}

/// Decodes UTF-8.
#[derive(Trace, JsLifetime)]
#[rquickjs::class]
struct TextDecoder {
    fatal: bool,
    ignore_bom: bool,
}

#[rquickjs::methods(rename_all = "camelCase")]
#[expect(clippy::unused_self, reason = "a method of JavaScript")]
impl TextDecoder {
    #[qjs(constructor)]
    fn new<'js>(
        ctx: Ctx<'js>,
        label: Opt<Coerced<String>>,
        options: Opt<rquickjs::Object<'js>>,
    ) -> Result<Self> {
        if let Some(Coerced(label)) = label.0
            && !["utf-8", "utf8", "undefined"].contains(&label.trim().to_lowercase().as_str())
        {
            return Err(throw(
                &ctx,
                format!(
                    "TextDecoder: the encoding {label} is not built into this runner; use utf-8, \
                     or run the script with k6"
                ),
            ));
        }
        let flag = |name| {
            options
                .0
                .as_ref()
                .and_then(|options| options.get::<_, bool>(name).ok())
                .unwrap_or_default()
        };
        Ok(Self {
            fatal: flag("fatal"),
            ignore_bom: flag("ignoreBOM"),
        })
    }

    #[qjs(get)]
    fn encoding(&self) -> &'static str {
        "utf-8"
    }

    #[qjs(get)]
    fn fatal(&self) -> bool {
        self.fatal
    }

    fn decode<'js>(&self, ctx: Ctx<'js>, bytes: Opt<Value<'js>>) -> Result<String> {
        let Some(value) = bytes.0.filter(|value| !value.is_undefined()) else {
            return Ok(String::new());
        };
        let bytes = bytes_of(&value).ok_or_else(|| {
            throw(
                &ctx,
                "TextDecoder.decode() takes an ArrayBuffer or a view of one",
            )
        })?;
        let bytes = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) if !self.ignore_bom => rest,
            _ => &bytes[..],
        };
        match String::from_utf8_lossy(bytes) {
            text if self.fatal && matches!(text, std::borrow::Cow::Owned(_)) => Err(
                rquickjs::Exception::throw_type(&ctx, "the bytes are not UTF-8"),
            ),
            text => Ok(text.into_owned()),
        }
    }
}
