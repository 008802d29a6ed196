//! Bodies of requests.

use bytes::Bytes;
use http::HeaderValue;
use rquickjs::{Class, Coerced, Ctx, Object, Result, Value};

use super::{file::FileData, multipart::Multipart, texts::Texts, url::push_escaped};
use crate::{engine::throw, module::bytes_of};

/// A body, and the content type that it brings along.
pub(super) struct RequestBody {
    pub(super) bytes: Bytes,
    pub(super) content_type: Option<HeaderValue>,
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
        Some(object) => of_fields(ctx, &fields(object)?).map(Some),
        None => Err(throw(
            ctx,
            format!(
                "{} cannot be the body of a request; give a string, an ArrayBuffer or an object",
                crate::global::inspect(value)
            ),
        )),
    }
}

/// A field of a form.
enum Field {
    Text(String),
    File(FileData),
}

/// The fields of a form, sorted by name; arrays give a field several times.
fn fields(object: &Object<'_>) -> Result<Vec<(String, Field)>> {
    let mut fields = Vec::new();
    for entry in object.props::<String, Value>() {
        let (name, value) = entry?;
        match value.as_array() {
            Some(values) => {
                for value in values.iter::<Value>() {
                    fields.push((name.clone(), field(&value?)?));
                }
            }
            None => fields.push((name, field(&value)?)),
        }
    }
    fields.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(fields)
}

fn field(value: &Value<'_>) -> Result<Field> {
    let file = value.as_object().and_then(Class::<FileData>::from_object);
    Ok(match file {
        Some(file) => Field::File(file.borrow().clone()),
        None if value.is_null() || value.is_undefined() => Field::Text(String::new()),
        None => Field::Text(value.get::<Coerced<String>>()?.0),
    })
}

/// In several parts when there is a file among the fields.
fn of_fields(ctx: &Ctx<'_>, fields: &[(String, Field)]) -> Result<RequestBody> {
    let texts: Option<Vec<_>> = (fields.iter())
        .map(|(name, field)| match field {
            Field::Text(value) => Some(format!("{}={}", form_encoded(name), form_encoded(value))),
            Field::File(_) => None,
        })
        .collect();
    if let Some(pairs) = texts {
        return Ok(RequestBody {
            bytes: pairs.join("&").into(),
            content_type: Some(HeaderValue::from_static(
                "application/x-www-form-urlencoded",
            )),
        });
    }
    let mut multipart = Multipart::new();
    for (name, field) in fields {
        match field {
            Field::Text(value) => multipart.text(name, value),
            Field::File(file) => multipart.file(name, file),
        }
    }
    let (bytes, content_type) = multipart.finish();
    let content_type = HeaderValue::try_from(content_type);
    let content_type = content_type.map_err(|error| throw(ctx, error.to_string()))?;
    Ok(RequestBody {
        bytes: bytes.into(),
        content_type: Some(content_type),
    })
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
