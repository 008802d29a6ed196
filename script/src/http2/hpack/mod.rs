//! The compression of headers (RFC 7541).

mod decoder;
mod encoder;
mod huffman;
mod integer;
mod table;

pub(crate) use decoder::Head;
pub(super) use decoder::{Decoder, Undecoded};
pub(super) use encoder::Encoder;
pub(crate) use encoder::Field;
