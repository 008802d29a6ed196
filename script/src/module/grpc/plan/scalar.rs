//! Numbers, texts and bytes.

use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
    prelude::BASE64_STANDARD,
};
use bytes::BufMut;
use rquickjs::{Ctx, Result, String as Text, Value};

use super::{
    object::with_text,
    shape::Scalar,
    wire::{Cursor, Malformed, WireType, put_varint},
};

/// The largest whole number that a double and its decimal digits agree on.
const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT);

impl Scalar {
    pub(super) fn wire_type(self) -> WireType {
        match self {
            Self::Double | Self::Fixed64 | Self::Sfixed64 => WireType::Fixed64,
            Self::Float | Self::Fixed32 | Self::Sfixed32 => WireType::Fixed32,
            Self::String | Self::Bytes => WireType::Length,
            _ => WireType::Varint,
        }
    }

    /// Appends the value of a JavaScript value, without a tag. `None` when it has not exactly the
    /// form that this kind has in JSON; something may have been appended then.
    pub(super) fn write<'js>(
        self,
        ctx: &Ctx<'js>,
        value: &Value<'js>,
        out: &mut Vec<u8>,
    ) -> Result<Option<()>> {
        if value.is_string() {
            return Ok(with_text(ctx, value, |text| self.write_text(text, out))?.flatten());
        }
        Ok(self.write_number(value, out))
    }

    fn write_number(self, value: &Value<'_>, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Bool => out.push(u8::from(value.as_bool()?)),
            Self::Double => out.put_f64_le(positive_zero(value.as_number()?)),
            Self::Float => out.put_f32_le(narrow(positive_zero(value.as_number()?))?),
            Self::String | Self::Bytes => return None,
            _ => self.write_whole(i128::from(whole(value)?), out)?,
        }
        Some(())
    }

    /// Appends what a JSON string, or the key of a map, means for this kind.
    pub(super) fn write_text(self, text: &str, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::String => put_bytes(out, text.as_bytes()),
            Self::Bytes => put_bytes(out, &decode_base64(text)?),
            Self::Bool => return None,
            Self::Double => out.put_f64_le(non_finite(text)?),
            Self::Float => out.put_f32_le(narrow(non_finite(text)?)?),
            _ if text.starts_with('+') => return None,
            _ => self.write_whole(text.parse().ok()?, out)?,
        }
        Some(())
    }

    /// Appends a key of a map.
    pub(super) fn write_key(self, text: &str, out: &mut Vec<u8>) -> Option<()> {
        if self == Self::Bool {
            out.push(u8::from(text.parse::<bool>().ok()?));
            return Some(());
        }
        self.write_text(text, out)
    }

    fn write_whole(self, value: i128, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Int32 => put_varint(out, i64::from(i32::try_from(value).ok()?).cast_unsigned()),
            Self::Int64 => put_varint(out, i64::try_from(value).ok()?.cast_unsigned()),
            Self::Uint32 => put_varint(out, u32::try_from(value).ok()?.into()),
            Self::Uint64 => put_varint(out, u64::try_from(value).ok()?),
            Self::Sint32 => put_varint(out, zigzag(i32::try_from(value).ok()?.into())),
            Self::Sint64 => put_varint(out, zigzag(i64::try_from(value).ok()?)),
            Self::Fixed32 => out.put_u32_le(u32::try_from(value).ok()?),
            Self::Fixed64 => out.put_u64_le(u64::try_from(value).ok()?),
            Self::Sfixed32 => out.put_i32_le(i32::try_from(value).ok()?),
            Self::Sfixed64 => out.put_i64_le(i64::try_from(value).ok()?),
            _ => return None,
        }
        Some(())
    }

    /// Whether these bytes, without a tag, are the value of a field that is not set.
    pub(super) fn is_default(bytes: &[u8]) -> bool {
        bytes.iter().all(|byte| *byte == 0)
    }

    /// Reads a value in the form that it has in JSON.
    pub(super) fn read<'js>(self, ctx: &Ctx<'js>, cursor: &mut Cursor<'_>) -> Result<Read<'js>> {
        let value = match self.read_plain(cursor) {
            Ok(value) => value,
            Err(malformed) => return Ok(Err(malformed)),
        };
        value.into_value(ctx).map(Ok)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "32-bit kinds keep the low half of a varint"
    )]
    fn read_plain<'b>(self, cursor: &mut Cursor<'b>) -> std::result::Result<Plain<'b>, Malformed> {
        Ok(match self {
            Self::Double => Plain::Float(f64::from_le_bytes(cursor.fixed()?)),
            Self::Float => Plain::Float(widen(f32::from_le_bytes(cursor.fixed()?))),
            Self::Int32 => Plain::Int(cursor.varint()? as i32),
            Self::Int64 => Plain::Long(cursor.varint()?.cast_signed()),
            Self::Uint32 => Plain::unsigned(cursor.varint()? as u32),
            Self::Uint64 => Plain::UnsignedLong(cursor.varint()?),
            Self::Sint32 => Plain::Int(unzigzag(u64::from(cursor.varint()? as u32)) as i32),
            Self::Sint64 => Plain::Long(unzigzag(cursor.varint()?)),
            Self::Fixed32 => Plain::unsigned(u32::from_le_bytes(cursor.fixed()?)),
            Self::Fixed64 => Plain::UnsignedLong(u64::from_le_bytes(cursor.fixed()?)),
            Self::Sfixed32 => Plain::Int(i32::from_le_bytes(cursor.fixed()?)),
            Self::Sfixed64 => Plain::Long(i64::from_le_bytes(cursor.fixed()?)),
            Self::Bool => Plain::Bool(cursor.varint()? != 0),
            Self::String => {
                let text = std::str::from_utf8(cursor.bytes()?);
                Plain::Text(text.map_err(|_| Malformed::Utf8)?)
            }
            Self::Bytes => Plain::Bytes(cursor.bytes()?),
        })
    }

    /// The value of a field that is not set.
    pub(super) fn default<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        match self {
            Self::Bool => Plain::Bool(false),
            Self::String | Self::Bytes => Plain::Text(""),
            Self::Int64 | Self::Sint64 | Self::Sfixed64 | Self::Uint64 | Self::Fixed64 => {
                Plain::Text("0")
            }
            _ => Plain::Int(0),
        }
        .into_value(ctx)
    }

    /// The key of a map as text.
    pub(super) fn read_key(
        self,
        cursor: &mut Cursor<'_>,
    ) -> std::result::Result<String, Malformed> {
        Ok(match self.read_plain(cursor)? {
            Plain::Bool(value) => value.to_string(),
            Plain::Int(value) => value.to_string(),
            Plain::Long(value) => value.to_string(),
            Plain::UnsignedLong(value) => value.to_string(),
            Plain::Float(value) => value.to_string(),
            Plain::Text(value) => value.to_owned(),
            Plain::Bytes(value) => BASE64_STANDARD.encode(value),
        })
    }

    /// The text of a key that is not set.
    pub(super) fn default_key(self) -> &'static str {
        match self {
            Self::String => "",
            Self::Bool => "false",
            _ => "0",
        }
    }
}

/// A value in JavaScript, or what is wrong with its bytes.
pub(super) type Read<'js> = std::result::Result<Value<'js>, Malformed>;

/// A value before JavaScript has it.
enum Plain<'b> {
    Bool(bool),
    Int(i32),
    Float(f64),
    Long(i64),
    UnsignedLong(u64),
    Text(&'b str),
    Bytes(&'b [u8]),
}

impl Plain<'_> {
    fn unsigned(value: u32) -> Self {
        i32::try_from(value).map_or_else(|_| Self::Float(value.into()), Self::Int)
    }

    fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let text = |text: &str| Text::from_str(ctx.clone(), text).map(Text::into_value);
        match self {
            Self::Bool(value) => Ok(Value::new_bool(ctx.clone(), value)),
            Self::Int(value) => Ok(Value::new_int(ctx.clone(), value)),
            Self::Float(value) if value.is_nan() => text("NaN"),
            Self::Float(f64::INFINITY) => text("Infinity"),
            Self::Float(f64::NEG_INFINITY) => text("-Infinity"),
            Self::Float(value) => Ok(Value::new_number(ctx.clone(), value)),
            Self::Long(value) => text(&value.to_string()),
            Self::UnsignedLong(value) => text(&value.to_string()),
            Self::Text(value) => text(value),
            Self::Bytes(value) => text(&BASE64_STANDARD.encode(value)),
        }
    }
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let engine = if text.contains(['-', '_']) {
        BASE64_URL
    } else {
        BASE64
    };
    engine.decode(text).ok()
}

fn non_finite(text: &str) -> Option<f64> {
    match text {
        "NaN" => Some(f64::NAN),
        "Infinity" => Some(f64::INFINITY),
        "-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// JSON prints no negative zero.
fn positive_zero(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value }
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn narrow(value: f64) -> Option<f32> {
    let fits = !value.is_finite() || value.abs() <= f64::from(f32::MAX);
    fits.then_some(value as f32)
}

/// The double that the shortest decimal digits of a float mean, as JSON has them.
fn widen(value: f32) -> f64 {
    let whole = value.trunc();
    if whole.to_bits() == value.to_bits() && value.abs() < 16_777_216.0 || !value.is_finite() {
        return value.into();
    }
    // Of two shortest forms equally near, Go prints the even one; `f32::to_string` may not.
    let mut digits = zmij::Buffer::new();
    let digits = digits.format_finite(value);
    digits.parse().unwrap_or(value.into())
}

#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn whole(value: &Value<'_>) -> Option<i64> {
    if let Some(value) = value.as_int() {
        return Some(value.into());
    }
    let value = value.as_float()?;
    (value.fract() == 0.0 && value.abs() <= MOST_EXACT).then_some(value as i64)
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}

/// A whole number of 32 bits.
pub(super) fn whole_i32(value: &Value<'_>) -> Option<i32> {
    i32::try_from(whole(value)?).ok()
}
