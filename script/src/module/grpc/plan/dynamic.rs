//! The long way, for what plans do not write or read themselves.

use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use prost::Message;
use prost_reflect::{
    DynamicMessage, MapKey, MessageDescriptor, ReflectMessage, SerializeOptions, Value as Reflected,
};
use rquickjs::{Coerced, Ctx, Error, Exception, Function, IntoJs, Result, Value};

use serde_json::Value as Json;

use super::{
    build::unset,
    shape::{Plan, Unset},
    write::NonFinite,
};
use crate::{
    engine::{throw, wait},
    module::bytes_of,
};

impl Plan {
    /// Appends the message that a value stands for when it is printed as JSON.
    ///
    /// # Errors
    /// Throws, in k6's words, when it has no JSON or the JSON does not fit the type.
    pub(in crate::module::grpc) fn write_json<'js>(
        &self,
        ctx: &Ctx<'js>,
        value: &Value<'js>,
        non_finite: NonFinite,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let json = stringify(ctx, value, non_finite)?;
        let descriptor = self.descriptor.clone();
        let encoded = on_thread_stack(ctx, move || encode(descriptor, &json))?;
        match encoded {
            Ok(message) => {
                out.extend_from_slice(&message);
                Ok(())
            }
            Err(error) => Err(throw(
                ctx,
                format!("unable to serialise request object to protocol buffer: {error}"),
            )),
        }
    }
}

fn stringify<'js>(ctx: &Ctx<'js>, value: &Value<'js>, non_finite: NonFinite) -> Result<String> {
    let text = match non_finite {
        NonFinite::Null => ctx.json_stringify(value.clone()),
        NonFinite::Kept => {
            let replacer: Function = ctx.eval(
                "(_, value) => typeof value === 'number' && !Number.isFinite(value) \
                 ? String(value) : value",
            )?;
            ctx.json_stringify_replacer(value.clone(), replacer)
        }
        NonFinite::KeptWithBytes => {
            let replacer = Function::new(ctx.clone(), with_bytes)?;
            ctx.json_stringify_replacer(value.clone(), replacer)
        }
    };
    match text {
        Ok(Some(text)) => text.to_string(),
        Ok(None) => Err(throw(
            ctx,
            "unable to serialise request object: it has no form in JSON",
        )),
        Err(Error::Exception) => Err(no_json(ctx)),
        Err(error) => Err(error),
    }
}

/// Gives every value a form that JSON has.
fn with_bytes<'js>(ctx: Ctx<'js>, _key: Value<'js>, value: Value<'js>) -> Result<Value<'js>> {
    let is_text =
        value.is_big_int() || (value.as_float()).is_some_and(|number| !number.is_finite());
    if is_text {
        return value.get::<Coerced<String>>()?.0.into_js(&ctx);
    }
    match bytes_of(&value) {
        Some(bytes) => BASE64_STANDARD.encode(bytes).into_js(&ctx),
        None => Ok(value),
    }
}

/// Puts k6's words before what `JSON.stringify` threw.
fn no_json(ctx: &Ctx<'_>) -> Error {
    let thrown = ctx.catch();
    let exception = thrown.as_object().cloned().and_then(Exception::from_object);
    let Some(message) = exception.and_then(|exception| exception.message()) else {
        return ctx.throw(thrown);
    };
    let what = if message.contains("circular") {
        "unable to normalize number strings"
    } else {
        "unable to serialise request object"
    };
    throw(ctx, format!("{what}: {message}"))
}

fn encode(
    descriptor: MessageDescriptor,
    json: &str,
) -> std::result::Result<Vec<u8>, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let message = DynamicMessage::deserialize(descriptor, &mut deserializer)?;
    deserializer.end()?;
    Ok(message.encode_to_vec())
}

/// The JSON form of a message; the error says what is wrong with its bytes.
pub(super) fn read_json<'js>(
    ctx: &Ctx<'js>,
    descriptor: &MessageDescriptor,
    bytes: &[u8],
) -> Result<std::result::Result<Value<'js>, String>> {
    let (descriptor, bytes) = (descriptor.clone(), Bytes::copy_from_slice(bytes));
    match on_thread_stack(ctx, move || decode(descriptor, bytes))? {
        Ok(json) => ctx.json_parse(json).map(Ok),
        Err(error) => Ok(Err(error)),
    }
}

/// A message as JSON, in the form that plans give it.
pub(super) fn decode(
    descriptor: MessageDescriptor,
    bytes: Bytes,
) -> std::result::Result<Vec<u8>, String> {
    let message = DynamicMessage::decode(descriptor, bytes).map_err(|error| error.to_string())?;
    let options = SerializeOptions::new().skip_default_fields(false);
    let mut text = serde_json::Serializer::new(Vec::new());
    message
        .serialize_with_options(&mut text, &options)
        .map_err(|error| error.to_string())?;
    let text = text.into_inner();
    if has_own_form(&message) {
        return Ok(text);
    }
    let mut json = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
    add_nulls(&message, &mut json);
    Ok(json.to_string().into_bytes())
}

fn has_own_form(message: &DynamicMessage) -> bool {
    message.descriptor().package_name() == "google.protobuf"
}

/// Adds the fields that are shown as null when they are not set.
fn add_nulls(message: &DynamicMessage, json: &mut Json) {
    let descriptor = message.descriptor();
    let Some(fields) = json.as_object_mut().filter(|_| !has_own_form(message)) else {
        return;
    };
    for field in descriptor.fields() {
        if !message.has_field(&field) {
            if unset(&field) == Unset::Null {
                fields.insert(field.json_name().to_owned(), Json::Null);
            }
            continue;
        }
        let Some(json) = fields.get_mut(field.json_name()) else {
            continue;
        };
        match &*message.get_field(&field) {
            Reflected::Message(message) => add_nulls(message, json),
            Reflected::List(list) => {
                let elements = json.as_array_mut().into_iter().flatten();
                for (element, json) in list.iter().zip(elements) {
                    if let Reflected::Message(message) = element {
                        add_nulls(message, json);
                    }
                }
            }
            Reflected::Map(map) => {
                for (key, value) in map {
                    let key = key_text(key);
                    if let (Reflected::Message(message), Some(json)) = (value, json.get_mut(&key)) {
                        add_nulls(message, json);
                    }
                }
            }
            _ => {}
        }
    }
}

fn key_text(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => key.clone(),
    }
}

/// Runs what may recurse deeply away from the small stack of the virtual user.
///
/// # Errors
/// Throws when the virtual user is stopped.
pub(in crate::module::grpc) fn on_thread_stack<R>(
    ctx: &Ctx<'_>,
    function: impl FnOnce() -> R,
) -> Result<R> {
    wait(ctx, async move { function() })
}
