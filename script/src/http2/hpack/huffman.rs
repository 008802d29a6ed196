//! The Huffman code of strings (RFC 7541, appendix B).
//!
//! The code is canonical: codes of one length are numbered in the order of their symbols, and longer ones
//! begin where shorter ones end. So the lengths say all.

/// Bits of the code of each byte, and of the end of a string.
#[rustfmt::skip]
const LENGTHS: [u8; 257] = [
    13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28,
    28, 28, 28, 28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
    5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7,
    7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
    15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7,
    7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
    24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21,
    23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
    26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24,
    21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
    26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const LONGEST: usize = 30;

/// The codes of one length.
#[derive(Clone, Copy)]
struct Codes {
    first: u32,
    count: u32,
    /// Place of their symbols in [`SYMBOLS`].
    begin: u32,
}

const SYMBOLS: [u16; 257] = symbols();
const CODES: [Codes; LONGEST + 1] = codes();
const ENCODED: [u32; 257] = encoded();

/// All symbols, those with shorter codes first.
const fn symbols() -> [u16; 257] {
    let mut symbols = [0; 257];
    let (mut place, mut length) = (0, 1);
    while length <= LONGEST {
        let mut symbol = 0_u16;
        while symbol < 257 {
            if LENGTHS[symbol as usize] as usize == length {
                symbols[place] = symbol;
                place += 1;
            }
            symbol += 1;
        }
        length += 1;
    }
    symbols
}

const fn codes() -> [Codes; LONGEST + 1] {
    let none = Codes {
        first: 0,
        count: 0,
        begin: 0,
    };
    let mut codes = [none; LONGEST + 1];
    let (mut length, mut next, mut begin) = (1, 0, 0);
    while length <= LONGEST {
        next <<= 1;
        let mut count = 0;
        let mut symbol = 0;
        while symbol < LENGTHS.len() {
            if LENGTHS[symbol] as usize == length {
                count += 1;
            }
            symbol += 1;
        }
        codes[length] = Codes {
            first: next,
            count,
            begin,
        };
        next += count;
        begin += count;
        length += 1;
    }
    codes
}

const fn encoded() -> [u32; 257] {
    let mut encoded = [0; 257];
    let mut length = 1;
    while length <= LONGEST {
        let codes = CODES[length];
        let mut nth = 0;
        while nth < codes.count {
            encoded[SYMBOLS[(codes.begin + nth) as usize] as usize] = codes.first + nth;
            nth += 1;
        }
        length += 1;
    }
    encoded
}

/// Bytes of a string in this code.
pub(super) fn encoded_len(text: &[u8]) -> usize {
    let bits = text
        .iter()
        .map(|byte| usize::from(LENGTHS[usize::from(*byte)]));
    bits.sum::<usize>().div_ceil(8)
}

/// Appends a string in this code.
pub(super) fn encode(text: &[u8], out: &mut Vec<u8>) {
    let (mut bits, mut held) = (0_u64, 0_u32);
    for &byte in text {
        let length = u32::from(LENGTHS[usize::from(byte)]);
        bits = bits << length | u64::from(ENCODED[usize::from(byte)]);
        held += length;
        while held >= 8 {
            held -= 8;
            out.push(low_byte(bits >> held));
        }
    }
    if held > 0 {
        let padding = 8 - held;
        out.push(low_byte(bits << padding | ((1 << padding) - 1)));
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the rest was written before"
)]
fn low_byte(bits: u64) -> u8 {
    bits as u8
}

/// Appends the string that bytes in this code mean; `None` when they mean none.
pub(super) fn decode(bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let (mut code, mut length) = (0_u32, 0_usize);
    for byte in bytes {
        for bit in (0..8).rev() {
            code = code << 1 | u32::from(byte >> bit & 1);
            length += 1;
            let codes = CODES.get(length)?;
            let nth = code.wrapping_sub(codes.first);
            if nth < codes.count {
                let symbol = SYMBOLS[(codes.begin + nth) as usize];
                // The end is in no string, and all others are bytes.
                out.push(u8::try_from(symbol).ok()?);
                (code, length) = (0, 0);
            }
        }
    }
    // Padding is the beginning of the end's code, which is all ones.
    let is_padding = length < 8 && code == (1 << length) - 1;
    is_padding.then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        decode(bytes, &mut out).map(|()| out)
    }

    #[test]
    fn the_examples_of_the_standard_are_met() {
        // RFC 7541, appendices C.4 and C.6.
        for (text, expected) in [
            ("www.example.com", "f1e3c2e5f23a6ba0ab90f4ff"),
            ("no-cache", "a8eb10649cbf"),
            ("302", "6402"),
            ("private", "aec3771a4b"),
        ] {
            let mut out = Vec::new();
            encode(text.as_bytes(), &mut out);
            let expected: Vec<u8> = (0..expected.len())
                .step_by(2)
                .filter_map(|at| u8::from_str_radix(&expected[at..at + 2], 16).ok())
                .collect();
            assert_eq!(out, expected);
            assert_eq!(encoded_len(text.as_bytes()), out.len());
            assert_eq!(decoded(&out).as_deref(), Some(text.as_bytes()));
        }
    }

    #[test]
    fn every_byte_has_a_code() {
        let all: Vec<u8> = (0..=255).collect();
        let mut out = Vec::new();
        encode(&all, &mut out);
        assert_eq!(decoded(&out), Some(all));
    }

    #[test]
    fn what_is_no_string_is_refused() {
        // The end's own code, padding of zeros, and a whole byte of padding.
        for bytes in [&[0xff, 0xff, 0xff, 0xff][..], &[0x00, 0x00], &[0x07, 0xff]] {
            assert_eq!(decoded(bytes), None, "{bytes:?}");
        }
        assert_eq!(decoded(&[0x07]), Some(b"0".to_vec()));
    }
}
