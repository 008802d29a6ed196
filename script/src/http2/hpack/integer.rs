//! Whole numbers (RFC 7541, section 5.1).

/// Appends a number whose first bits share a byte with `pattern`.
pub(super) fn put(out: &mut Vec<u8>, pattern: u8, bits: u32, value: usize) {
    let most = (1 << bits) - 1;
    if let Ok(short) = u8::try_from(value)
        && short < most
    {
        out.push(pattern | short);
        return;
    }
    out.push(pattern | most);
    let mut rest = value - usize::from(most);
    while rest >= 0x80 {
        #[expect(clippy::cast_possible_truncation, reason = "seven bits at a time")]
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    #[expect(clippy::cast_possible_truncation, reason = "less than 128")]
    out.push(rest as u8);
}

/// Takes a number from the front; `None` when it is cut short or has more than 32 bits.
pub(super) fn take(bytes: &mut &[u8], bits: u32) -> Option<usize> {
    let most = (1_u8 << bits).wrapping_sub(1);
    let (first, mut rest) = bytes.split_first()?;
    let mut value = u64::from(first & most);
    if first & most == most {
        let mut shift = 0;
        loop {
            let (byte, after) = rest.split_first()?;
            rest = after;
            value += u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                break;
            }
            shift += 7;
            if shift > 28 {
                return None;
            }
        }
    }
    *bytes = rest;
    u32::try_from(value).ok().map(|value| value as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        for bits in 4..8 {
            for value in [0, 1, 14, 15, 30, 31, 126, 127, 128, 1337, 70_000, 1 << 28] {
                let mut out = Vec::new();
                put(&mut out, 0, bits, value);
                let mut rest = &out[..];
                assert_eq!(take(&mut rest, bits), Some(value));
                assert!(rest.is_empty());
                assert_eq!(take(&mut &out[..out.len() - 1], bits), None);
            }
        }
        // RFC 7541, appendix C.1.2.
        let mut out = Vec::new();
        put(&mut out, 0, 5, 1337);
        assert_eq!(out, [31, 154, 10]);
        assert_eq!(
            take(&mut &[31, 0xff, 0xff, 0xff, 0xff, 0xff, 1][..], 5),
            None
        );
    }
}
