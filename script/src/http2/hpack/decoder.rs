//! Bytes become headers.

use std::rc::Rc;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::{
    huffman, integer,
    table::{MOST_BYTES, OVERHEAD, Table},
};

/// Headers of an answer, or its trailers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// None in trailers.
    pub(crate) status: Option<StatusCode>,
    /// Shared with the same head of other answers.
    pub(crate) headers: Rc<HeaderMap>,
}

/// Why a block is no head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::http2) enum Undecoded {
    /// The compression of the connection is lost.
    Compression,
    /// The headers break the rules of HTTP; those to come need not.
    Malformed,
    /// They are too many.
    TooLarge,
}

/// Most bytes of the headers of one answer, which their compressed form may be far shorter than:
/// grpc-go's default.
const MOST_DECODED: usize = 16 << 20;

/// The compression of the server's direction.
#[derive(Debug, Default)]
pub(in crate::http2) struct Decoder {
    table: Table,
    name: Vec<u8>,
    value: Vec<u8>,
    /// Blocks that mean the same while the table does: the head and the trailers of usual answers.
    known: Vec<(Vec<u8>, Head)>,
    /// The table that they are for.
    version: u64,
}

/// Blocks that are remembered.
const KNOWN: usize = 4;

impl Decoder {
    pub(in crate::http2) fn decode(&mut self, block: &[u8]) -> Result<Head, Undecoded> {
        if self.version != self.table.version() {
            self.known.clear();
            self.version = self.table.version();
        }
        let known = self.known.iter().find(|(known, _)| known == block);
        if let Some((_, head)) = known {
            return Ok(head.clone());
        }
        let mut building = Building::default();
        self.read(block, &mut building)?;
        let head = building.finish()?;
        if self.version == self.table.version() {
            if self.known.len() == KNOWN {
                self.known.remove(0);
            }
            self.known.push((block.to_vec(), head.clone()));
        }
        Ok(head)
    }

    fn read(&mut self, block: &[u8], head: &mut Building) -> Result<(), Undecoded> {
        let mut rest = block;
        let mut may_resize = true;
        while let Some(&first) = rest.first() {
            let is_resize = first & 0xe0 == 0x20;
            if is_resize {
                let most = integer::take(&mut rest, 5).filter(|most| *most <= MOST_BYTES);
                let most = most.filter(|_| may_resize).ok_or(Undecoded::Compression)?;
                self.table.resize(most);
            } else if first & 0x80 != 0 {
                let field = integer::take(&mut rest, 7).and_then(|index| self.table.get(index));
                let (name, value) = field.ok_or(Undecoded::Compression)?;
                head.add(name, value);
            } else {
                let is_kept = first & 0x40 != 0;
                self.literal(&mut rest, if is_kept { 6 } else { 4 })
                    .ok_or(Undecoded::Compression)?;
                head.add(&self.name, &self.value);
                if is_kept {
                    self.table.insert(&self.name, &self.value);
                }
            }
            may_resize = is_resize;
        }
        Ok(())
    }

    /// Reads name and value of a header.
    fn literal(&mut self, rest: &mut &[u8], bits: u32) -> Option<()> {
        self.name.clear();
        self.value.clear();
        match integer::take(rest, bits)? {
            0 => string(rest, &mut self.name)?,
            index => self.name.extend_from_slice(self.table.get(index)?.0),
        }
        string(rest, &mut self.value)
    }
}

/// Takes a string from the front.
fn string(rest: &mut &[u8], out: &mut Vec<u8>) -> Option<()> {
    let is_coded = rest.first()? & 0x80 != 0;
    let length = integer::take(rest, 7)?;
    let (text, after) = rest.split_at_checked(length)?;
    *rest = after;
    if is_coded {
        huffman::decode(text, out)
    } else {
        out.extend_from_slice(text);
        Some(())
    }
}

/// A head as far as it was read. The whole block is read even when it breaks the rules, for the table
/// must not miss anything.
#[derive(Default)]
struct Building {
    status: Option<StatusCode>,
    headers: HeaderMap,
    bytes: usize,
    is_malformed: bool,
}

impl Building {
    fn add(&mut self, name: &[u8], value: &[u8]) {
        self.bytes = self
            .bytes
            .saturating_add(name.len() + value.len() + OVERHEAD);
        if self.bytes > MOST_DECODED || self.is_malformed {
            return;
        }
        if self.field(name, value).is_none() {
            self.is_malformed = true;
        }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) -> Option<()> {
        if name.starts_with(b":") {
            let is_first = name == b":status" && self.status.is_none() && self.headers.is_empty();
            let status = StatusCode::from_bytes(value).ok().filter(|_| is_first);
            self.status = Some(status?);
            return Some(());
        }
        let is_of_connection = OF_CONNECTION.contains(&name);
        let is_refused = is_of_connection || name == b"te" && value != b"trailers";
        let name = HeaderName::from_lowercase(name)
            .ok()
            .filter(|_| !is_refused)?;
        let value = HeaderValue::from_bytes(value).ok()?;
        self.headers.try_append(name, value).ok().map(drop)
    }

    fn finish(self) -> Result<Head, Undecoded> {
        if self.bytes > MOST_DECODED {
            return Err(Undecoded::TooLarge);
        }
        if self.is_malformed {
            return Err(Undecoded::Malformed);
        }
        Ok(Head {
            status: self.status,
            headers: Rc::new(self.headers),
        })
    }
}

/// Headers of HTTP/1.1's connections, which make an answer malformed (RFC 9113, section 8.2.2).
const OF_CONNECTION: [&[u8]; 5] = [
    b"connection",
    b"keep-alive",
    b"proxy-connection",
    b"transfer-encoding",
    b"upgrade",
];
