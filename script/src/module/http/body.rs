//! Bodies of requests.

use bytes::Bytes;
use rquickjs::{Coerced, Ctx, Object, Result, Value};

use super::{texts::Texts, url::push_escaped};
use crate::{engine::throw, module::bytes_of};

/// A body, and the content type that it brings along.
pub(super) struct RequestBody {
    pub(super) bytes: Bytes,
    pub(super) content_type: Option<&'static str>,
}

/// A string, bytes, or an object that becomes a form; `None` for null and undefined.
pub(super) fn request_body<'js>(
    ctx: &Ctx<'js>,
    texts: &Texts<Bytes>,
    value: Option<&Value<'js>>,
) -> Result<Option<RequestBody>> {
    let Some(value) = value.filter(|value| !value.is_null() && !value.is_undefined()) else {
        return Ok(None);
    };
    let plain = |bytes: Bytes| RequestBody {
        bytes,
        content_type: None,
    };
    if let Some(text) = value.as_string() {
        return Ok(Some(plain(texts.of(ctx, text, Bytes::from)?)));
    }
    if let Some(bytes) = bytes_of(value) {
        return Ok(Some(plain(bytes.into())));
    }
    match value.as_object().filter(|object| !object.is_function()) {
        Some(object) => Ok(Some(RequestBody {
            bytes: form(object)?.into(),
            content_type: Some("application/x-www-form-urlencoded"),
        })),
        None => Err(throw(
            ctx,
            format!(
                "{} cannot be the body of a request; give a string, an ArrayBuffer or an object",
                crate::global::inspect(value)
            ),
        )),
    }
}

/// Encodes the fields, sorted by name; arrays give a field several times.
fn form(object: &Object<'_>) -> Result<String> {
    let mut fields = Vec::new();
    for entry in object.props::<String, Value>() {
        let (name, value) = entry?;
        match value.as_array() {
            Some(values) => {
                for value in values.iter::<Coerced<String>>() {
                    fields.push((name.clone(), value?.0));
                }
            }
            None => fields.push((name, value.get::<Coerced<String>>()?.0)),
        }
    }
    fields.sort_by(|(one, _), (other, _)| one.cmp(other));
    let pairs: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("{}={}", form_encoded(name), form_encoded(value)))
        .collect();
    Ok(pairs.join("&"))
}

fn form_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            _ if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) => {
                encoded.push(char::from(byte));
            }
            _ => push_escaped(&mut encoded, byte),
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_encoded() {
        assert_eq!(form_encoded("a b&c=ä~"), "a+b%26c%3D%C3%A4~");
    }
}
