//! The 5-byte prefix of messages
//! (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>).

use bytes::{Buf, Bytes, BytesMut};

use crate::module::grpc::status::Status;

/// Bytes of the prefix.
pub(super) const PREFIX: usize = 5;
/// The flag of a message that is compressed.
pub(super) const COMPRESSED: u8 = 1;

/// Leaves room for the prefix of a message that is appended next.
pub(crate) fn begin_frame(out: &mut Vec<u8>) {
    out.clear();
    out.extend_from_slice(&[0; PREFIX]);
}

/// A copy of the message, with its prefix. `most` bytes may be in it; 0 for any number.
pub(crate) fn end_frame(out: &mut [u8], most: usize) -> Result<Bytes, Status> {
    let length = out.len() - PREFIX;
    if most > 0 && length > most {
        return Err(Status::resource_exhausted(format!(
            "trying to send message larger than max ({length} vs. {most})"
        )));
    }
    let Ok(prefix) = u32::try_from(length) else {
        return Err(Status::resource_exhausted(format!(
            "a message of {length} bytes is longer than gRPC can say"
        )));
    };
    out[1..PREFIX].copy_from_slice(&prefix.to_be_bytes());
    Ok(Bytes::copy_from_slice(out))
}

/// A message of the protocol's own services, with its prefix.
pub(crate) fn framed(message: &impl prost::Message) -> Bytes {
    let mut out = Vec::new();
    begin_frame(&mut out);
    out.extend_from_slice(&message.encode_to_vec());
    // Such messages are short: names of services and files.
    end_frame(&mut out, 0).unwrap_or_default()
}

/// Joins the pieces of a body and cuts it into messages. Memory is taken for bytes that came, and
/// not for those that a prefix announces.
#[derive(Debug)]
pub(super) struct Frames {
    waiting: BytesMut,
    /// Most bytes of a message.
    most: usize,
    /// Refuses the flags that a body of this kind cannot have.
    judge: fn(u8) -> Result<(), Status>,
}

impl Frames {
    pub(super) fn new(most: usize, judge: fn(u8) -> Result<(), Status>) -> Self {
        Self {
            waiting: BytesMut::new(),
            most,
            judge,
        }
    }

    /// Takes a piece of the body and hands over the flags and contents of the frames that are
    /// complete now.
    pub(super) fn push(
        &mut self,
        mut piece: Bytes,
        take: &mut dyn FnMut(u8, Bytes) -> Result<(), Status>,
    ) -> Result<(), Status> {
        if self.waiting.is_empty() {
            // The usual case: whole messages, which are not copied.
            while let Some((flags, length)) = self.complete(&piece)? {
                piece.advance(PREFIX);
                take(flags, piece.split_to(length))?;
            }
            self.waiting.extend_from_slice(&piece);
            return Ok(());
        }
        self.waiting.extend_from_slice(&piece);
        while let Some((flags, length)) = self.complete(&self.waiting)? {
            self.waiting.advance(PREFIX);
            take(flags, self.waiting.split_to(length).freeze())?;
        }
        Ok(())
    }

    /// Bytes that are held for frames to come.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.waiting.capacity()
    }

    /// Demands that the body ended with a message.
    pub(super) fn finish(&self) -> Result<(), Status> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        Err(Status::internal(format!(
            "the body ended with {} bytes of an incomplete message",
            self.waiting.len()
        )))
    }

    /// Flags and length of the first message when all of it is there.
    fn complete(&self, bytes: &[u8]) -> Result<Option<(u8, usize)>, Status> {
        let Some((&[flags, a, b, c, d], rest)) = bytes.split_first_chunk::<PREFIX>() else {
            return Ok(None);
        };
        (self.judge)(flags)?;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if length > self.most {
            return Err(Status::resource_exhausted(format!(
                "grpc: received message larger than max ({length} vs. {})",
                self.most
            )));
        }
        Ok((rest.len() >= length).then_some((flags, length)))
    }
}

/// The flags of gRPC over HTTP/2, where trailers are no frames and nothing is compressed.
pub(super) fn only_messages(flags: u8) -> Result<(), Status> {
    match flags {
        0 => Ok(()),
        COMPRESSED => Err(Status::internal(
            "grpc: a message is compressed, though no compression was offered",
        )),
        _ => Err(Status::internal(format!(
            "grpc: received unexpected payload format {flags}"
        ))),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn frame_of(message: &[u8]) -> Bytes {
        let mut out = Vec::new();
        begin_frame(&mut out);
        out.extend_from_slice(message);
        end_frame(&mut out, 0).unwrap()
    }

    #[test]
    fn messages_are_found_however_the_body_is_cut() {
        let body = [frame_of(b"one"), frame_of(b""), frame_of(b"three")].concat();
        for size in 1..body.len() {
            let mut frames = Frames::new(100, only_messages);
            let mut messages = Vec::new();
            for piece in body.chunks(size) {
                let piece = Bytes::copy_from_slice(piece);
                let mut take = |_, message: Bytes| {
                    messages.push(message);
                    Ok(())
                };
                frames.push(piece, &mut take).unwrap();
            }
            assert_eq!(frames.finish(), Ok(()));
            assert_eq!(messages, [&b"one"[..], b"", b"three"], "pieces of {size}");
        }
    }

    #[test]
    fn bad_frames_are_named() {
        let push = |bytes: &[u8]| {
            let mut frames = Frames::new(4, only_messages);
            let result = frames.push(Bytes::copy_from_slice(bytes), &mut |_, _| Ok(()));
            result.and_then(|()| frames.finish()).unwrap_err()
        };
        assert!(push(&[1, 0, 0, 0, 0]).message.contains("compressed"));
        assert!(push(&[0x80, 0, 0, 0, 0]).message.contains("128"));
        assert!(push(&[0, 0, 0, 0, 3, 1]).message.contains("6 bytes"));
        let large = push(&[0, 0, 0, 0, 5]);
        assert_eq!((large.code, large.message.contains("(5 vs. 4)")), (8, true));
    }

    #[test]
    fn a_message_too_large_to_send_is_refused() {
        let mut out = Vec::new();
        begin_frame(&mut out);
        out.extend_from_slice(&[7; 5]);
        let status = end_frame(&mut out, 4).unwrap_err();
        assert_eq!(status.code, 8);
        assert!(status.message.contains("(5 vs. 4)"), "{}", status.message);
    }
}
