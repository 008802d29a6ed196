//! Headers become bytes.

use super::{
    huffman, integer,
    table::{Found, MOST_BYTES, Table},
};

/// Name and value of a header.
pub(crate) type Field<'a> = (&'a [u8], &'a [u8]);
/// The same, kept.
type OwnedField = (Box<[u8]>, Box<[u8]>);

/// The compression of one direction of a connection.
#[derive(Debug, Default)]
pub(in crate::http2) struct Encoder {
    table: Table,
    /// The sizes of the table that the other side must be told of: the smallest since the last time, and
    /// the last.
    resized: Option<(usize, usize)>,
    last: Last,
}

/// What was encoded last, and is the same while the table is.
#[derive(Debug, Default)]
struct Last {
    fields: Vec<OwnedField>,
    version: u64,
    block: Vec<u8>,
}

/// Headers whose values hardly repeat; they would only push others out of the table.
const NOT_KEPT: [&[u8]; 10] = [
    b":path",
    b"age",
    b"authorization",
    b"content-length",
    b"cookie",
    b"etag",
    b"if-modified-since",
    b"if-none-match",
    b"location",
    b"set-cookie",
];

impl Encoder {
    /// Takes what the server says of its table.
    pub(in crate::http2) fn limit(&mut self, most: usize) {
        let most = most.min(MOST_BYTES);
        self.table.resize(most);
        let smallest = self
            .resized
            .map_or(most, |(smallest, _)| smallest.min(most));
        self.resized = Some((smallest, most));
    }

    /// Appends a block of headers.
    pub(in crate::http2) fn encode(&mut self, fields: &[Field<'_>], out: &mut Vec<u8>) {
        if self.repeats(fields) {
            out.extend_from_slice(&self.last.block);
            return;
        }
        if let Some((smallest, last)) = self.resized.take() {
            integer::put(out, 0x20, 5, smallest);
            if smallest != last {
                integer::put(out, 0x20, 5, last);
            }
        }
        let (begin, version) = (out.len(), self.table.version());
        for (name, value) in fields {
            self.field(name, value, out);
        }
        if version == self.table.version() {
            let owned = |&(name, value): &Field<'_>| (name.into(), value.into());
            self.last = Last {
                fields: fields.iter().map(owned).collect(),
                version,
                block: out[begin..].to_vec(),
            };
        }
    }

    fn repeats(&self, fields: &[Field<'_>]) -> bool {
        let last = &self.last.fields;
        let mut pairs = fields.iter().zip(last);
        self.resized.is_none()
            && self.last.version == self.table.version()
            && fields.len() == last.len()
            && pairs.all(|((name, value), last)| **name == *last.0 && **value == *last.1)
    }

    fn field(&mut self, name: &[u8], value: &[u8], out: &mut Vec<u8>) {
        let found = self.table.find(name, value);
        if let Found::Field(index) = found {
            integer::put(out, 0x80, 7, index);
            return;
        }
        let is_kept = !NOT_KEPT.contains(&name);
        let (pattern, bits) = if is_kept { (0x40, 6) } else { (0, 4) };
        if let Found::Name(index) = found {
            integer::put(out, pattern, bits, index);
        } else {
            out.push(pattern);
            string(name, out);
        }
        string(value, out);
        if is_kept {
            self.table.insert(name, value);
        }
    }
}

/// Appends a string in the shorter of its forms.
fn string(text: &[u8], out: &mut Vec<u8>) {
    let coded = huffman::encoded_len(text);
    if coded < text.len() {
        integer::put(out, 0x80, 7, coded);
        huffman::encode(text, out);
    } else {
        integer::put(out, 0, 7, text.len());
        out.extend_from_slice(text);
    }
}
