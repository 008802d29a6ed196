//! Files in the body of a request.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use rquickjs::{
    ArrayBuffer, Class, Coerced, Ctx, JsLifetime, Result, Value, class::Trace, function::Opt,
};

use crate::{engine::throw, module::bytes_of};

/// What `http.file()` returns: a file for a body in several parts.
#[derive(Clone, Debug, Trace, JsLifetime)]
#[rquickjs::class]
pub(super) struct FileData {
    #[qjs(skip_trace)]
    pub(super) content: Bytes,
    #[qjs(get, enumerable)]
    pub(super) filename: String,
    #[qjs(get, enumerable, rename = "content_type")]
    pub(super) content_type: String,
}

#[rquickjs::methods]
impl FileData {
    #[qjs(get, enumerable)]
    fn data<'js>(&self, ctx: Ctx<'js>) -> Result<ArrayBuffer<'js>> {
        ArrayBuffer::new_copy(ctx, &self.content)
    }
}

/// A file of a string or of bytes; it is named by the time, and has no certain type, unless the script
/// says otherwise.
pub(super) fn file<'js>(
    ctx: Ctx<'js>,
    data: Value<'js>,
    filename: Opt<Value<'js>>,
    content_type: Opt<Value<'js>>,
) -> Result<Class<'js, FileData>> {
    let content = match (data.as_string(), bytes_of(&data)) {
        (Some(text), _) => text.to_string()?.into(),
        (None, Some(bytes)) => bytes.into(),
        (None, None) => {
            return Err(throw(
                &ctx,
                format!(
                    "http.file(): {} cannot be a file; give a string or an ArrayBuffer",
                    crate::global::inspect(&data)
                ),
            ));
        }
    };
    let by_time = || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.unwrap_or_default().as_nanos().to_string()
    };
    let filename = given(filename)?.unwrap_or_else(by_time);
    let content_type = given(content_type)?;
    let file = FileData {
        content,
        filename,
        content_type: content_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
    };
    Class::instance(ctx, file)
}

/// An argument that is there and not empty.
fn given(argument: Opt<Value<'_>>) -> Result<Option<String>> {
    let value = argument
        .0
        .filter(|value| !value.is_undefined() && !value.is_null());
    let text = value
        .map(|value| value.get::<Coerced<String>>())
        .transpose()?;
    Ok(text.map(|text| text.0).filter(|text| !text.is_empty()))
}
