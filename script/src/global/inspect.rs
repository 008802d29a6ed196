//! Values as `console` prints them.

use std::fmt::Write as _;

use rquickjs::{ArrayBuffer, Class, Function, Object, Type, TypedArray, Value, function::This};

use super::console::coerced;
use crate::module::Response;

/// Levels that are spread out. A deeper value could exhaust the stack of the fiber.
const DEEPEST: usize = 32;

/// An argument of `console.log`: primitives as JavaScript's own strings, the rest as nested values
/// are printed.
pub(super) fn inspect_top(value: &Value<'_>) -> String {
    match value.type_of() {
        Type::Undefined => "undefined".to_owned(),
        Type::Null => "null".to_owned(),
        Type::Symbol => "Symbol()".to_owned(),
        _ if value.is_object() => inspect(value),
        _ => coerced(value),
    }
}

/// A value within another: strings quoted, objects and arrays spread out.
pub(crate) fn inspect(value: &Value<'_>) -> String {
    let mut text = String::new();
    write_value(&mut text, value, &mut Vec::new());
    text
}

fn write_value<'js>(text: &mut String, value: &Value<'js>, parents: &mut Vec<Value<'js>>) {
    match value.type_of() {
        Type::Undefined | Type::Null | Type::Uninitialized => text.push_str("null"),
        Type::String => write_quoted(text, &coerced(value)),
        Type::Symbol => text.push_str("Symbol()"),
        Type::Function | Type::Constructor => text.push_str("[object Function]"),
        _ => match value.as_object() {
            None => text.push_str(&coerced(value)),
            Some(_) if parents.contains(value) => text.push_str("[Circular]"),
            Some(_) if parents.len() == DEEPEST => text.push_str("[Object]"),
            Some(object) => {
                parents.push(value.clone());
                write_object(text, object, parents);
                parents.pop();
            }
        },
    }
}

fn write_object<'js>(text: &mut String, object: &Object<'js>, parents: &mut Vec<Value<'js>>) {
    if object.is_error() {
        text.push_str(&coerced(object.as_value()));
    } else if let Some(array) = object.as_array() {
        let items = array.iter::<Value>().filter_map(Result::ok);
        write_list(text, items, parents);
    } else if let Some(buffer) = ArrayBuffer::from_object(object.clone()) {
        write_buffer(text, &buffer);
    } else if let Ok(bytes) = TypedArray::<u8>::from_object(object.clone()) {
        // Writing to a string cannot fail.
        let _ = write!(text, "Uint8Array({}) ", bytes.len());
        let count = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        let items = (0..count).filter_map(|place| object.get(place.to_string()).ok());
        write_list(text, items, parents);
    } else if let Some(fields) = own_form(object) {
        write_value(text, &fields, parents);
    } else if class_name(object) == "Date" {
        let iso = object
            .get::<_, Function>("toISOString")
            .and_then(|function| function.call((This(object.clone()),)));
        if let Ok(iso) = iso {
            write_quoted(text, &String::clone(&iso));
        } else {
            object.ctx().catch();
            text.push_str("null");
        }
    } else {
        write_fields(text, object, parents);
    }
}

/// What an object of the runner has fields for; `None` for the script's own.
fn own_form<'js>(object: &Object<'js>) -> Option<Value<'js>> {
    let response = Class::<Response>::from_object(object)?;
    let form: Function = object.get("toJSON").ok()?;
    form.call((This(response),)).ok()
}

fn class_name(object: &Object<'_>) -> String {
    object
        .get::<_, Object>("constructor")
        .and_then(|constructor| constructor.get("name"))
        .unwrap_or_default()
}

fn write_fields<'js>(text: &mut String, object: &Object<'js>, parents: &mut Vec<Value<'js>>) {
    let mut first = true;
    for (name, value) in object.props::<String, Value>().filter_map(Result::ok) {
        text.push_str(if first { "{ " } else { ", " });
        first = false;
        text.push_str(&name);
        text.push_str(": ");
        write_value(text, &value, parents);
    }
    text.push_str(if first { "{}" } else { " }" });
}

fn write_list<'js>(
    text: &mut String,
    items: impl Iterator<Item = Value<'js>>,
    parents: &mut Vec<Value<'js>>,
) {
    let mut first = true;
    for item in items {
        text.push_str(if first { "[ " } else { ", " });
        first = false;
        write_value(text, &item, parents);
    }
    text.push_str(if first { "[]" } else { " ]" });
}

fn write_buffer(text: &mut String, buffer: &ArrayBuffer<'_>) {
    // SAFETY: no JavaScript runs while the bytes are read.
    let bytes = unsafe { buffer.as_bytes() }.unwrap_or_default();
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "ArrayBuffer {{ [Uint8Contents]: <{}>, byteLength: {} }}",
        hex.join(" "),
        bytes.len()
    );
}

fn write_quoted(text: &mut String, string: &str) {
    text.push_str(&serde_json::Value::from(string).to_string());
}
