//! What scripts get to see of a call.

use std::{rc::Rc, sync::LazyLock};

use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use prost::Message;
use prost_reflect::DescriptorPool;
use rquickjs::{
    Array, Class, Ctx, Error, Function, JsLifetime, Object, Persistent, Result, String as Text,
    Value, class::Trace, function::This,
};

use super::{
    method::{Method, Methods},
    plan::{Name, Names, Plan, ReadError, define, set, set_getter},
    protocol::Protocol,
    status::{Status, decode_binary},
    transport::Ending,
    web,
};
use crate::engine::{Vu, empty_object};

/// The names in a response.
pub(super) struct ResponseNames {
    _names: Names,
    message: Name,
    error: Name,
    headers: Name,
    trailers: Name,
    status: Name,
    read_headers: Persistent<Function<'static>>,
    read_trailers: Persistent<Function<'static>>,
    /// Objects with none, one and more of the properties. The engine forgets how an object is laid out with
    /// the last of its kind, and would work it out anew for every answer.
    kept: Vec<Persistent<Value<'static>>>,
}

impl ResponseNames {
    pub(super) fn new(ctx: &Ctx<'_>) -> Result<Self> {
        let mut names = Names::new(ctx)?;
        let [message, error, headers, trailers, status] =
            ["message", "error", "headers", "trailers", "status"]
                .map(|text| names.intern(ctx, text));
        let mut form = Self {
            message: message?,
            error: error?,
            headers: headers?,
            trailers: trailers?,
            status: status?,
            read_headers: Persistent::save(ctx, Function::new(ctx.clone(), read_headers)?),
            read_trailers: Persistent::save(ctx, Function::new(ctx.clone(), read_trailers)?),
            _names: names,
            kept: Vec::new(),
        };
        let prototype = Class::<Metadata>::prototype(ctx)?.ok_or(Error::Unknown)?;
        for properties in 0..=PROPERTIES {
            let object = empty_object(&prototype)?.into_value();
            let null = || Value::new_null(ctx.clone());
            form.define(ctx, &object, [null(), null(), null()], properties)?;
            form.kept.push(Persistent::save(ctx, object));
        }
        Ok(form)
    }

    /// Gives an object the first properties of an answer: message, error, headers, trailers and status.
    fn define<'js>(
        &self,
        ctx: &Ctx<'js>,
        object: &Value<'js>,
        [message, error, status]: [Value<'js>; 3],
        properties: usize,
    ) -> Result<()> {
        let getter = |getter: &Persistent<Function<'static>>| getter.clone().restore(ctx);
        if properties > 0 {
            set(ctx, object, self.message, message)?;
        }
        if properties > 1 {
            set(ctx, object, self.error, error)?;
        }
        if properties > 2 {
            set_getter(ctx, object, self.headers, &getter(&self.read_headers)?)?;
        }
        if properties > 3 {
            set_getter(ctx, object, self.trailers, &getter(&self.read_trailers)?)?;
        }
        if properties > 4 {
            set(ctx, object, self.status, status)?;
        }
        Ok(())
    }
}

/// How many an answer has.
const PROPERTIES: usize = 5;

/// The message of an answer, and the status: bytes that are no message fail the call.
pub(super) fn read_message<'js>(
    ctx: &Ctx<'js>,
    plan: &Plan,
    bytes: Option<&Bytes>,
    status: &mut Status,
) -> Result<Value<'js>> {
    if status.is_ok()
        && let Some(bytes) = bytes
    {
        match plan.read(ctx, bytes) {
            Ok(message) => return Ok(message),
            Err(ReadError::Script(error)) => return Err(error),
            Err(ReadError::Malformed(reason)) => {
                *status = Status::internal(format!(
                    "grpc: failed to unmarshal the received message: {reason}"
                ));
            }
        }
    }
    empty_message(ctx, plan)
}

/// A message in which nothing is set, which k6 shows when a call failed.
fn empty_message<'js>(ctx: &Ctx<'js>, plan: &Plan) -> Result<Value<'js>> {
    match plan.read(ctx, &[]) {
        Ok(message) => Ok(message),
        Err(ReadError::Script(error)) => Err(error),
        Err(ReadError::Malformed(_)) => Ok(Value::new_null(ctx.clone())),
    }
}

/// The object that `invoke` returns.
pub(super) fn response<'js>(
    ctx: &Ctx<'js>,
    methods: &Methods,
    method: &Method,
    protocol: Protocol,
    message: Value<'js>,
    ending: Ending,
) -> Result<Value<'js>> {
    let names = methods.response_names(ctx)?;
    let metadata = Metadata {
        protocol,
        headers: ending.headers,
        trailers: ending.trailers,
    };
    let object = Class::instance(ctx.clone(), metadata)?.into_value();
    let error = if ending.status.is_ok() {
        Value::new_null(ctx.clone())
    } else {
        status_object(ctx, &method.pool, &ending.status)?.into_value()
    };
    let code = Value::new_int(ctx.clone(), ending.status.code);
    names.define(ctx, &object, [message, error, code], PROPERTIES)?;
    Ok(object)
}

/// What came beside the message. It becomes JavaScript objects when a script reads it, which few
/// scripts do: to make them of every answer costs more than to read a short message.
#[derive(Trace, JsLifetime)]
#[rquickjs::class(rename = "Object")]
pub(super) struct Metadata {
    #[qjs(skip_trace)]
    protocol: Protocol,
    #[qjs(skip_trace)]
    headers: Rc<HeaderMap>,
    #[qjs(skip_trace)]
    trailers: Rc<HeaderMap>,
}

#[rquickjs::methods]
impl Metadata {}

impl Metadata {
    fn object<'js>(
        &self,
        ctx: &Ctx<'js>,
        which: impl FnOnce(&Self) -> &HeaderMap,
    ) -> Result<Value<'js>> {
        headers_object(ctx, self.protocol, which(self))
    }
}

type Answer<'js> = This<Class<'js, Metadata>>;

fn read_headers<'js>(ctx: Ctx<'js>, answer: Answer<'js>) -> Result<Value<'js>> {
    let headers = answer.borrow().object(&ctx, |answer| &answer.headers)?;
    keep(&ctx, &answer, headers, |names| names.headers)
}

fn read_trailers<'js>(ctx: Ctx<'js>, answer: Answer<'js>) -> Result<Value<'js>> {
    let trailers = answer.borrow().object(&ctx, |answer| &answer.trailers)?;
    keep(&ctx, &answer, trailers, |names| names.trailers)
}

/// Puts a value in the place of the property that made it.
fn keep<'js>(
    ctx: &Ctx<'js>,
    answer: &Class<'js, Metadata>,
    value: Value<'js>,
    name: impl FnOnce(&ResponseNames) -> Name,
) -> Result<Value<'js>> {
    let methods = Methods::of(&*Vu::of(ctx)?);
    let name = name(methods.response_names(ctx)?);
    set(ctx, answer.as_value(), name, value.clone())?;
    Ok(value)
}

/// `google.rpc.Status` as JSON shows it.
pub(super) fn status_object<'js>(
    ctx: &Ctx<'js>,
    pool: &DescriptorPool,
    status: &Status,
) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("code", status.code)?;
    object.set("message", status.message.as_str())?;
    let details = Array::new(ctx.clone())?;
    // Details that cannot be read are left out: the status itself is known.
    let decoded = RpcStatus::decode(&*status.details).unwrap_or_default();
    for (place, detail) in decoded.details.iter().enumerate() {
        details.set(place, detail_object(ctx, pool, detail)?)?;
    }
    object.set("details", details)?;
    Ok(object)
}

/// Google's error details, which servers send without that scripts load them
/// (<https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto>).
static ERROR_DETAILS: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let files = tonic_types::pb::FILE_DESCRIPTOR_SET;
    // A test reads them; without them such details are shown as bytes.
    DescriptorPool::decode(files).unwrap_or_default()
});

fn detail_object<'js>(
    ctx: &Ctx<'js>,
    pool: &DescriptorPool,
    detail: &prost_types::Any,
) -> Result<Object<'js>> {
    let object = Object::new(ctx.clone())?;
    object.set("@type", detail.type_url.as_str())?;
    let name = detail.type_url.rsplit('/').next().unwrap_or_default();
    let known =
        (pool.get_message_by_name(name)).or_else(|| ERROR_DETAILS.get_message_by_name(name));
    let value = match known {
        Some(descriptor) => Plan::new(ctx, &descriptor)?.read(ctx, &detail.value),
        // A type that was not loaded is shown as its bytes.
        None => Ok(base64_text(ctx, &detail.value)?),
    };
    let value = match value {
        Ok(value) => value,
        Err(ReadError::Script(error)) => return Err(error),
        Err(ReadError::Malformed(_)) => base64_text(ctx, &detail.value)?,
    };
    match value.as_object() {
        Some(fields) if !name.starts_with("google.protobuf.") => {
            for entry in fields.props::<String, Value>() {
                let (name, value) = entry?;
                define(&object, &name, value)?;
            }
        }
        _ => object.set("value", value)?,
    }
    Ok(object)
}

fn base64_text<'js>(ctx: &Ctx<'js>, bytes: &[u8]) -> Result<Value<'js>> {
    use base64::{Engine, prelude::BASE64_STANDARD};
    Ok(Text::from_str(ctx.clone(), &BASE64_STANDARD.encode(bytes))?.into_value())
}

/// `google.rpc.Status`
/// (<https://github.com/googleapis/googleapis/blob/master/google/rpc/status.proto>).
#[derive(Clone, PartialEq, Message)]
struct RpcStatus {
    #[prost(message, repeated, tag = "3")]
    details: Vec<prost_types::Any>,
}

/// Headers that belong to the protocol and that grpc-go keeps to itself.
const RESERVED: [&str; 6] = [
    "grpc-encoding",
    "grpc-message",
    "grpc-message-type",
    "grpc-status",
    "grpc-timeout",
    "te",
];

/// Names and lists of values.
pub(super) fn headers_object<'js>(
    ctx: &Ctx<'js>,
    protocol: Protocol,
    headers: &HeaderMap,
) -> Result<Value<'js>> {
    let object = Object::new(ctx.clone())?;
    for name in headers.keys().map(HeaderName::as_str) {
        if RESERVED.contains(&name) {
            continue;
        }
        let texts: Vec<String> = match protocol {
            Protocol::Grpc => {
                let values = headers.get_all(name).iter();
                values.map(|value| text(name, value.as_bytes())).collect()
            }
            Protocol::Web => {
                let values = web::values_of(headers, name);
                values.map(|value| bytewise(name, value)).collect()
            }
        };
        let values = Array::new(ctx.clone())?;
        for (place, text) in texts.into_iter().enumerate() {
            values.set(place, text)?;
        }
        define(&object, name, values.into_value())?;
    }
    Ok(object.into_value())
}

/// A value as k6 shows it: bytes that are no UTF-8 are lost.
fn text(name: &str, value: &[u8]) -> String {
    let decoded = binary(name, value);
    String::from_utf8_lossy(decoded.as_deref().unwrap_or(value)).into_owned()
}

/// A value in which every byte is a character, so that none is lost.
fn bytewise(name: &str, value: &[u8]) -> String {
    let decoded = binary(name, value);
    let bytes = decoded.as_deref().unwrap_or(value);
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The bytes of a binary header, unless they are no base64.
fn binary(name: &str, value: &[u8]) -> Option<Vec<u8>> {
    if name.ends_with("-bin") {
        decode_binary(value)
    } else {
        None
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rquickjs::{Context, Runtime};

    use super::*;
    use crate::module::grpc::plan::layouts_in_use;

    #[test]
    fn how_an_answer_is_laid_out_is_not_forgotten() {
        let context = Context::full(&Runtime::new().unwrap()).unwrap();
        context.with(|ctx| {
            let names = ResponseNames::new(&ctx).unwrap();
            let before = layouts_in_use(&ctx);
            let metadata = Metadata {
                protocol: Protocol::Grpc,
                headers: Rc::default(),
                trailers: Rc::default(),
            };
            let object = Class::instance(ctx.clone(), metadata).unwrap().into_value();
            let null = || Value::new_null(ctx.clone());
            let values = [null(), null(), null()];
            names.define(&ctx, &object, values, PROPERTIES).unwrap();
            assert_eq!(layouts_in_use(&ctx), before);
            let keys: Vec<_> = object.as_object().unwrap().keys::<String>().collect();
            let keys: Result<Vec<_>> = keys.into_iter().collect();
            let order = ["message", "error", "headers", "trailers", "status"];
            assert_eq!(keys.unwrap(), order);
        });
    }
}
