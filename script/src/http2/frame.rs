//! Frames (RFC 9113, sections 4 and 6).

use super::error::{Failure, Reason};

/// What a client sends first.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Bytes before the content of a frame.
pub(super) const HEAD: usize = 9;
/// Most content of a frame that this side takes: the default, which is never raised.
pub(super) const MOST_RECEIVED: usize = 16_384;

/// Types of frames.
pub(super) mod kind {
    pub(crate) const DATA: u8 = 0;
    pub(crate) const HEADERS: u8 = 1;
    pub(crate) const PRIORITY: u8 = 2;
    pub(crate) const RST_STREAM: u8 = 3;
    pub(crate) const SETTINGS: u8 = 4;
    pub(crate) const PUSH_PROMISE: u8 = 5;
    pub(crate) const PING: u8 = 6;
    pub(crate) const GOAWAY: u8 = 7;
    pub(crate) const WINDOW_UPDATE: u8 = 8;
    pub(crate) const CONTINUATION: u8 = 9;
}

/// Flags of frames.
pub(super) mod flag {
    pub(crate) const ACK: u8 = 1;
    pub(crate) const END_STREAM: u8 = 1;
    pub(crate) const END_HEADERS: u8 = 4;
    pub(crate) const PADDED: u8 = 8;
    pub(crate) const PRIORITY: u8 = 32;
}

/// What a frame begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHead {
    pub(super) length: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    pub(super) stream: u32,
}

impl FrameHead {
    /// Reads it from the front of what came; `None` when it is not whole.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let &[a, b, c, kind, flags, s0, s1, s2, s3] = bytes.first_chunk::<HEAD>()?;
        Some(Self {
            length: u32::from_be_bytes([0, a, b, c]) as usize,
            kind,
            flags,
            // The first bit means nothing.
            stream: u32::from_be_bytes([s0 & 0x7f, s1, s2, s3]),
        })
    }

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Appends a frame.
pub(super) fn put(out: &mut Vec<u8>, kind: u8, flags: u8, stream: u32, content: &[u8]) {
    put_head(out, content.len(), kind, flags, stream);
    out.extend_from_slice(content);
}

/// Appends the head of a frame.
pub(super) fn put_head(out: &mut Vec<u8>, length: usize, kind: u8, flags: u8, stream: u32) {
    let [s0, s1, s2, s3] = stream.to_be_bytes();
    let [a, b, c] = length_bytes(length);
    out.extend_from_slice(&[a, b, c, kind, flags, s0, s1, s2, s3]);
}

/// A length as a frame's head has it. Frames are cut to 2^24 - 1 bytes at most.
pub(super) fn length_bytes(length: usize) -> [u8; 3] {
    let [.., a, b, c] = length.to_be_bytes();
    [a, b, c]
}

/// The content of a frame without its padding and, in HEADERS, without its priority.
pub(super) fn unpadded(head: FrameHead, content: &[u8]) -> Result<std::ops::Range<usize>, Failure> {
    let (mut begin, mut end) = (0, content.len());
    if head.has(flag::PADDED) {
        let padding = content.first().ok_or(FRAME_SIZE)?;
        begin = 1;
        end = end.saturating_sub(usize::from(*padding));
    }
    if head.kind == kind::HEADERS && head.has(flag::PRIORITY) {
        begin += 5;
    }
    if begin > end {
        return Err(Failure::Violation(
            Reason::PROTOCOL_ERROR,
            "a frame is all padding",
        ));
    }
    Ok(begin..end)
}

/// A frame whose length does not go with its type.
pub(super) const FRAME_SIZE: Failure =
    Failure::Violation(Reason::FRAME_SIZE_ERROR, "a frame has a wrong length");

/// The content of a frame that has exactly so many bytes.
pub(super) fn exactly<const N: usize>(content: &[u8]) -> Result<[u8; N], Failure> {
    content.try_into().map_err(|_| FRAME_SIZE)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_was_written() {
        let mut out = Vec::new();
        put(&mut out, kind::DATA, flag::END_STREAM, 7, b"abc");
        let head = FrameHead::parse(&out).unwrap();
        assert_eq!((head.length, head.kind, head.stream), (3, kind::DATA, 7));
        assert!(head.has(flag::END_STREAM) && !head.has(flag::PADDED));
        assert_eq!(FrameHead::parse(&out[..8]), None);
    }

    #[test]
    fn padding_and_priority_are_no_content() {
        let head = |kind, flags| FrameHead {
            length: 0,
            kind,
            flags,
            stream: 1,
        };
        let padded = head(kind::DATA, flag::PADDED);
        assert_eq!(unpadded(padded, b"\x02ab..").unwrap(), 1..3);
        assert!(unpadded(padded, b"\x05ab..").is_err());
        assert!(unpadded(padded, b"").is_err());
        let both = head(kind::HEADERS, flag::PADDED | flag::PRIORITY);
        assert_eq!(unpadded(both, b"\x01.....ab.").unwrap(), 6..8);
        assert!(unpadded(both, b"\x00...").is_err());
    }
}
