//! Compiles plans from descriptors.

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
};

use prost_reflect::{FieldDescriptor, Kind as FieldKind, MessageDescriptor, Syntax};
use rquickjs::{Ctx, Result};

use super::{
    object::Names,
    shape::{EnumNames, Field, Kind, Label, Message, Plan, Scalar, Unset},
};

impl Plan {
    /// Compiles the plan of a message type for the engine of one virtual user.
    ///
    /// # Errors
    /// When the engine has no memory for names.
    pub(in crate::module::grpc) fn new(
        ctx: &Ctx<'_>,
        descriptor: &MessageDescriptor,
    ) -> Result<Self> {
        let mut builder = Builder {
            ctx,
            names: Names::new(ctx)?,
            places: HashMap::new(),
            waiting: Vec::new(),
        };
        let root = builder.message_kind(descriptor);
        let mut messages = Vec::new();
        while let Some(next) = builder.waiting.get(messages.len()).cloned() {
            messages.push(builder.message(&next)?);
        }
        Ok(Self {
            root,
            descriptor: descriptor.clone(),
            messages,
            names: builder.names,
        })
    }
}

struct Builder<'a, 'js> {
    ctx: &'a Ctx<'js>,
    names: Names,
    /// Types in the order of their places, and their places by name.
    waiting: Vec<MessageDescriptor>,
    places: HashMap<String, usize>,
}

impl Builder<'_, '_> {
    fn message(&mut self, descriptor: &MessageDescriptor) -> Result<Message> {
        let mut message = Message {
            descriptor: descriptor.clone(),
            fields: Vec::new(),
            by_name: Vec::new(),
            by_number: Vec::new(),
            layouts: RefCell::default(),
            was_read: Cell::default(),
            kept: OnceCell::new(),
        };
        let declared = descriptor.descriptor_proto().field.iter();
        let numbers = declared.filter_map(|field| u32::try_from(field.number()).ok());
        for field in numbers.filter_map(|number| descriptor.get_field(number)) {
            let place = message.fields.len();
            let name = self.names.intern(self.ctx, field.json_name())?;
            message.by_name.push((name, place));
            if field.name() != field.json_name() {
                let name = self.names.intern(self.ctx, field.name())?;
                message.by_name.push((name, place));
            }
            message.by_number.push((field.number(), place));
            message.fields.push(Field {
                number: field.number(),
                name,
                label: label(&field),
                kind: self.field_kind(&field)?,
                presence: field.supports_presence(),
                oneof: oneof(descriptor, &field),
                unset: unset(&field),
            });
        }
        message.by_number.sort_unstable();
        Ok(message)
    }

    fn field_kind(&mut self, field: &FieldDescriptor) -> Result<Kind> {
        let mut kind = field.kind();
        if field.is_map()
            && let FieldKind::Message(entry) = &kind
        {
            kind = entry.map_entry_value_field().kind();
        }
        Ok(match &kind {
            FieldKind::Message(message) if field.is_group() => Kind::Dynamic(message.clone()),
            FieldKind::Message(message) => self.message_kind(message),
            FieldKind::Enum(names) => {
                let mut values = Vec::new();
                for value in names.values() {
                    let name = self.names.intern(self.ctx, value.name())?;
                    values.push((value.number(), value.name().to_owned(), name));
                }
                Kind::Enum(EnumNames {
                    values,
                    default: names.default_value().number(),
                    is_null: names.full_name() == "google.protobuf.NullValue",
                })
            }
            other => Kind::Scalar(scalar(other)),
        })
    }

    fn message_kind(&mut self, descriptor: &MessageDescriptor) -> Kind {
        if let Some(kind) = well_known(descriptor) {
            return kind;
        }
        let name = descriptor.full_name();
        if let Some(&place) = self.places.get(name) {
            return Kind::Message(place);
        }
        let place = self.waiting.len();
        self.places.insert(name.to_owned(), place);
        self.waiting.push(descriptor.clone());
        Kind::Message(place)
    }
}

/// Types with a JSON form of their own
/// (<https://protobuf.dev/programming-guides/json/>).
fn well_known(descriptor: &MessageDescriptor) -> Option<Kind> {
    let name = descriptor.full_name().strip_prefix("google.protobuf.")?;
    Some(match name {
        "Timestamp" => Kind::Timestamp,
        "Duration" => Kind::Duration,
        "DoubleValue" => Kind::Wrapper(Scalar::Double),
        "FloatValue" => Kind::Wrapper(Scalar::Float),
        "Int64Value" => Kind::Wrapper(Scalar::Int64),
        "UInt64Value" => Kind::Wrapper(Scalar::Uint64),
        "Int32Value" => Kind::Wrapper(Scalar::Int32),
        "UInt32Value" => Kind::Wrapper(Scalar::Uint32),
        "BoolValue" => Kind::Wrapper(Scalar::Bool),
        "StringValue" => Kind::Wrapper(Scalar::String),
        "BytesValue" => Kind::Wrapper(Scalar::Bytes),
        "Any" | "Struct" | "Value" | "ListValue" | "FieldMask" => Kind::Dynamic(descriptor.clone()),
        _ => return None,
    })
}

fn label(field: &FieldDescriptor) -> Label {
    if field.is_map()
        && let FieldKind::Message(entry) = field.kind()
    {
        let key = scalar(&entry.map_entry_key_field().kind());
        return Label::Map { key };
    }
    if field.is_list() {
        let packed = field.is_packed();
        return Label::Repeated { packed };
    }
    Label::Singular
}

fn oneof(message: &MessageDescriptor, field: &FieldDescriptor) -> Option<usize> {
    let oneof = field.containing_oneof()?;
    message
        .oneofs()
        .position(|known| known.full_name() == oneof.full_name())
}

pub(super) fn unset(field: &FieldDescriptor) -> Unset {
    if field.is_list() || field.is_map() || !field.supports_presence() {
        return Unset::Default;
    }
    let is_message = matches!(field.kind(), FieldKind::Message(_));
    let is_proto2 = field.parent_file().syntax() == Syntax::Proto2;
    if field.containing_oneof().is_none() && (is_message || is_proto2) {
        return Unset::Null;
    }
    Unset::Absent
}

fn scalar(kind: &FieldKind) -> Scalar {
    match kind {
        FieldKind::Double => Scalar::Double,
        FieldKind::Float => Scalar::Float,
        FieldKind::Int32 | FieldKind::Enum(_) => Scalar::Int32,
        FieldKind::Int64 => Scalar::Int64,
        FieldKind::Uint32 => Scalar::Uint32,
        FieldKind::Uint64 => Scalar::Uint64,
        FieldKind::Sint32 => Scalar::Sint32,
        FieldKind::Sint64 => Scalar::Sint64,
        FieldKind::Fixed32 => Scalar::Fixed32,
        FieldKind::Fixed64 => Scalar::Fixed64,
        FieldKind::Sfixed32 => Scalar::Sfixed32,
        FieldKind::Sfixed64 => Scalar::Sfixed64,
        FieldKind::Bool => Scalar::Bool,
        FieldKind::String => Scalar::String,
        FieldKind::Bytes | FieldKind::Message(_) => Scalar::Bytes,
    }
}
