#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{cell::RefCell, path::Path};

use bytes::Bytes;
use proptest::prelude::*;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor, SerializeOptions};
use rquickjs::{Context, Ctx, Function, Runtime, Value, qjs};
use serde_json::{Map, Value as Json};

use super::{
    random::{Choices, random_message},
    *,
};

fn everything() -> MessageDescriptor {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/proto");
    let set = protox::compile(["every_kind.proto"], [protos]).unwrap();
    let pool = DescriptorPool::from_file_descriptor_set(set).unwrap();
    pool.get_message_by_name("every.kind.v1.Everything")
        .unwrap()
}

fn with_plan(test: impl for<'js> FnOnce(&Ctx<'js>, &Plan)) {
    let runtime = Runtime::new().unwrap();
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let plan = Plan::new(&ctx, &everything()).unwrap();
        test(&ctx, &plan);
    });
}

impl Plan {
    /// Whether it need not list the properties of this object.
    fn knows(&self, value: &Value<'_>) -> bool {
        let shape::Kind::Message(place) = self.root else {
            return false;
        };
        let layouts = self.messages[place].layouts.borrow();
        // SAFETY: the values are not used.
        unsafe { layouts.find(value) }.is_some()
    }

    /// Makes it list the properties of every object again.
    fn forget(&self) {
        for message in &self.messages {
            message.layouts.take();
        }
    }
}

/// How many layouts of objects the engine keeps.
pub(in crate::module::grpc) fn layouts_in_use(ctx: &Ctx<'_>) -> i64 {
    // SAFETY: the context is in use, and all of the figures are written.
    unsafe {
        let mut usage = std::mem::zeroed();
        qjs::JS_ComputeMemoryUsage(qjs::JS_GetRuntime(ctx.as_raw().as_ptr()), &raw mut usage);
        usage.shape_count
    }
}

fn json_of(message: &DynamicMessage, options: &SerializeOptions) -> String {
    let mut json = serde_json::Serializer::new(Vec::new());
    message.serialize_with_options(&mut json, options).unwrap();
    String::from_utf8(json.into_inner()).unwrap()
}

fn written(ctx: &Ctx<'_>, plan: &Plan, json: &str) -> Result<Bytes, WriteError> {
    let value: Value = ctx.json_parse(json).unwrap();
    let mut out = Vec::new();
    plan.write(ctx, &value, NonFinite::Kept, &mut out)?;
    Ok(out.into())
}

/// What the plan makes of bytes, as JSON.
fn read(ctx: &Ctx<'_>, plan: &Plan, bytes: &[u8]) -> Json {
    let value = plan.read(ctx, bytes).unwrap();
    let text = ctx.json_stringify(value).unwrap().unwrap();
    serde_json::from_str(&text.to_string().unwrap()).unwrap()
}

/// With numbers of one kind, whether they are written as 1 or as 1.0.
fn comparable(json: Json) -> Json {
    match json {
        Json::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, comparable(value)))
            .collect::<Map<_, _>>()
            .into(),
        Json::Array(elements) => elements.into_iter().map(comparable).collect(),
        Json::Number(number) => Json::from(number.as_f64().unwrap()),
        other => other,
    }
}

/// Objects, most of which have a layout of their own.
const MADE: [&str; 12] = [
    "{}",
    "{ int32Value: 1, stringValue: 'a' }",
    "{ stringValue: 'a', int32Value: 1 }",
    "{ stringValue: 'aä€', int32Value: 0, colour: 'COLOUR_RED' }",
    "{ numberChoice: 1, textChoice: undefined }",
    "{ numberChoice: undefined, textChoice: 'a' }",
    "{ numberChoice: 1, textChoice: 'a' }",
    "{ nested: { int32Value: 1, stringValue: 'b' }, int32Value: 2, stringValue: 'a' }",
    "{ int32Value: 2, nested: { int32Value: 1, nested: { nested: { stringValue: 'c' } } } }",
    "{ strings: ['a', 'b'], nested: { strings: [], int32Value: null } }",
    "{ byString: { a: 'b' }, timestamp: '2026-12-01T00:00:00Z', boolValue: true }",
    "{ int32Value: 1, int32_value: 2 }",
];

/// What may be done to one before it is written, and while it is.
const CHANGED: [&str; 14] = [
    "",
    "",
    "made.int32Value = 'x'",
    "made.stringValue = 'other ' + made.int32Value",
    "delete made.int32Value",
    "delete made.int32Value; made.int32Value = 7",
    "made.unknown = 1",
    "Object.defineProperty(made, 'stringValue', { get() { return 'got'; }, enumerable: true })",
    "Object.defineProperty(made, 'stringValue', { value: 'hidden', enumerable: false })",
    "Object.defineProperty(inner, 'int32Value', { get() { delete made.stringValue; made.boolValue = true; return 3; }, enumerable: true })",
    "Object.defineProperty(inner, 'int32Value', { get() { throw 1; }, enumerable: true })",
    "Object.setPrototypeOf(made, { int32Value: 1 })",
    "Object.freeze(made)",
    "made.stringValue = { toString() { return 'object'; } }",
];

#[test]
fn an_object_is_written_with_the_values_that_it_has_then() {
    with_plan(|ctx, plan| {
        let object = |value: &str| format!(r#"{{"int32Value": 7, "stringValue": "{value}"}}"#);
        let values = ["a", "b", "", "long enough to be a string of its own"];
        for (shown, value) in values
            .iter()
            .zip(values.map(|value| written(ctx, plan, &object(value))))
        {
            let value = read(ctx, plan, &value.unwrap());
            assert_eq!(value["stringValue"], **shown);
            assert_eq!(value["int32Value"], 7);
        }
        assert!(plan.knows(&ctx.json_parse(object("c")).unwrap()));
        let other = ctx.json_parse(r#"{"stringValue": "a", "int32Value": 7}"#);
        assert!(!plan.knows(&other.unwrap()));
    });
}

proptest! {
    #[test]
    fn plans_write_and_read_what_dynamic_messages_do(
        choices in proptest::collection::vec(any::<u64>(), 0..600),
        maps: bool,
    ) {
        let numbers = RefCell::new(choices.into_iter());
        let choices = Choices { numbers, maps };
        let message = random_message(&choices, &everything(), 0);
        let encoded = message.encode_to_vec();
        with_plan(|ctx, plan| {
            for proto_names in [false, true] {
                let options = SerializeOptions::new().use_proto_field_name(proto_names);
                let bytes = written(ctx, plan, &json_of(&message, &options)).unwrap();
                if maps {
                    // As Go does, plans write keys and values of maps that have their default.
                    let read = DynamicMessage::decode(everything(), bytes).unwrap();
                    assert_eq!(read.encode_to_vec(), encoded);
                } else {
                    assert_eq!(bytes, encoded);
                }
            }
            let expected = dynamic::decode(everything(), encoded.clone().into()).unwrap();
            let expected: Json = serde_json::from_slice(&expected).unwrap();
            let read = read(ctx, plan, &encoded);
            assert_eq!(comparable(read), comparable(expected));
        });
    }

    #[test]
    fn objects_that_are_known_again_are_written_as_those_that_are_listed(
        made in proptest::collection::vec((0..MADE.len(), 0..CHANGED.len()), 1..40),
    ) {
        with_plan(|ctx, plan| {
            let lists = Plan::new(ctx, &everything()).unwrap();
            for (made, changed) in made {
                let source = format!(
                    "() => {{ const made = {}; const inner = made.nested ?? {{}}; {}; return made; }}",
                    MADE[made], CHANGED[changed]
                );
                let make: Function = ctx.eval(source.as_str()).unwrap();
                lists.forget();
                let [known, listed] = [plan, &lists].map(|plan| {
                    let value: Value = make.call(()).unwrap();
                    let mut bytes = Vec::new();
                    match plan.write(ctx, &value, NonFinite::Kept, &mut bytes) {
                        Ok(()) => Ok(bytes),
                        Err(WriteError::Unfit) => Err("unfit".to_owned()),
                        Err(WriteError::Script(_)) => Err(format!("{:?}", ctx.catch())),
                    }
                });
                assert_eq!(known, listed, "{source}");
            }
        });
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        with_plan(|ctx, plan| {
            // What it makes of them does not matter here.
            let _ = plan.read(ctx, &bytes);
        });
    }
}

#[test]
fn fields_that_are_not_set_have_the_forms_of_k6() {
    with_plan(|ctx, plan| {
        let empty = read(ctx, plan, &[]);
        for (field, value) in [
            ("doubleValue", Json::from(0)),
            ("int32Value", Json::from(0)),
            ("int64Value", Json::from("0")),
            ("boolValue", Json::from(false)),
            ("stringValue", Json::from("")),
            ("bytesValue", Json::from("")),
            ("colour", Json::from("COLOUR_UNSPECIFIED")),
            ("nested", Json::Null),
            ("timestamp", Json::Null),
            ("stringWrapper", Json::Null),
            ("list", Json::Array(Vec::new())),
            ("byString", Json::Object(Map::new())),
            ("otherName", Json::from("")),
        ] {
            assert_eq!(empty.get(field), Some(&value), "{field}");
        }
        for absent in [
            "optionalInt32",
            "optionalString",
            "numberChoice",
            "messageChoice",
        ] {
            assert_eq!(empty.get(absent), None, "{absent}");
        }
    });
}

/// Go's `strconv.FormatFloat(f, 'g', -1, 32)` prints the same digits.
#[test]
fn a_float_half_way_between_two_shortest_forms_has_the_even_one() {
    with_plan(|ctx, plan| {
        for (float, shown) in [(-2_663_371.25, -2_663_371.2), (2_663_371.75, 2_663_371.8)] {
            let json = format!(r#"{{"floatValue": {float}}}"#);
            let bytes = written(ctx, plan, &json).unwrap();
            assert_eq!(read(ctx, plan, &bytes)["floatValue"], Json::from(shown));
        }
    });
}

#[test]
fn numbers_are_taken_in_every_form_of_json() {
    with_plan(|ctx, plan| {
        for (json, expected) in [
            (r#"{"int64Value": "-7"}"#, r#"{"int64Value": -7}"#),
            (
                r#"{"uint64_value": 9007199254740992}"#,
                r#"{"uint64Value": "9007199254740992"}"#,
            ),
            (r#"{"colour": 1}"#, r#"{"colour": "COLOUR_RED"}"#),
            (r#"{"bytesValue": "-_8"}"#, r#"{"bytesValue": "+/8="}"#),
            (r#"{"doubleValue": -0.0, "nested": null}"#, "{}"),
            (r#"{"int32Value": 1e3}"#, r#"{"int32Value": 1000}"#),
        ] {
            let one = written(ctx, plan, json).unwrap();
            assert_eq!(one, written(ctx, plan, expected).unwrap(), "{json}");
        }
    });
}

#[test]
fn fields_are_written_by_number_however_a_script_orders_them() {
    with_plan(|ctx, plan| {
        let inner = r#"{"int32Value": 1, "int64Value": 2, "stringValue": "a"}"#;
        let reversed = r#"{"stringValue": "a", "int64Value": 2, "int32Value": 1}"#;
        let expected = written(ctx, plan, inner).unwrap();
        assert_eq!(written(ctx, plan, reversed).unwrap(), expected);
        let first = written(ctx, plan, r#"{"int32Value": 1}"#).unwrap();
        assert!(expected.starts_with(&first));
        let nested = |inner: &str| format!(r#"{{"nested": {inner}, "boolValue": true}}"#);
        let expected = written(ctx, plan, &nested(inner)).unwrap();
        assert_eq!(written(ctx, plan, &nested(reversed)).unwrap(), expected);
    });
}

#[test]
fn what_is_not_surely_the_same_in_json_goes_the_long_way() {
    with_plan(|ctx, plan| {
        for source in [
            "({ unknown: 1 })",
            "({ int32Value: 1.5 })",
            "({ int32Value: 2147483648 })",
            "({ int32Value: true })",
            "({ uint32Value: -1 })",
            "({ int64Value: 1e16 })",
            "({ int64Value: 1n })",
            "({ floatValue: 1e39 })",
            "({ stringValue: 1 })",
            "({ stringValue: '\\ud800' })",
            "({ boolValue: 'true' })",
            "({ bytesValue: '?' })",
            "({ bytesValue: new Uint8Array(2) })",
            "({ colour: 'RED' })",
            "({ nested: 1 })",
            "({ nested: new Date(0) })",
            "({ strings: 'a' })",
            "({ strings: [null] })",
            "({ byString: { a: null } })",
            "({ byInt64: { a: 'x' } })",
            "({ numberChoice: 1, textChoice: 'a' })",
            "({ int32Value: 1, int32_value: 2 })",
            "({ timestamp: 'yesterday' })",
            "(new (class { int32Value = 1 }))",
            "(() => { const a = {}; a.nested = a; return a; })()",
            "[]",
            "'text'",
        ] {
            let value: Value = ctx.eval(source).unwrap();
            let result = plan.write(ctx, &value, NonFinite::Kept, &mut Vec::new());
            assert!(
                matches!(result, Err(WriteError::Unfit)),
                "{source}: {result:?}"
            );
        }
        let value: Value = ctx.eval("({ doubleValue: NaN })").unwrap();
        let result = plan.write(ctx, &value, NonFinite::Null, &mut Vec::new());
        assert!(matches!(result, Err(WriteError::Unfit)));
    });
}

#[test]
fn what_a_getter_throws_is_handed_on() {
    with_plan(|ctx, plan| {
        let value: Value = ctx.eval("({ get int32Value() { throw 1; } })").unwrap();
        let result = plan.write(ctx, &value, NonFinite::Kept, &mut Vec::new());
        assert!(matches!(
            result,
            Err(WriteError::Script(rquickjs::Error::Exception))
        ));
        ctx.catch();
    });
}

#[test]
fn how_a_message_is_laid_out_is_not_forgotten_with_the_last_of_its_kind() {
    let runtime = Runtime::new().unwrap();
    let context = Context::full(&runtime).unwrap();
    context.with(|ctx| {
        let forms = everything()
            .parent_pool()
            .get_message_by_name("every.kind.v1.Forms");
        let plan = Plan::new(&ctx, &forms.unwrap()).unwrap();
        let read = || plan.read(&ctx, &[]).unwrap();
        drop(read());
        let first = read();
        let in_use = layouts_in_use(&ctx);
        drop(first);
        assert_eq!(layouts_in_use(&ctx), in_use);
        let second = read();
        assert_eq!(layouts_in_use(&ctx), in_use);
        drop(second);
    });
}

#[test]
fn a_message_in_two_parts_is_merged() {
    with_plan(|ctx, plan| {
        // Field 17 twice: int32_value = 1, then string_value = "a".
        let bytes = [0x8a, 1, 2, 0x18, 1, 0x8a, 1, 3, 0x72, 1, b'a'];
        let nested = &read(ctx, plan, &bytes)["nested"];
        assert_eq!(nested["int32Value"], 1);
        assert_eq!(nested["stringValue"], "a");
    });
}

#[test]
fn broken_messages_are_refused_with_the_reason() {
    with_plan(|ctx, plan| {
        for (bytes, reason) in [
            (&[0x72, 1, 0xff][..], "UTF-8"),
            (&[0x72, 9, b'a'], "unexpected end"),
            (&[0x07], "wire type"),
            (&[0xb2, 2, 2, 0x10, 0xff], "unexpected end"),
        ] {
            match plan.read(ctx, bytes) {
                Err(ReadError::Malformed(text)) => assert!(text.contains(reason), "{text}"),
                other => panic!("{bytes:?}: {other:?}"),
            }
        }
    });
}
