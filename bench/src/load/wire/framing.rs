//! The 5-byte prefix of gRPC and gRPC-Web messages.

use bytes::{BufMut, BytesMut};
use prost::Message;

use crate::load::failure::Fault;

const PREFIX: usize = 5;
const COMPRESSED: u8 = 0x01;
const TRAILERS: u8 = 0x80;

/// One frame of a body.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::load) enum Frame<'a> {
    /// An uncompressed message.
    Message(&'a [u8]),
    /// gRPC-Web's trailers.
    Trailers(&'a [u8]),
}

/// Appends the message with its prefix.
pub(in crate::load) fn append_framed(message: &impl Message, buffer: &mut BytesMut) {
    let length = message.encoded_len();
    buffer.reserve(PREFIX + length);
    buffer.put_u8(0);
    // An order of the most lines has 2 MB.
    buffer.put_u32(u32::try_from(length).unwrap_or(u32::MAX));
    message.encode_raw(buffer);
}

/// Bytes of the first frame with its prefix, as soon as the prefix is there.
pub(in crate::load) fn frame_length(body: &[u8]) -> Option<usize> {
    let (&[_, a, b, c, d], _) = body.split_first_chunk::<PREFIX>()?;
    let length = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
    Some(length.saturating_add(PREFIX))
}

/// Splits the first frame off; also gives what follows it.
pub(in crate::load) fn split_frame(body: &[u8]) -> Result<(Frame<'_>, &[u8]), Fault> {
    let Some((&[flags, a, b, c, d], rest)) = body.split_first_chunk::<PREFIX>() else {
        return Err(Fault::Framing(format!(
            "the body ends with {} bytes where a 5-byte prefix is due",
            body.len()
        )));
    };
    let length = u32::from_be_bytes([a, b, c, d]);
    let Some((content, after)) = usize::try_from(length)
        .ok()
        .and_then(|length| rest.split_at_checked(length))
    else {
        return Err(Fault::Framing(format!(
            "a frame promises {length} bytes and {} follow",
            rest.len()
        )));
    };
    match flags {
        0 => Ok((Frame::Message(content), after)),
        TRAILERS => Ok((Frame::Trailers(content), after)),
        _ if flags & COMPRESSED != 0 => Err(Fault::Framing(
            "a frame is compressed though no compression was offered".to_owned(),
        )),
        _ => Err(Fault::Framing(format!(
            "a frame has the flags {flags:#04x}"
        ))),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use bookstore_proto::v1::GetBookDetailRequest;

    use super::*;

    #[test]
    fn a_framed_message_is_split_again() {
        let message = GetBookDetailRequest {
            book_id: 1,
            review_count: 2,
        };
        let mut buffer = BytesMut::new();
        append_framed(&message, &mut buffer);
        assert_eq!(buffer.len(), 9);
        buffer.extend_from_slice(b"\x80\0\0\0\x01x");
        let (frame, rest) = split_frame(&buffer).unwrap();
        assert_eq!(frame, Frame::Message(&message.encode_to_vec()));
        assert_eq!(
            split_frame(rest).unwrap(),
            (Frame::Trailers(b"x"), &b""[..])
        );
    }

    #[test]
    fn what_is_no_frame_is_refused_with_its_value() {
        for (body, named) in [
            (&b"\0\0\0"[..], "3 bytes"),
            (b"\0\0\0\0\x05abc", "promises 5 bytes and 3 follow"),
            (b"\x01\0\0\0\0", "compressed"),
            (b"\x42\0\0\0\0", "0x42"),
        ] {
            let error = split_frame(body).unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }
}
