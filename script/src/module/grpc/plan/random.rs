//! Messages with any content, for tests.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::cast_possible_truncation,
    reason = "any bits make a random value"
)]

use std::cell::RefCell;

use bytes::Bytes;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value as Reflected,
};

/// Numbers that decide what a random message is made of; zeros when they run out.
pub(super) struct Choices {
    pub(super) numbers: RefCell<std::vec::IntoIter<u64>>,
    pub(super) maps: bool,
}

impl Choices {
    fn next(&self) -> u64 {
        self.numbers.borrow_mut().next().unwrap_or(0)
    }

    fn below(&self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// A message with some of its fields.
pub(super) fn random_message(
    choices: &Choices,
    descriptor: &MessageDescriptor,
    depth: u32,
) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    for field in descriptor.fields() {
        let is_message = matches!(field.kind(), Kind::Message(_));
        if choices.below(4) != 1 || (is_message && depth > 2) || (field.is_map() && !choices.maps) {
            continue;
        }
        message.set_field(&field, random_field(choices, &field, depth));
    }
    message
}

fn random_field(choices: &Choices, field: &FieldDescriptor, depth: u32) -> Reflected {
    if field.is_map()
        && let Kind::Message(entry) = field.kind()
    {
        let key = random_value(choices, &entry.map_entry_key_field().kind(), depth);
        let key: MapKey = key.into_map_key().unwrap();
        let value = random_value(choices, &entry.map_entry_value_field().kind(), depth);
        return Reflected::Map([(key, value)].into());
    }
    if field.is_list() {
        let length = choices.below(4);
        let values = (0..length).map(|_| random_value(choices, &field.kind(), depth));
        return Reflected::List(values.collect());
    }
    random_value(choices, &field.kind(), depth)
}

fn random_value(choices: &Choices, kind: &Kind, depth: u32) -> Reflected {
    let bits = choices.next();
    // Small numbers and zero as often as the rest.
    let bits = if bits & 1 == 0 { bits >> 1 & 0xf } else { bits };
    match kind {
        // JSON has one NaN and one zero.
        Kind::Double => match f64::from_bits(bits) + 0.0 {
            value if value.is_nan() => Reflected::F64(f64::NAN),
            value => Reflected::F64(value),
        },
        Kind::Float => match f32::from_bits(bits as u32) + 0.0 {
            value if value.is_nan() => Reflected::F32(f32::NAN),
            value => Reflected::F32(value),
        },
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Reflected::I32(bits as i32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Reflected::I64(bits.cast_signed()),
        Kind::Uint32 | Kind::Fixed32 => Reflected::U32(bits as u32),
        Kind::Uint64 | Kind::Fixed64 => Reflected::U64(bits),
        Kind::Bool => Reflected::Bool(bits.is_multiple_of(3)),
        Kind::String => Reflected::String(random_text(bits)),
        Kind::Bytes => Reflected::Bytes(Bytes::from(random_text(bits))),
        Kind::Enum(values) => {
            let nth = bits as usize % (values.values().len() + 1);
            // One number without a name.
            let number = values.values().nth(nth).map_or(99, |value| value.number());
            Reflected::EnumNumber(number)
        }
        Kind::Message(message) => Reflected::Message(match message.full_name() {
            "google.protobuf.Timestamp" => seconds(message, bits % 253_370_764_800, bits),
            "google.protobuf.Duration" => seconds(message, bits % 315_576_000_000, bits),
            _ => random_message(choices, message, depth + 1),
        }),
    }
}

fn seconds(descriptor: &MessageDescriptor, seconds: u64, bits: u64) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    let nanos = [0, 5_000_000, 7_000, 123_456_789][bits as usize % 4];
    message.set_field_by_number(1, Reflected::I64(seconds.cast_signed()));
    message.set_field_by_number(2, Reflected::I32(nanos));
    message
}

fn random_text(bits: u64) -> String {
    [
        "",
        "a",
        "\"quoted\" \\ \u{0} text",
        "ümlaut \u{1f4da}",
        &"long ".repeat(60),
    ][bits as usize % 5]
        .to_owned()
}
