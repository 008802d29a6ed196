//! JavaScript objects become wire bytes.

use std::cmp::Reverse;

use crate::engine::Properties;
use rquickjs::{Ctx, Value, qjs};

use super::{
    layouts::Known,
    object::{self, Held, Lent, with_text},
    scalar,
    shape::{EnumNames, Field, Kind, Label, Message, Plan, Scalar},
    well_known::{parse_duration, parse_timestamp},
    wire::{WireType, begin_length, end_length, put_varint},
};

/// Why a plan does not write a value.
#[derive(Debug)]
pub(in crate::module::grpc) enum WriteError {
    /// It is not of a form that surely means the same in JSON. What was appended is garbage.
    Unfit,
    /// The script threw, in a getter for example.
    Script(rquickjs::Error),
}

impl From<rquickjs::Error> for WriteError {
    fn from(error: rquickjs::Error) -> Self {
        Self::Script(error)
    }
}

/// What the values that JSON has not mean in a message: `NaN` and the infinities first of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::module::grpc) enum NonFinite {
    /// Themselves.
    Kept,
    /// Themselves; and so do `BigInt`, `ArrayBuffer` and `Uint8Array`.
    KeptWithBytes,
    /// Null, as in any JSON.
    Null,
}

/// Deeper messages go the long way, which does not use the small stack of a virtual user.
const MOST_NESTED: u32 = 20;

type Written = Result<(), WriteError>;

impl Plan {
    /// Appends the message that an object stands for.
    pub(in crate::module::grpc) fn write<'js>(
        &self,
        ctx: &Ctx<'js>,
        value: &Value<'js>,
        non_finite: NonFinite,
        out: &mut Vec<u8>,
    ) -> Written {
        let Kind::Message(place) = self.root else {
            return Err(WriteError::Unfit);
        };
        let mut writer = Writer {
            ctx,
            plan: self,
            non_finite,
            out,
            found: Vec::new(),
            depth: 0,
        };
        writer.message(place, value)
    }
}

struct Writer<'a, 'js> {
    ctx: &'a Ctx<'js>,
    plan: &'a Plan,
    non_finite: NonFinite,
    out: &'a mut Vec<u8>,
    /// Fields found in the objects that are being written: number, place and value.
    found: Vec<(u32, usize, Held<'a, 'js>)>,
    depth: u32,
}

impl<'js> Writer<'_, 'js> {
    fn message(&mut self, place: usize, value: &Value<'js>) -> Written {
        if self.depth >= MOST_NESTED {
            return Err(WriteError::Unfit);
        }
        let plan = self.plan;
        let message = &plan.messages[place];
        let begin = self.found.len();
        let is_known = {
            let layouts = message.layouts.borrow();
            // SAFETY: values that are no objects run no script when they are written, and of others a part
            // of our own is taken before.
            match unsafe { layouts.find(value) } {
                Some((known, values)) if known.is_flat => {
                    return self.flat(message, known, values);
                }
                Some((known, values)) => {
                    self.hold(message, known, values)?;
                    true
                }
                None => false,
            }
        };
        if !is_known {
            self.find_fields(message, value)?;
            // The last one is taken first.
            self.found[begin..].sort_unstable_by_key(|(number, ..)| Reverse(*number));
        }
        self.depth += 1;
        let mut oneofs = 0_u64;
        let mut before = None;
        while self.found.len() > begin
            && let Some((number, place, value)) = self.found.pop()
        {
            let field = &message.fields[place];
            if before == Some(number) || !claim(field, &mut oneofs) {
                return Err(WriteError::Unfit);
            }
            before = Some(number);
            self.field(field, &value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Appends the fields of a message that has no others in it.
    fn flat(&mut self, message: &Message, known: &Known, values: &[qjs::JSValue]) -> Written {
        let mut oneofs = 0_u64;
        for &(place, field) in &known.fields {
            let field = &message.fields[field];
            // SAFETY: the object keeps its values, as nobody else runs.
            let value = unsafe { Lent::new(self.ctx, values[place]) };
            if is_unset(field, &value)? {
                continue;
            }
            if !claim(field, &mut oneofs) {
                return Err(WriteError::Unfit);
            }
            self.singular(field, &value)?;
        }
        Ok(())
    }

    /// Finds the fields of an object whose layout is known, the last one first.
    fn hold(&mut self, message: &Message, known: &Known, values: &[qjs::JSValue]) -> Written {
        for &(place, field_place) in known.fields.iter().rev() {
            let field = &message.fields[field_place];
            // SAFETY: the object keeps its values, as nobody else runs.
            let value = unsafe { Lent::new(self.ctx, values[place]) };
            if !is_unset(field, &value)? {
                let value = value.held(self.ctx);
                self.found.push((field.number, field_place, value));
            }
        }
        Ok(())
    }

    fn find_fields(&mut self, message: &Message, value: &Value<'js>) -> Written {
        if !self.plan.names.is_plain(self.ctx, value) {
            return Err(WriteError::Unfit);
        }
        let properties = Properties::of(self.ctx, value)?;
        for property in 0..properties.len() {
            let name = object::name(&properties, property);
            let Some(place) = message.place_of_name(name) else {
                return Err(WriteError::Unfit);
            };
            let field = &message.fields[place];
            let value = object::get(self.ctx, value, name)?;
            if !is_unset(field, &value)? {
                self.found.push((field.number, place, value));
            }
        }
        let mut layouts = message.layouts.borrow_mut();
        layouts.learn(self.ctx, message, value, &properties);
        Ok(())
    }

    fn field(&mut self, field: &Field, value: &Value<'js>) -> Written {
        match field.label {
            Label::Singular => self.singular(field, value),
            Label::Repeated { packed } => self.repeated(field, value, packed),
            Label::Map { key } => self.map(field, key, value),
        }
    }

    fn singular(&mut self, field: &Field, value: &Value<'js>) -> Written {
        let begin = self.out.len();
        self.tag(field.number, wire_type(&field.kind));
        let content = self.out.len();
        self.value(&field.kind, value)?;
        let is_plain = matches!(field.kind, Kind::Scalar(_) | Kind::Enum(_));
        if is_plain && !field.presence && Scalar::is_default(&self.out[content..]) {
            self.out.truncate(begin);
        }
        Ok(())
    }

    fn repeated(&mut self, field: &Field, value: &Value<'js>, packed: bool) -> Written {
        let Some(array) = value.as_array() else {
            return Err(WriteError::Unfit);
        };
        let length = u32::try_from(array.len()).map_err(|_| WriteError::Unfit)?;
        if length == 0 {
            return Ok(());
        }
        let mut begin = 0;
        if packed {
            self.tag(field.number, WireType::Length);
            begin = begin_length(self.out);
        }
        for place in 0..length {
            if !packed {
                self.tag(field.number, wire_type(&field.kind));
            }
            let element = object::element(self.ctx, value, place)?;
            self.value(&field.kind, &element)?;
        }
        if packed {
            end_length(self.out, begin);
        }
        Ok(())
    }

    fn map(&mut self, field: &Field, key: Scalar, value: &Value<'js>) -> Written {
        if !self.plan.names.is_plain(self.ctx, value) {
            return Err(WriteError::Unfit);
        }
        let properties = Properties::of(self.ctx, value)?;
        for property in 0..properties.len() {
            let name = object::name(&properties, property);
            let text = object::text_of(self.ctx, name)?;
            let value = object::get(self.ctx, value, name)?;
            if value.is_undefined() {
                continue;
            }
            self.tag(field.number, WireType::Length);
            let begin = begin_length(self.out);
            self.tag(1, key.wire_type());
            with_text(self.ctx, &text, |text| key.write_key(text, self.out))?
                .flatten()
                .ok_or(WriteError::Unfit)?;
            self.tag(2, wire_type(&field.kind));
            self.value(&field.kind, &value)?;
            end_length(self.out, begin);
        }
        Ok(())
    }

    /// Appends a value without its tag, and with its length where it has one.
    fn value(&mut self, kind: &Kind, value: &Value<'js>) -> Written {
        match kind {
            Kind::Scalar(scalar) => self.scalar(*scalar, value),
            Kind::Enum(names) => self.enumeration(names, value),
            Kind::Message(place) => {
                let begin = begin_length(self.out);
                self.message(*place, value)?;
                end_length(self.out, begin);
                Ok(())
            }
            Kind::Wrapper(scalar) => self.wrapper(*scalar, value),
            Kind::Timestamp => self.seconds_and_nanos(value, parse_timestamp),
            Kind::Duration => self.seconds_and_nanos(value, parse_duration),
            Kind::Dynamic(_) => Err(WriteError::Unfit),
        }
    }

    fn scalar(&mut self, scalar: Scalar, value: &Value<'js>) -> Written {
        let is_non_finite = value.as_float().is_some_and(|value| !value.is_finite());
        if is_non_finite && self.non_finite == NonFinite::Null {
            return Err(WriteError::Unfit);
        }
        let written = scalar.write(self.ctx, value, self.out)?;
        written.ok_or(WriteError::Unfit)
    }

    fn enumeration(&mut self, names: &EnumNames, value: &Value<'js>) -> Written {
        let number = if value.is_string() {
            with_text(self.ctx, value, |text| {
                let found = names.values.iter().find(|(_, name, _)| name == text);
                found.map(|(number, ..)| *number)
            })?
            .flatten()
        } else {
            scalar::whole_i32(value)
        };
        let number = number.ok_or(WriteError::Unfit)?;
        put_varint(self.out, i64::from(number).cast_unsigned());
        Ok(())
    }

    fn wrapper(&mut self, scalar: Scalar, value: &Value<'js>) -> Written {
        let begin = begin_length(self.out);
        self.tag(1, scalar.wire_type());
        let content = self.out.len();
        self.scalar(scalar, value)?;
        if Scalar::is_default(&self.out[content..]) {
            self.out.truncate(begin);
        }
        end_length(self.out, begin);
        Ok(())
    }

    fn seconds_and_nanos(
        &mut self,
        value: &Value<'js>,
        parse: fn(&str) -> Option<(i64, i32)>,
    ) -> Written {
        if !value.is_string() {
            return Err(WriteError::Unfit);
        }
        let parsed = with_text(self.ctx, value, parse)?.flatten();
        let (seconds, nanos) = parsed.ok_or(WriteError::Unfit)?;
        let begin = begin_length(self.out);
        for (number, value) in [(1, seconds), (2, nanos.into())] {
            if value != 0 {
                self.tag(number, WireType::Varint);
                put_varint(self.out, value.cast_unsigned());
            }
        }
        end_length(self.out, begin);
        Ok(())
    }

    fn tag(&mut self, number: u32, wire_type: WireType) {
        put_varint(self.out, u64::from(number << 3 | wire_type.number()));
    }
}

/// Whether a field with this value is left out.
fn is_unset(field: &Field, value: &Value<'_>) -> Result<bool, WriteError> {
    let is_unset = value.is_undefined() || value.is_null();
    let means_null = match &field.kind {
        Kind::Dynamic(_) => true,
        Kind::Enum(names) => names.is_null,
        _ => false,
    };
    if means_null && !value.is_undefined() {
        return Err(WriteError::Unfit);
    }
    Ok(is_unset)
}

/// Whether no other field of the same oneof was set before.
fn claim(field: &Field, oneofs: &mut u64) -> bool {
    let Some(oneof) = field.oneof else {
        return true;
    };
    // More than 64 oneofs in one message are left to dynamic messages.
    let Some(bit) = 1_u64.checked_shl(u32::try_from(oneof).unwrap_or(u32::MAX)) else {
        return false;
    };
    let is_first = *oneofs & bit == 0;
    *oneofs |= bit;
    is_first
}

pub(super) fn wire_type(kind: &Kind) -> WireType {
    match kind {
        Kind::Scalar(scalar) => scalar.wire_type(),
        Kind::Enum(_) => WireType::Varint,
        _ => WireType::Length,
    }
}
