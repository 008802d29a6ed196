//! Objects as JSON writes them, and no other way: serde also takes an array for a struct, by
//! position, which would let an order through that no document describes.

use serde::{
    Deserializer,
    de::{Error, Visitor},
    forward_to_deserialize_any,
};

/// Reads a struct from an object alone; what is in it is read as ever.
pub(super) struct ObjectOnly<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectOnly<D> {
    type Error = D::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    /// A struct asks for nothing else.
    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, D::Error> {
        Err(D::Error::custom("only an object can be read here"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
