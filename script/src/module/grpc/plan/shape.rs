//! What a plan knows about messages.

use std::{
    cell::{Cell, OnceCell, RefCell},
    fmt,
};

use prost_reflect::MessageDescriptor;
use rquickjs::{Persistent, Value};

use super::{
    layouts::Layouts,
    object::{Name, Names},
};

/// How messages of one type, and of all types in them, are written and read.
pub(in crate::module::grpc) struct Plan {
    pub(super) root: Kind,
    pub(super) descriptor: MessageDescriptor,
    pub(super) messages: Vec<Message>,
    pub(super) names: Names,
}

/// A message type.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) descriptor: MessageDescriptor,
    /// In the order of their declaration.
    pub(super) fields: Vec<Field>,
    /// Both names of every field, and its place in `fields`.
    pub(super) by_name: Vec<(Name, usize)>,
    /// Numbers in ascending order, and places in `fields`.
    pub(super) by_number: Vec<(u32, usize)>,
    /// Of the objects that were written.
    pub(super) layouts: RefCell<Layouts>,
    /// Whether one was read.
    pub(super) was_read: Cell<bool>,
    /// See [`super::read`].
    pub(super) kept: OnceCell<Vec<Kept>>,
}

/// A value that lives as long as the plan.
pub(super) struct Kept(
    #[expect(dead_code, reason = "it is kept, not used")] pub(super) Persistent<Value<'static>>,
);

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Kept")
    }
}

impl Message {
    pub(super) fn place_of_name(&self, name: Name) -> Option<usize> {
        let found = self.by_name.iter().find(|(known, _)| *known == name);
        found.map(|(_, place)| *place)
    }

    pub(super) fn place_of_number(&self, number: u32) -> Option<usize> {
        // Most messages number their fields from 1 without gaps.
        if let Some((known, place)) = self.by_number.get(number.wrapping_sub(1) as usize)
            && *known == number
        {
            return Some(*place);
        }
        let found = self
            .by_number
            .binary_search_by_key(&number, |(known, _)| *known);
        found.ok().map(|found| self.by_number[found].1)
    }
}

/// A field of a message type.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) number: u32,
    /// Its name in JSON.
    pub(super) name: Name,
    pub(super) label: Label,
    pub(super) kind: Kind,
    /// Whether it is known to be set, even to its default.
    pub(super) presence: bool,
    /// The oneof that it belongs to, by its place in the message.
    pub(super) oneof: Option<usize>,
    pub(super) unset: Unset,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Singular,
    Repeated {
        packed: bool,
    },
    /// The kind of the field is that of the values.
    Map {
        key: Scalar,
    },
}

/// What JSON shows for a field that is not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unset {
    Absent,
    Null,
    Default,
}

/// What a field holds.
#[derive(Debug)]
pub(super) enum Kind {
    Scalar(Scalar),
    Enum(EnumNames),
    /// A message type, by its place in the plan.
    Message(usize),
    /// A message that JSON shows as its one field `value`.
    Wrapper(Scalar),
    Timestamp,
    Duration,
    /// A message with a JSON form of its own, or one that only a dynamic message understands.
    Dynamic(MessageDescriptor),
}

/// The values of an enum.
#[derive(Debug)]
pub(super) struct EnumNames {
    /// Number, and name as text and as the engine's.
    pub(super) values: Vec<(i32, String, Name)>,
    /// The value of a field that is not set.
    pub(super) default: i32,
    /// JSON shows the only value as null.
    pub(super) is_null: bool,
}

/// Kinds without structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Sint32,
    Sint64,
    Fixed32,
    Fixed64,
    Sfixed32,
    Sfixed64,
    Bool,
    String,
    Bytes,
}
