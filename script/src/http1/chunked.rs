//! Bodies in chunks (RFC 9112, section 7.1).

use bytes::{Buf, BytesMut};

use super::{body::move_bytes, error::ChunkError};

/// Most bytes of all extensions of a body, and of all its trailers.
const MOST_BESIDE: usize = 16 << 10;

/// Takes the chunks of one body apart. Trailers are passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chunked {
    place: Place,
    /// Of the size while it is read, then of the chunk.
    remaining: u64,
    extension_bytes: usize,
    trailer_bytes: usize,
}

/// What the next byte is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// The first digit of a size.
    #[default]
    SizeStart,
    /// A digit of a size, or what ends it.
    Size,
    /// After the space behind a size.
    SizeSpace,
    Extension,
    /// LF of the line with the size.
    SizeLf,
    Data,
    /// CR after the data.
    DataCr,
    DataLf,
    /// A trailer, or CR of the empty line at the end.
    Line,
    Trailer,
    TrailerLf,
    EndLf,
    End,
}

impl Chunked {
    /// Moves the data that is there; true when the body is complete.
    pub(super) fn decode(
        &mut self,
        input: &mut BytesMut,
        output: &mut BytesMut,
    ) -> Result<bool, ChunkError> {
        loop {
            self.pass_frame(input)?;
            if self.place != Place::Data {
                return Ok(self.place == Place::End);
            }
            move_bytes(&mut self.remaining, input, output);
            if self.remaining > 0 {
                return Ok(false);
            }
            self.place = Place::DataCr;
        }
    }

    /// Takes away what is there up to the next data or the end.
    fn pass_frame(&mut self, input: &mut BytesMut) -> Result<(), ChunkError> {
        let mut passed = 0;
        while !matches!(self.place, Place::Data | Place::End) {
            let Some(&byte) = input.get(passed) else {
                break;
            };
            self.place = self.step(byte)?;
            passed += 1;
        }
        input.advance(passed);
        Ok(())
    }

    fn step(&mut self, byte: u8) -> Result<Place, ChunkError> {
        match (self.place, byte) {
            (Place::Size | Place::SizeSpace, b'\t' | b' ') => Ok(Place::SizeSpace),
            (Place::Size | Place::SizeSpace, b';') => Ok(Place::Extension),
            (Place::Size | Place::SizeSpace | Place::Extension, b'\r') => Ok(Place::SizeLf),
            (Place::SizeStart | Place::Size, _) => self.digit(byte),
            (Place::SizeSpace, _) => Err(ChunkError::Size(byte)),
            (Place::Extension, b'\n') => Err(ChunkError::LineEnd(byte)),
            (Place::Extension, _) => count(&mut self.extension_bytes).map(|()| Place::Extension),
            (Place::SizeLf, b'\n') if self.remaining == 0 => Ok(Place::Line),
            (Place::SizeLf, b'\n') => Ok(Place::Data),
            (Place::DataCr, b'\r') => Ok(Place::DataLf),
            (Place::DataLf, b'\n') => Ok(Place::SizeStart),
            (Place::Line, b'\r') => Ok(Place::EndLf),
            (Place::Trailer, b'\r') => Ok(Place::TrailerLf),
            (Place::Line | Place::Trailer, _) => {
                count(&mut self.trailer_bytes).map(|()| Place::Trailer)
            }
            (Place::TrailerLf, b'\n') => count(&mut self.trailer_bytes).map(|()| Place::Line),
            (Place::EndLf, b'\n') => Ok(Place::End),
            (place @ (Place::Data | Place::End), _) => Ok(place),
            (
                Place::SizeLf | Place::DataCr | Place::DataLf | Place::TrailerLf | Place::EndLf,
                _,
            ) => Err(ChunkError::LineEnd(byte)),
        }
    }

    fn digit(&mut self, byte: u8) -> Result<Place, ChunkError> {
        let digit = char::from(byte).to_digit(16);
        let digit = digit.ok_or(ChunkError::Size(byte))?;
        let larger = self.remaining.checked_mul(16);
        self.remaining = larger.ok_or(ChunkError::TooLarge)? + u64::from(digit);
        Ok(Place::Size)
    }
}

/// Counts a byte that is no data.
fn count(bytes: &mut usize) -> Result<(), ChunkError> {
    *bytes += 1;
    if *bytes > MOST_BESIDE {
        return Err(ChunkError::TooMuchBeside { limit: MOST_BESIDE });
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// The data, whether it is complete, and what is left of the input.
    fn decode(body: &str) -> Result<(String, bool, String), ChunkError> {
        let (mut input, mut output) = (BytesMut::from(body), BytesMut::new());
        let done = Chunked::default().decode(&mut input, &mut output)?;
        let text = |bytes: BytesMut| String::from_utf8(bytes.to_vec()).unwrap();
        Ok((text(output), done, text(input)))
    }

    #[test]
    fn chunks_become_one_body() {
        let body = "5\r\nhello\r\n00A ;x=\"y\"\r\n0123456789\r\n0\r\nA: b\r\nC: d\r\n\r\nrest";
        let (data, done, rest) = decode(body).unwrap();
        assert_eq!(
            (data.as_str(), done, rest.as_str()),
            ("hello0123456789", true, "rest")
        );
        for cut in 0..body.len() - "rest".len() {
            let (data, done, rest) = decode(&body[..cut]).unwrap();
            assert!(!done && rest.is_empty() && "hello0123456789".starts_with(&data));
        }
    }

    #[test]
    fn what_is_no_chunk_is_told() {
        for (body, error) in [
            ("\r\n", ChunkError::Size(b'\r')),
            ("-1\r\n", ChunkError::Size(b'-')),
            ("1 1\r\n", ChunkError::Size(b'1')),
            ("1\n", ChunkError::Size(b'\n')),
            ("1;a\n", ChunkError::LineEnd(b'\n')),
            ("1\rx", ChunkError::LineEnd(b'x')),
            ("1\r\nab\r\n", ChunkError::LineEnd(b'b')),
            ("1\r\na\rb", ChunkError::LineEnd(b'b')),
            ("0\r\n\rx", ChunkError::LineEnd(b'x')),
            ("0\r\na\rx", ChunkError::LineEnd(b'x')),
            ("10000000000000000\r\n", ChunkError::TooLarge),
        ] {
            assert_eq!(decode(body), Err(error), "{body:?}");
        }
        assert!(!decode("ffffffffffffffff\r\nab").unwrap().1);
    }

    #[test]
    fn what_stands_beside_the_data_is_limited() {
        let long = "x".repeat(MOST_BESIDE);
        let limit = ChunkError::TooMuchBeside { limit: MOST_BESIDE };
        assert!(decode(&format!("1;{long}")).is_ok());
        assert_eq!(decode(&format!("1;{long}x")), Err(limit));
        let (half, rest) = long.split_at(MOST_BESIDE / 2);
        let two = format!("1;{half}\r\na\r\n1;{rest}x\r\n");
        assert_eq!(decode(&two), Err(limit));
        assert_eq!(decode(&format!("0\r\n{long}x")), Err(limit));
    }
}
