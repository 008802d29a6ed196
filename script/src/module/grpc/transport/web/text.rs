//! Bodies in base64.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
    prelude::BASE64_STANDARD,
};
use bytes::{Bytes, BytesMut};

use crate::module::grpc::status::Status;

/// Characters that are decoded together.
const GROUP: usize = 4;
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Decodes a run of base64 pieces, each perhaps padded, cut anywhere. Whole groups are decoded, so
/// padding may come in the middle; the last group may lack it.
#[derive(Debug, Default)]
pub(super) struct TextDecoder {
    /// The beginning of a group.
    rest: Vec<u8>,
}

impl TextDecoder {
    /// Appends the bytes of the groups that are complete now. What is before an illegal group is
    /// appended as well.
    pub(super) fn push(&mut self, mut chars: &[u8], out: &mut BytesMut) -> Result<(), Status> {
        if !self.rest.is_empty() {
            let missing = GROUP - self.rest.len();
            let (head, tail) = chars.split_at(missing.min(chars.len()));
            self.rest.extend_from_slice(head);
            chars = tail;
            if self.rest.len() < GROUP {
                return Ok(());
            }
            let decoded = groups(&self.rest, out);
            self.rest.clear();
            decoded?;
        }
        let (whole, rest) = chars.split_at(chars.len() / GROUP * GROUP);
        groups(whole, out)?;
        self.rest.extend_from_slice(rest);
        Ok(())
    }

    /// Appends what is left at the end.
    pub(super) fn finish(&mut self, out: &mut BytesMut) -> Result<(), Status> {
        let rest = std::mem::take(&mut self.rest);
        match rest[..] {
            [] => Ok(()),
            [single] => Err(Status::internal(format!(
                "base64 body ends with a single character {:?}",
                char::from(single)
            ))),
            _ => decode(&rest, out).map_err(|_| illegal(&rest)),
        }
    }
}

/// Decodes whole groups: those without padding in one go, those with it one by one.
fn groups(mut chars: &[u8], out: &mut BytesMut) -> Result<(), Status> {
    while !chars.is_empty() {
        let padded = chars.iter().position(|char| *char == b'=');
        let unpadded = padded.unwrap_or(chars.len()) / GROUP * GROUP;
        let (run, rest) = chars.split_at(unpadded);
        if decode(run, out).is_err() {
            return one_by_one(run, out);
        }
        let (group, rest) = rest.split_at(rest.len().min(GROUP));
        one_by_one(group, out)?;
        chars = rest;
    }
    Ok(())
}

/// Stops at the first group that is none.
fn one_by_one(chars: &[u8], out: &mut BytesMut) -> Result<(), Status> {
    for group in chars.chunks(GROUP) {
        decode(group, out).map_err(|_| illegal(group))?;
    }
    Ok(())
}

fn decode(chars: &[u8], out: &mut BytesMut) -> Result<(), base64::DecodeSliceError> {
    let begin = out.len();
    out.resize(begin + chars.len().div_ceil(GROUP) * 3, 0);
    let decoded = LENIENT.decode_slice(chars, &mut out[begin..]);
    out.truncate(begin + *decoded.as_ref().unwrap_or(&0));
    decoded.map(drop)
}

fn illegal(group: &[u8]) -> Status {
    Status::internal(format!(
        "base64 body has an illegal group {:?}",
        String::from_utf8_lossy(group)
    ))
}

/// A frame in base64: a single padded run, which every known server accepts.
pub(super) fn encode(frame: &[u8]) -> Bytes {
    BASE64_STANDARD.encode(frame).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(pieces: &[&[u8]]) -> (Vec<u8>, Result<(), i32>) {
        let (mut decoder, mut out) = (TextDecoder::default(), BytesMut::new());
        let pushed = pieces
            .iter()
            .try_for_each(|piece| decoder.push(piece, &mut out));
        let result = pushed.and_then(|()| decoder.finish(&mut out));
        (out.to_vec(), result.map_err(|status| status.code))
    }

    #[test]
    fn padding_may_come_anywhere_and_be_missing_at_the_end() {
        assert_eq!(decoded(&[b"YQ==Yg==YWJj"]), (b"ababc".to_vec(), Ok(())));
        assert_eq!(
            decoded(&[b"YWI=Y", b"Q=", b"=YQ"]),
            (b"abaa".to_vec(), Ok(()))
        );
    }

    #[test]
    fn what_is_before_an_illegal_group_counts() {
        assert_eq!(
            decoded(&[b"YWJjYWJjYW!jYWJj"]),
            (b"abcabc".to_vec(), Err(13))
        );
        assert_eq!(decoded(&[b"YWJjY"]), (b"abc".to_vec(), Err(13)));
        assert_eq!(decoded(&[b"Y==="]), (Vec::new(), Err(13)));
        assert_eq!(decoded(&[b"Y=Q="]), (Vec::new(), Err(13)));
    }
}
