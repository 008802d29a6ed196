//! The wire format of protocol buffers
//! (<https://protobuf.dev/programming-guides/encoding/>).

/// Messages deeper than this are refused, as by other implementations.
pub(super) const MOST_DEPTH: u32 = 100;

/// How a value is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireType {
    Varint,
    Fixed64,
    Length,
    StartGroup,
    EndGroup,
    Fixed32,
}

impl WireType {
    pub(super) fn number(self) -> u32 {
        match self {
            Self::Varint => 0,
            Self::Fixed64 => 1,
            Self::Length => 2,
            Self::StartGroup => 3,
            Self::EndGroup => 4,
            Self::Fixed32 => 5,
        }
    }

    fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => Self::Varint,
            1 => Self::Fixed64,
            2 => Self::Length,
            3 => Self::StartGroup,
            4 => Self::EndGroup,
            5 => Self::Fixed32,
            _ => return None,
        })
    }
}

/// Appends a varint.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "seven bits at a time are written"
)]
pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value as u8) | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Leaves room for a length, which most often is one byte; gives the place to call [`end_length`]
/// with when the content has been appended.
#[inline]
pub(super) fn begin_length(out: &mut Vec<u8>) -> usize {
    out.push(0);
    out.len()
}

/// Puts the length of everything after `begin` in front of it.
#[inline]
pub(super) fn end_length(out: &mut Vec<u8>, begin: usize) {
    let length = out.len() - begin;
    if let Ok(short @ ..0x80) = u8::try_from(length) {
        out[begin - 1] = short;
        return;
    }
    put_varint(out, length as u64);
    let prefix = out.len() - begin - length;
    out[begin..].rotate_right(prefix);
    // The byte that was left is too short.
    out.remove(begin - 1);
}

/// Why bytes are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Malformed {
    #[error("unexpected end of the message")]
    Truncated,
    #[error("variable length integer overflow")]
    Varint,
    #[error("invalid field number or wire type")]
    Tag,
    #[error("groups that do not match")]
    Group,
    #[error("string field contains invalid UTF-8")]
    Utf8,
    #[error("the message is nested more than {MOST_DEPTH} levels deep")]
    Depth,
}

/// Reads a message from front to back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'b>(&'b [u8]);

impl<'b> Cursor<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub(super) fn varint(&mut self) -> Result<u64, Malformed> {
        let mut value = 0;
        for (place, &byte) in self.0.iter().take(10).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * place);
            if byte < 0x80 {
                if place == 9 && byte > 1 {
                    return Err(Malformed::Varint);
                }
                self.0 = &self.0[place + 1..];
                return Ok(value);
            }
        }
        Err(match self.0.len() {
            0..10 => Malformed::Truncated,
            _ => Malformed::Varint,
        })
    }

    /// The number and layout of the next field.
    #[inline]
    pub(super) fn tag(&mut self) -> Result<(u32, WireType), Malformed> {
        let tag = self.varint()?;
        let number = u32::try_from(tag >> 3).map_err(|_| Malformed::Tag)?;
        let wire_type = WireType::from_number(tag & 7).ok_or(Malformed::Tag)?;
        if number == 0 || number >= 1 << 29 {
            return Err(Malformed::Tag);
        }
        Ok((number, wire_type))
    }

    pub(super) fn fixed<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(Malformed::Truncated)?;
        self.0 = rest;
        Ok(*bytes)
    }

    /// Bytes behind their length.
    #[inline]
    pub(super) fn bytes(&mut self) -> Result<&'b [u8], Malformed> {
        let length = usize::try_from(self.varint()?).map_err(|_| Malformed::Truncated)?;
        let (bytes, rest) = self
            .0
            .split_at_checked(length)
            .ok_or(Malformed::Truncated)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Passes over the value of a field that nobody wants.
    pub(super) fn skip(&mut self, number: u32, wire_type: WireType) -> Result<(), Malformed> {
        self.skip_nested(number, wire_type, 0)
    }

    fn skip_nested(
        &mut self,
        number: u32,
        wire_type: WireType,
        depth: u32,
    ) -> Result<(), Malformed> {
        match wire_type {
            WireType::Varint => self.varint().map(drop),
            WireType::Fixed64 => self.fixed::<8>().map(drop),
            WireType::Fixed32 => self.fixed::<4>().map(drop),
            WireType::Length => self.bytes().map(drop),
            WireType::EndGroup => Err(Malformed::Group),
            WireType::StartGroup if depth >= MOST_DEPTH => Err(Malformed::Depth),
            WireType::StartGroup => loop {
                match self.tag()? {
                    (end, WireType::EndGroup) if end == number => return Ok(()),
                    (inner, wire_type) => self.skip_nested(inner, wire_type, depth + 1)?,
                }
            },
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn varints_are_read_as_written() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), 1 << 63, u64::MAX] {
            let mut out = Vec::new();
            put_varint(&mut out, value);
            let mut cursor = Cursor::new(&out);
            assert_eq!(cursor.varint(), Ok(value));
            assert!(cursor.is_empty());
        }
    }

    #[test]
    fn a_length_is_put_before_what_is_there() {
        for (content, prefix) in [
            (0, &b"ab\0"[..]),
            (127, b"ab\x7f"),
            (128, b"ab\x80\x01"),
            (200, b"ab\xc8\x01"),
            (16_384, b"ab\x80\x80\x01"),
        ] {
            let mut out = b"ab".to_vec();
            let begin = begin_length(&mut out);
            out.resize(begin + content, 7);
            end_length(&mut out, begin);
            assert_eq!(out, [prefix, &vec![7; content]].concat());
        }
    }

    #[test]
    fn broken_bytes_are_refused() {
        assert_eq!(Cursor::new(&[0x80]).varint(), Err(Malformed::Truncated));
        assert_eq!(Cursor::new(&[0xff; 11]).varint(), Err(Malformed::Varint));
        let mut over = [0xff; 10];
        over[9] = 2;
        assert_eq!(Cursor::new(&over).varint(), Err(Malformed::Varint));
        assert_eq!(Cursor::new(&[0x00]).tag(), Err(Malformed::Tag));
        assert_eq!(Cursor::new(&[0x0f]).tag(), Err(Malformed::Tag));
        assert_eq!(Cursor::new(&[5, 1]).bytes(), Err(Malformed::Truncated));
    }

    #[test]
    fn groups_are_passed_over_as_a_whole() {
        // Field 1 as a group with field 2 = 1 inside, then field 3 = 5.
        let bytes = [0x0b, 0x10, 0x01, 0x0c, 0x18, 0x05];
        let mut cursor = Cursor::new(&bytes);
        let (number, wire_type) = cursor.tag().unwrap();
        cursor.skip(number, wire_type).unwrap();
        assert_eq!(cursor.tag(), Ok((3, WireType::Varint)));
        let mut crossed = Cursor::new(&[0x14]);
        assert_eq!(crossed.skip(1, WireType::StartGroup), Err(Malformed::Group));
        let deep = [0x0b; 200];
        assert_eq!(
            Cursor::new(&deep).skip(1, WireType::StartGroup),
            Err(Malformed::Depth)
        );
    }
}
