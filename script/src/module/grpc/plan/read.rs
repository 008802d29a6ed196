//! Wire bytes become JavaScript objects.

use std::borrow::Cow;

use rquickjs::{Array, Ctx, Object, Persistent, String as Text, Value};

use super::{
    dynamic::read_json,
    object,
    shape::{EnumNames, Field, Kept, Kind, Label, Message, Plan, Scalar, Unset},
    well_known::{duration_text, timestamp_text},
    wire::{Cursor, Malformed, WireType},
    write::wire_type,
};

/// Why bytes do not become an object.
#[derive(Debug)]
pub(in crate::module::grpc) enum ReadError {
    /// They are no message of the type.
    Malformed(String),
    /// The engine threw.
    Script(rquickjs::Error),
}

impl From<rquickjs::Error> for ReadError {
    fn from(error: rquickjs::Error) -> Self {
        Self::Script(error)
    }
}

impl From<Malformed> for ReadError {
    fn from(error: Malformed) -> Self {
        Self::Malformed(error.to_string())
    }
}

/// Messages in messages deeper than this are left to dynamic messages, which do not use the small
/// stack of a virtual user.
const MOST_NESTED: u32 = 40;

/// Types with more fields than this keep no objects: they would take more memory than they are worth.
const MOST_KEPT: usize = 16;

type Read<T> = Result<T, ReadError>;

/// Gives an object an own property.
pub(in crate::module::grpc) fn define<'js>(
    object: &Object<'js>,
    name: &str,
    value: Value<'js>,
) -> rquickjs::Result<()> {
    // Headers and types may be called `__proto__`, which plain assignment treats specially.
    object.prop(
        name,
        rquickjs::object::Property::from(value)
            .writable()
            .enumerable()
            .configurable(),
    )
}

impl Plan {
    /// The object that a message stands for in the JSON that k6 prints: lower camel case, zero
    /// values present, 64-bit numbers as strings, enums by name, bytes in base64.
    pub(in crate::module::grpc) fn read<'js>(
        &self,
        ctx: &Ctx<'js>,
        bytes: &[u8],
    ) -> Read<Value<'js>> {
        Reader { ctx, plan: self }.content(&self.root, bytes, 0)
    }
}

struct Reader<'a, 'js> {
    ctx: &'a Ctx<'js>,
    plan: &'a Plan,
}

/// What has been read of a field so far.
enum Slot<'b, 'js> {
    Unset,
    Value(Value<'js>),
    List(Array<'js>),
    Map(Value<'js>),
    /// Kept as bytes, because the parts of a message that comes in several are merged.
    Message(Cow<'b, [u8]>),
}

impl<'js> Reader<'_, 'js> {
    /// The content of a field that has a length.
    fn content(&self, kind: &Kind, bytes: &[u8], depth: u32) -> Read<Value<'js>> {
        match kind {
            Kind::Message(place) if depth > MOST_NESTED => {
                let descriptor = &self.plan.messages[*place].descriptor;
                read_json(self.ctx, descriptor, bytes)?.map_err(ReadError::Malformed)
            }
            Kind::Message(place) => self.message(*place, bytes, depth),
            Kind::Wrapper(scalar) => self.wrapper(*scalar, bytes),
            Kind::Timestamp => self.seconds_and_nanos(bytes, "timestamp", timestamp_text),
            Kind::Duration => self.seconds_and_nanos(bytes, "duration", duration_text),
            Kind::Dynamic(descriptor) => {
                read_json(self.ctx, descriptor, bytes)?.map_err(ReadError::Malformed)
            }
            Kind::Scalar(_) | Kind::Enum(_) => Err(Malformed::Tag.into()),
        }
    }

    fn message(&self, place: usize, bytes: &[u8], depth: u32) -> Read<Value<'js>> {
        let message = &self.plan.messages[place];
        let mut slots = Vec::with_capacity(message.fields.len());
        slots.resize_with(message.fields.len(), || Slot::Unset);
        let mut cursor = Cursor::new(bytes);
        while !cursor.is_empty() {
            let (number, wire_type) = cursor.tag()?;
            let place = message.place_of_number(number);
            let place = place.filter(|place| fits(&message.fields[*place], wire_type));
            let Some(place) = place else {
                cursor.skip(number, wire_type)?;
                continue;
            };
            let field = &message.fields[place];
            if let Some(oneof) = field.oneof {
                for (other, slot) in message.fields.iter().zip(&mut slots) {
                    if other.oneof == Some(oneof) && other.number != number {
                        *slot = Slot::Unset;
                    }
                }
            }
            self.field(field, wire_type, &mut cursor, &mut slots[place], depth)?;
        }
        self.keep_layouts(message)?;
        let object = Object::new(self.ctx.clone())?.into_value();
        for (field, slot) in message.fields.iter().zip(slots) {
            if let Some(value) = self.finish(field, slot, depth)? {
                object::set(self.ctx, &object, field.name, value)?;
            }
        }
        Ok(object)
    }

    /// Keeps objects with none, one and more of the fields that are always there, from the second message of a
    /// type on. The engine forgets how an object is laid out with the last of its kind, and would work it out
    /// anew for every message.
    fn keep_layouts(&self, message: &Message) -> Read<()> {
        if !message.was_read.replace(true) || message.kept.get().is_some() {
            return Ok(());
        }
        let always: Vec<_> = (message.fields.iter())
            .filter(|field| field.unset != Unset::Absent)
            .map(|field| field.name)
            .collect();
        let mut kept = Vec::new();
        for count in 0..=always.len() {
            if always.len() > MOST_KEPT {
                break;
            }
            let object = Object::new(self.ctx.clone())?.into_value();
            for name in &always[..count] {
                object::set(self.ctx, &object, *name, Value::new_null(self.ctx.clone()))?;
            }
            kept.push(Kept(Persistent::save(self.ctx, object)));
        }
        // Nobody else has set it: nothing here runs code of the script.
        let _ = message.kept.set(kept);
        Ok(())
    }

    fn field<'b>(
        &self,
        field: &Field,
        wire_type: WireType,
        cursor: &mut Cursor<'b>,
        slot: &mut Slot<'b, 'js>,
        depth: u32,
    ) -> Read<()> {
        match field.label {
            Label::Singular => match field.kind {
                Kind::Scalar(_) | Kind::Enum(_) => {
                    *slot = Slot::Value(self.plain(&field.kind, cursor)?);
                }
                _ => {
                    let more = cursor.bytes()?;
                    *slot = match std::mem::replace(slot, Slot::Unset) {
                        Slot::Message(known) => Slot::Message([&*known, more].concat().into()),
                        _ => Slot::Message(more.into()),
                    };
                }
            },
            Label::Repeated { .. } => {
                if !matches!(slot, Slot::List(_)) {
                    *slot = Slot::List(Array::new(self.ctx.clone())?);
                }
                if let Slot::List(list) = slot {
                    self.elements(field, wire_type, cursor, list, depth)?;
                }
            }
            Label::Map { key } => {
                if !matches!(slot, Slot::Map(_)) {
                    *slot = Slot::Map(Object::new(self.ctx.clone())?.into_value());
                }
                if let Slot::Map(map) = slot {
                    self.entry(key, &field.kind, cursor.bytes()?, map, depth)?;
                }
            }
        }
        Ok(())
    }

    fn elements(
        &self,
        field: &Field,
        wire: WireType,
        cursor: &mut Cursor<'_>,
        list: &Array<'js>,
        depth: u32,
    ) -> Read<()> {
        let is_plain = matches!(field.kind, Kind::Scalar(_) | Kind::Enum(_));
        if !is_plain {
            let value = self.content(&field.kind, cursor.bytes()?, depth + 1)?;
            list.set(list.len(), value)?;
        } else if wire == wire_type(&field.kind) {
            list.set(list.len(), self.plain(&field.kind, cursor)?)?;
        } else {
            let mut packed = Cursor::new(cursor.bytes()?);
            let mut place = list.len();
            while !packed.is_empty() {
                list.set(place, self.plain(&field.kind, &mut packed)?)?;
                place += 1;
            }
        }
        Ok(())
    }

    fn entry(
        &self,
        key_kind: Scalar,
        kind: &Kind,
        bytes: &[u8],
        map: &Value<'js>,
        depth: u32,
    ) -> Read<()> {
        let (mut key, mut value) = (None, None);
        let mut cursor = Cursor::new(bytes);
        while !cursor.is_empty() {
            match cursor.tag()? {
                (1, wire) if wire == key_kind.wire_type() => {
                    key = Some(key_kind.read_key(&mut cursor)?);
                }
                (2, wire) if wire == wire_type(kind) => {
                    value = Some(match kind {
                        Kind::Scalar(_) | Kind::Enum(_) => self.plain(kind, &mut cursor)?,
                        _ => self.content(kind, cursor.bytes()?, depth + 1)?,
                    });
                }
                (number, wire) => cursor.skip(number, wire)?,
            }
        }
        let value = match value {
            Some(value) => value,
            None => self.default(kind, depth + 1)?,
        };
        if let Some(map) = map.as_object() {
            define(map, key.as_deref().unwrap_or(key_kind.default_key()), value)?;
        }
        Ok(())
    }

    fn finish(&self, field: &Field, slot: Slot<'_, 'js>, depth: u32) -> Read<Option<Value<'js>>> {
        Ok(Some(match (slot, field.unset) {
            (Slot::Value(value) | Slot::Map(value), _) => value,
            (Slot::List(list), _) => list.into_value(),
            (Slot::Message(bytes), _) => self.content(&field.kind, &bytes, depth + 1)?,
            (Slot::Unset, Unset::Absent) => return Ok(None),
            (Slot::Unset, Unset::Null) => Value::new_null(self.ctx.clone()),
            (Slot::Unset, Unset::Default) => match field.label {
                Label::Singular => self.default(&field.kind, depth + 1)?,
                Label::Repeated { .. } => Array::new(self.ctx.clone())?.into_value(),
                Label::Map { .. } => Object::new(self.ctx.clone())?.into_value(),
            },
        }))
    }

    fn plain(&self, kind: &Kind, cursor: &mut Cursor<'_>) -> Read<Value<'js>> {
        match kind {
            Kind::Scalar(scalar) => Ok(scalar.read(self.ctx, cursor)??),
            Kind::Enum(names) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "enums keep the low half of a varint"
                )]
                let number = cursor.varint()? as i32;
                self.enumeration(names, number)
            }
            _ => Err(Malformed::Tag.into()),
        }
    }

    fn enumeration(&self, names: &EnumNames, number: i32) -> Read<Value<'js>> {
        if names.is_null {
            return Ok(Value::new_null(self.ctx.clone()));
        }
        let found = names.values.iter().find(|(known, ..)| *known == number);
        match found {
            Some((.., name)) => Ok(object::text_of(self.ctx, *name)?),
            None => Ok(Value::new_int(self.ctx.clone(), number)),
        }
    }

    fn default(&self, kind: &Kind, depth: u32) -> Read<Value<'js>> {
        match kind {
            Kind::Scalar(scalar) => Ok(scalar.default(self.ctx)?),
            Kind::Enum(names) => self.enumeration(names, names.default),
            _ => self.content(kind, &[], depth),
        }
    }

    fn wrapper(&self, scalar: Scalar, bytes: &[u8]) -> Read<Value<'js>> {
        let mut value = scalar.default(self.ctx)?;
        let mut cursor = Cursor::new(bytes);
        while !cursor.is_empty() {
            match cursor.tag()? {
                (1, wire) if wire == scalar.wire_type() => {
                    value = scalar.read(self.ctx, &mut cursor)??;
                }
                (number, wire) => cursor.skip(number, wire)?,
            }
        }
        Ok(value)
    }

    fn seconds_and_nanos(
        &self,
        bytes: &[u8],
        what: &str,
        text: fn(i64, i32) -> Option<String>,
    ) -> Read<Value<'js>> {
        let (mut seconds, mut nanos) = (0, 0);
        let mut cursor = Cursor::new(bytes);
        while !cursor.is_empty() {
            match cursor.tag()? {
                (1, WireType::Varint) => seconds = cursor.varint()?.cast_signed(),
                #[expect(
                    clippy::cast_possible_truncation,
                    reason = "32-bit kinds keep the low half of a varint"
                )]
                (2, WireType::Varint) => nanos = cursor.varint()? as i32,
                (number, wire) => cursor.skip(number, wire)?,
            }
        }
        let text = text(seconds, nanos).ok_or_else(|| {
            ReadError::Malformed(format!(
                "{what} of {seconds} seconds and {nanos} nanoseconds is out of range"
            ))
        })?;
        Ok(Text::from_str(self.ctx.clone(), &text)?.into_value())
    }
}

/// Whether a value of this layout belongs to the field; others are passed over.
fn fits(field: &Field, wire: WireType) -> bool {
    match field.label {
        Label::Map { .. } => wire == WireType::Length,
        Label::Singular => wire == wire_type(&field.kind),
        Label::Repeated { .. } => wire == wire_type(&field.kind) || wire == WireType::Length,
    }
}
